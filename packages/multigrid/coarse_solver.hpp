#pragma once
/// \file
/// The coarsest level's solver, which gathers the matrix on one rank and inverts or factors it there.
#include <memory>
#include <vector>

#include "comm/redistribute.hpp"
#include "multigrid/dense_inverse.hpp"
#include "multigrid/direct_solver.hpp"

namespace Tessera::multigrid {

/// A level's near-nullspace, on the space.
template <class Space>
struct NearNullspaceOn {
  int vectors = 0;
  bool ones = false;          ///< one vector of ones, which is not stored
  Span<double const> values;  ///< rows x vectors, row-major
};

/// x = A^+ b for a small distributed matrix (dense_inverse.hpp), or x = A^-1 b by a third-party direct
/// solver. Rank 0 holds the inverse or the factors. Each solve moves vectors to rank 0 and back.
template <class T, class Space>
class CoarseSolver {
 public:
  CoarseSolver() = default;
  /// diagonal_scale: see DenseInverse, for this rank's rows; null on all ranks: unknown. near: the
  /// near-nullspace of this rank's rows. direct: solvers that factor A; empty: the dense inverse. Collective.
  /// \throws core::NumericalError, on every rank, with the id of a row
  CoarseSolver(Space const& space, comm::DistCsr<double, Space> const& A,
               Array<double, Space> const* diagonal_scale = nullptr, NearNullspaceOn<Space> const& near = {},
               sparse::DirectSolvers<Space> direct = {});
  /// Refreshes with new values. If A lies on one rank, begin_refresh does not wait. A and diagonal_scale must
  /// not change until end_refresh. Collective.
  void begin_refresh(Space const& space, comm::DistCsr<double, Space> const& A,
                     Array<double, Space> const* diagonal_scale = nullptr);
  void end_refresh(Space const& space, comm::DistCsr<double, Space> const& A,
                   Array<double, Space> const* diagonal_scale = nullptr);

  /// For a matrix with these rows; the pattern is not stored. Not with a direct solver. A load is collective.
  void archive(core::Archive& file, Space const& space, comm::Distribution const& rows);

  /// The first refresh after a load, which makes all that the archive lacks. Collective.
  void make_loaded(Space const& space, comm::DistCsr<double, Space> const& A,
                   Array<double, Space> const* diagonal_scale);

  /// Whether apply only enqueues work (core/graph.hpp).
  bool recordable(Space const& space, std::size_t element = sizeof(T)) const {
    return !solvers_.make && (!is_distributed_ || gather_.recordable(space, element));
  }

  /// b, x: owned values of a vector (X = T), or of a block after reserve_columns(). Collective if A lies on
  /// several ranks.
  template <class X = T>
  void apply(Space const& space, Span<X const> b, Span<X> x) const;
  void reserve_columns(Space const& space, int columns) {
    for (auto* whole : {&block_b_, &block_x_})
      *whole = Array<T, Space>(space, b_.size() * static_cast<std::size_t>(columns));
  }

  /// Dimension of A's nullspace, as found. Collective.
  GlobalIndex deficiency() const { return comm_.sum(GlobalIndex{inverse_.size() - inverse_.rank()}); }
  /// Entries in the factors of a direct solver. Collective.
  GlobalIndex factor_entries() const {
    return comm_.sum(solver_ ? solver_->factor_entries() : GlobalIndex{0});
  }
  std::size_t bytes() const {
    return inverse_.bytes() + gathered_.bytes() + b_.bytes() + x_.bytes() + block_b_.bytes() +
           block_x_.bytes() + direct_b_.bytes() + direct_x_.bytes();
  }

 private:
  /// Plans how A is gathered, and allocates vectors.
  void prepare(Space const& space, comm::Distribution const& rows);
  /// near: of the gathered rows on this rank.
  void make(Space const& space, comm::DistCsr<double, Space> const& A,
            Array<double, Space> const* diagonal_scale, NearNullspaceOfRows near);
  /// Calls work(gathered matrix, diagonal_scale of all rows) on the rank that has them.
  template <class Work>
  void with_gathered(comm::DistCsr<double, Space> const& A, Array<double, Space> const* diagonal_scale,
                     Work const& work);
  void gather_scale(Space const& space, Array<double, Space> const* diagonal_scale);
  /// Factors A by solvers_, or refactors it. \throws core::NumericalError
  void factor(Space const& space, sparse::Csr<double, Space> const& A);
  /// The near-nullspace of the gathered rows on this rank. Collective.
  NearNullspaceOfRows gathered_nullspace(Space const& space, comm::DistCsr<double, Space> const& A,
                                         NearNullspaceOn<Space> const& near) const;
  /// The user's ids of the gathered rows; empty: row numbers.
  std::vector<GlobalIndex> user_row_ids(Space const& space, comm::DistCsr<double, Space> const& A) const;
  template <class X>
  void solve_gathered(Space const& space, Span<X const> b, Span<X> x) const;

  comm::Communicator comm_;
  bool is_distributed_ = false;  ///< A's rows are on several ranks, or not on rank 0
  comm::Redistribution<Space> gather_;
  comm::DistCsr<double, Space> gathered_;
  Array<double, Space> gathered_scale_;
  DenseInverse<T, Space> inverse_;
  sparse::DirectSolvers<Space> solvers_;                 ///< make solver_; empty: the dense inverse solves
  std::unique_ptr<sparse::DirectSolver<Space>> solver_;  ///< on the rank that has the rows
  mutable Array<double, Space> direct_b_, direct_x_;
  mutable Array<T, Space> b_, x_, block_b_, block_x_;  ///< on rank 0, if A is distributed
};

}  // namespace Tessera::multigrid
