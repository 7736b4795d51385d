#pragma once
/// \file
/// The coarse matrix P^T A P over ranks.
#include "comm/ghost_rows.hpp"
#include "galerkin/block_product.hpp"
#include "galerkin/coarse_assembly.hpp"
#include "sparse/spgemm.hpp"
#include "sparse/transpose.hpp"

namespace Tessera::galerkin {

/// P^T A P with everything that its refresh needs. Exchanges ghost rows of P, multiplies on each rank, sends
/// partial coarse rows to their owners, who add them in rank order.
///
/// A column that tentative_prolongator dropped is a zero column of P and would leave a zero row and column
/// here. Such a coarse unknown is decoupled instead: its diagonal becomes the largest one of its aggregate's
/// unknowns (1 when all are zero), so that the next level sees a positive definite matrix of one scale; its
/// row of the coarse near-nullspace is zero, so no further level sees it. Constructor and refresh do this.
template <class Space>
class TripleProduct {
 public:
  TripleProduct() = default;
  /// Symbolic and numeric. vectors: columns of P an aggregate,
  /// which come together in P's rows (hash makes use of that, esc does not). preparation: after none, refresh
  /// must not be called.
  /// Collective. The result's columns are stored in ascending order of their global index.
  TripleProduct(Space const& space, comm::DistCsr<double, Space> const& A,
                comm::DistCsr<double, Space> const& P, sparse::SpgemmMethod method, int vectors = 1,
                sparse::RefreshPreparation preparation = sparse::RefreshPreparation::patterns);

  /// New values of A and P on the same patterns: bitwise what the constructor would give. Collective.
  void refresh(Space const& space, comm::DistCsr<double, Space> const& A,
               comm::DistCsr<double, Space> const& P);

  comm::DistCsr<double, Space>& coarse() { return coarse_; }
  comm::DistCsr<double, Space> const& coarse() const { return coarse_; }
  /// P^T of this rank: rows are P's local columns (owned, then ghosts), columns P's rows.
  sparse::Transposed<double, Space> const& restriction() const { return restriction_; }
  /// Gives back the values of restriction(); refresh brings them again.
  void return_restriction_values() { restriction_.matrix.value = {}; }
  /// Gives back its pattern too, unless it is needed here; restore_restriction must be called before a
  /// refresh then. Whether it was given back.
  bool return_restriction();
  void restore_restriction(sparse::Csr<double, Space> pattern) { restriction_.matrix = std::move(pattern); }
  std::size_t bytes() const;
  /// Of these, what the first refresh finds unless it is there.
  std::size_t places_bytes() const;

 private:
  bool in_blocks() const { return vectors_ > 1 && method_ == sparse::SpgemmMethod::hash; }
  /// P's rows that A's columns name: P itself on one rank.
  sparse::CsrView<double> rows_of(comm::DistCsr<double, Space> const& P) const;
  /// The ranks' parts to coarse_, with dropped unknowns decoupled.
  void add_up(Space const& space);
  /// Gives back what refresh makes anew.
  void return_temporaries();

  sparse::SpgemmMethod method_ = sparse::SpgemmMethod::hash;
  int vectors_ = 1;
  bool distributed_ = false;
  comm::ExtendedRows<double, Space> extended_P_;  ///< only when distributed
  BlockProduct<Space> blocks_;                    ///< only when in_blocks
  sparse::ChainPlan<double, Space> plan_;         ///< only when not in_blocks
  sparse::Transposed<double, Space> restriction_;
  /// P^T A P of this rank: rows as restriction_, columns as extended_P_. Only when distributed; else this is
  /// coarse_.
  sparse::Csr<double, Space> partial_;
  Array<Offset, Space> diagonal_;   ///< where coarse_ has it; a first refresh finds it
  CoarseAssembly<Space> assembly_;  ///< only when distributed
  comm::DistCsr<double, Space> coarse_;
};

}  // namespace Tessera::galerkin
