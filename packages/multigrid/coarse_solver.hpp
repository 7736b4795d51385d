#pragma once
/// \file
/// The coarsest level's solver: gathered to one rank and inverted or factored there.
#include <memory>
#include <vector>

#include "comm/redistribute.hpp"
#include "multigrid/dense_inverse.hpp"
#include "multigrid/direct_solver.hpp"

namespace Tessera::multigrid {

/// A level's near-nullspace as it lies on a space.
template <class Space>
struct NearNullspaceOn {
  int vectors = 0;
  bool ones = false;          ///< one vector of ones, which is not stored
  Span<double const> values;  ///< rows x vectors, row-major
};

/// x = A^+ b for a small distributed matrix (dense_inverse.hpp), or x = A^-1 b by a direct solver from
/// outside. Rank 0 holds the inverse or the factors; vectors go there and back.
template <class T, class Space>
class CoarseSolver {
 public:
  CoarseSolver() = default;
  /// summed: what the diagonal of this rank's rows was summed from, as DenseInverse's; null: nobody knows, on
  /// any rank. near: the near-nullspace of this rank's rows. direct: who factor A in place of the dense
  /// inverse; none: nobody does. Collective.
  /// \throws core::NumericalError on every rank, naming a row as A does
  CoarseSolver(Space const& space, comm::DistCsr<double, Space> const& A,
               Array<double, Space> const* summed = nullptr, NearNullspaceOn<Space> const& near = {},
               sparse::DirectSolvers<Space> direct = {});
  /// The same with new values: where A lies on one rank alone, begin_refresh waits for nothing; A and summed
  /// must not change until end_refresh. Collective.
  void begin_refresh(Space const& space, comm::DistCsr<double, Space> const& A,
                     Array<double, Space> const* summed = nullptr);
  void end_refresh(Space const& space, comm::DistCsr<double, Space> const& A,
                   Array<double, Space> const* summed = nullptr);

  /// Of a matrix with these rows, but for its pattern. Not with a direct solver. Collective when it loads.
  void archive(core::Archive& file, Space const& space, comm::Distribution const& rows);

  /// What was loaded, with new values. Collective.
  void make_loaded(Space const& space, comm::DistCsr<double, Space> const& A,
                   Array<double, Space> const* summed);

  /// Whether apply does nothing but enqueue (core/graph.hpp).
  bool recordable(Space const& space, std::size_t element = sizeof(T)) const {
    return !directs_.make && (!spread_ || gather_.recordable(space, element));
  }

  /// Owned values of a vector (X = T) or of a block that reserve_columns() was told of. Collective when A
  /// lies on several ranks.
  template <class X = T>
  void apply(Space const& space, Span<X const> b, Span<X> x) const;
  void reserve_columns(Space const& space, int columns);

  /// Dimension of A's nullspace, as found. Collective.
  GlobalIndex deficiency() const;
  /// Of a direct solver. Collective.
  GlobalIndex factor_entries() const;
  std::size_t bytes() const {
    return inverse_.bytes() + gathered_.bytes() + b_.bytes() + x_.bytes() + block_b_.bytes() +
           block_x_.bytes() + direct_b_.bytes() + direct_x_.bytes();
  }

 private:
  /// How A is gathered, and room for vectors.
  void prepare(Space const& space, comm::Distribution const& rows);
  /// near: of the rows that are here once A is gathered.
  void make(Space const& space, comm::DistCsr<double, Space> const& A, Array<double, Space> const* summed,
            NearNullspaceOfRows near);
  /// work(the whole matrix, summed of all rows) on the rank that has it.
  template <class Work>
  void with_whole(comm::DistCsr<double, Space> const& A, Array<double, Space> const* summed,
                  Work const& work);
  void gather_summed(Space const& space, Array<double, Space> const* summed);
  /// By directs_, at first or anew. \throws core::NumericalError
  void factor(Space const& space, sparse::Csr<double, Space> const& A);
  /// That of the rows that are here once A is gathered. Collective.
  NearNullspaceOfRows gathered_nullspace(Space const& space, comm::DistCsr<double, Space> const& A,
                                         NearNullspaceOn<Space> const& near) const;
  /// What the user calls these; empty: by their numbers.
  std::vector<GlobalIndex> names_of_rows(Space const& space, comm::DistCsr<double, Space> const& A) const;
  template <class X>
  void solve_whole(Space const& space, Span<X const> b, Span<X> x) const;

  comm::Communicator comm_;
  bool spread_ = false;  ///< A's rows are on several ranks, or not on rank 0
  comm::Redistribution<Space> gather_;
  comm::DistCsr<double, Space> gathered_;
  Array<double, Space> gathered_summed_;
  DenseInverse<T, Space> inverse_;
  sparse::DirectSolvers<Space> directs_;                 ///< who make direct_; none: the dense inverse solves
  std::unique_ptr<sparse::DirectSolver<Space>> direct_;  ///< where the rows are
  mutable Array<double, Space> direct_b_, direct_x_;
  mutable Array<T, Space> b_, x_, block_b_, block_x_;  ///< on rank 0, when spread
};

}  // namespace Tessera::multigrid
