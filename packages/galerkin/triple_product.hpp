#pragma once
/// \file
/// The coarse matrix P^T A P over ranks.
#include <cmath>

#include "comm/ghost_rows.hpp"
#include "galerkin/coarse_assembly.hpp"
#include "galerkin/decoupling.hpp"
#include "sparse/engine/row_merge/operands.hpp"
#include "sparse/spgemm.hpp"
#include "sparse/transpose.hpp"

namespace Tessera::galerkin {

/// P^T A P. Exchanges ghost rows of P, multiplies on each rank, and sends partial coarse rows to their
/// owners, which add them in rank order.
///
/// A column that tentative_prolongator dropped is a zero column of P, and would give a zero row and a zero
/// column here. Constructor and refresh decouple such a coarse unknown (decoupling.hpp). If scales are known,
/// they also decouple an unknown whose row is zero to rounding.
template <class Space>
class TripleProduct {
 public:
  TripleProduct() = default;
  /// blocks: rows of P per vertex, which share one pattern, and columns of P per aggregate, which are
  /// consecutive in the rows of P. keep: keeps patterns and scatter indices for refreshes; false: only
  /// coarse() and restriction() are available. Columns of the result ascend by global index. most: the
  /// largest number of entries of the product; if more are expected, too_many() returns the expected number
  /// and there is no product. keep_source: restriction() keeps its source. Collective.
  TripleProduct(Space const& space, comm::DistCsr<double, Space> const& A,
                comm::DistCsr<double, Space> const& P, sparse::SpgemmMethod method,
                sparse::BlockShape const& blocks = {}, bool keep = false, Scales<Space> const& scales = {},
                double most = HUGE_VAL, bool keep_source = false);

  /// New values of A and P on the same patterns: bitwise the result of the constructor. Requires keep.
  /// Collective.
  void refresh(Space const& space, comm::DistCsr<double, Space> const& A,
               comm::DistCsr<double, Space> const& P, Scales<Space> const& scales = {});

  /// The expected number of entries if it is too large; 0 if there is a product.
  double too_many() const { return too_many_; }
  comm::DistCsr<double, Space>& coarse() { return coarse_; }
  comm::DistCsr<double, Space> const& coarse() const { return coarse_; }
  /// P^T of this rank. Rows: local columns of P (owned, then ghosts). Columns: rows of P.
  sparse::Transposed<double, Space>& restriction() { return restriction_; }
  sparse::Transposed<double, Space> const& restriction() const { return restriction_; }
  std::size_t bytes() const;

 private:
  sparse::ChainOperands<Space> operands(comm::DistCsr<double, Space> const& A,
                                        comm::DistCsr<double, Space> const& P) const;
  /// Decouples dropped unknowns of coarse_, and releases data that a refresh recomputes.
  void finish(Space const& space, Scales<Space> const& scales);

  sparse::SpgemmMethod method_ = sparse::SpgemmMethod::hash;
  sparse::BlockShape blocks_;
  bool distributed_ = false;
  double too_many_ = 0;
  comm::ExtendedRows<double, Space> extended_P_;  ///< rows of P for A's columns; only when distributed
  sparse::ChainPlan<Space> plan_;
  sparse::Transposed<double, Space> restriction_;
  /// P^T A P of this rank: rows as in restriction_, columns as in extended_P_. Only when distributed; else
  /// coarse_ is used.
  sparse::Csr<double, Space> partial_;
  Decoupling<Space> decoupling_;
  CoarseAssembly<Space> assembly_;  ///< only when distributed
  comm::DistCsr<double, Space> coarse_;
};

}  // namespace Tessera::galerkin
