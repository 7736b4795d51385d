#pragma once
/// \file
/// The coarse matrix P^T A P over ranks.
#include "comm/ghost_rows.hpp"
#include "sparse/spgemm.hpp"
#include "sparse/transpose.hpp"

namespace Tessera::galerkin {

/// P^T A P with everything that its refresh needs. Exchanges ghost rows of P, multiplies on each rank, sends
/// partial coarse rows to their owners, who add them in rank order.
template <class Space>
class TripleProduct {
 public:
  TripleProduct() = default;
  /// Symbolic and numeric. Collective. The result's columns are sorted by global index.
  TripleProduct(Space const& space, comm::DistCsr<double, Space> const& A,
                comm::DistCsr<double, Space> const& P, sparse::SpgemmMethod method);

  /// New values of A and P on the same patterns: bitwise what the constructor would give. Collective.
  void refresh(Space const& space, comm::DistCsr<double, Space> const& A,
               comm::DistCsr<double, Space> const& P);

  comm::DistCsr<double, Space>& coarse() { return coarse_; }
  comm::DistCsr<double, Space> const& coarse() const { return coarse_; }
  /// P^T of this rank: rows are P's local columns (owned, then ghosts), columns P's rows.
  sparse::Transposed<double, Space> const& restriction() const { return restriction_; }
  std::size_t bytes() const;

 private:
  sparse::SpgemmMethod method_ = sparse::SpgemmMethod::hash;
  comm::ExtendedRows<double, Space> extended_P_;
  sparse::Csr<double, Space> AP_;
  sparse::Transposed<double, Space> restriction_;
  sparse::Csr<double, Space>
      partial_;  ///< P^T A P of this rank: rows as restriction_, columns as extended_P_
  comm::DistCsr<double, Space> coarse_;
};

}  // namespace Tessera::galerkin
