#pragma once
/// \file
/// The coarse matrix P^T A P over ranks.
#include "comm/ghost_rows.hpp"
#include "galerkin/coarse_assembly.hpp"
#include "galerkin/coarse_scale.hpp"
#include "galerkin/decoupling.hpp"
#include "sparse/engine/row_merge/operands.hpp"
#include "sparse/spgemm.hpp"
#include "sparse/transpose.hpp"

namespace Tessera::galerkin {

/// P^T A P. Exchanges ghost rows of P, multiplies on each rank, sends partial coarse rows to their owners,
/// who add them in rank order.
///
/// A column that tentative_prolongator dropped is a zero column of P and would leave a zero row and column
/// here. Such a coarse unknown is decoupled instead (decoupling.hpp), by constructor and refresh; where
/// scales are known, so is one whose row is zero to rounding.
template <class Space>
class TripleProduct {
 public:
  TripleProduct() = default;
  /// blocks: rows of P a vertex, which have one pattern, and columns of P an aggregate, which come together
  /// in P's rows. keep: patterns and slots, for refreshes; false: nothing but coarse() and restriction().
  /// Collective. The result's columns are stored in ascending order of their global index.
  TripleProduct(Space const& space, comm::DistCsr<double, Space> const& A,
                comm::DistCsr<double, Space> const& P, sparse::SpgemmMethod method,
                sparse::BlockShape const& blocks = {}, bool keep = false, Scales<Space> const& scales = {});

  /// New values of A and P on the same patterns: bitwise what the constructor would give. Collective. Only
  /// where it was to keep what this needs.
  void refresh(Space const& space, comm::DistCsr<double, Space> const& A,
               comm::DistCsr<double, Space> const& P, Scales<Space> const& scales = {});

  comm::DistCsr<double, Space>& coarse() { return coarse_; }
  comm::DistCsr<double, Space> const& coarse() const { return coarse_; }
  /// P^T of this rank: rows are P's local columns (owned, then ghosts), columns P's rows.
  sparse::Transposed<double, Space>& restriction() { return restriction_; }
  sparse::Transposed<double, Space> const& restriction() const { return restriction_; }
  std::size_t bytes() const;

 private:
  sparse::ChainOperands<Space> operands(comm::DistCsr<double, Space> const& A,
                                        comm::DistCsr<double, Space> const& P) const;
  /// Decouples dropped unknowns of coarse_, and gives back what refresh makes anew.
  void finish(Space const& space, Scales<Space> const& scales);

  sparse::SpgemmMethod method_ = sparse::SpgemmMethod::hash;
  sparse::BlockShape blocks_;
  bool distributed_ = false;
  comm::ExtendedRows<double, Space> extended_P_;  ///< P's rows that A's columns name; only when distributed
  sparse::ChainPlan<Space> plan_;
  sparse::Transposed<double, Space> restriction_;
  /// P^T A P of this rank: rows as restriction_, columns as extended_P_. Only when distributed; else this is
  /// coarse_.
  sparse::Csr<double, Space> partial_;
  Decoupling<Space> decoupling_;
  CoarseAssembly<Space> assembly_;  ///< only when distributed
  comm::DistCsr<double, Space> coarse_;
};

}  // namespace Tessera::galerkin
