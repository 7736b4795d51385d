#pragma once
/// \file
/// Products, transposes and congruences of distributed matrices.
#include "comm/ghost_rows.hpp"
#include "galerkin/coarse_assembly.hpp"
#include "sparse/spgemm.hpp"
#include "sparse/transpose.hpp"

namespace Tessera::galerkin {

/// A B with the global row ids of A. It fetches the rows of B for A's ghosts. multiply(A, B, halo) is the
/// product on this rank. halo: of the result's columns. Collective.
template <class Space, class Multiply>
comm::DistCsr<double, Space> product(Space const& space, comm::DistCsr<double, Space> const& A,
                                     comm::DistCsr<double, Space> const& B, Multiply const& multiply) {
  comm::DistCsr<double, Space> C{A.rows, B.halo, {}, A.user_row};
  comm::ExtendedRows<double, Space> extended;
  bool const distributed = !A.rows.on_one_rank_with(B.columns());
  if (distributed) {
    extended = comm::extend_rows(space, B, A.halo);
    extended.connect_columns(space);
    C.halo = extended.columns;
  }
  comm::agree_on_errors(A.rows.comm(), [&] {
    C.local = multiply(A.local.view(), distributed ? extended.local.view() : B.local.view(), C.halo);
  });
  return C;
}

/// W^T. Each rank transposes its rows and sends the entries to the owners of their columns. Collective.
template <class Space>
comm::DistCsr<double, Space> transposed(Space const& space, comm::DistCsr<double, Space> const& W) {
  auto const& comm = W.rows.comm();
  comm::DistCsr<double, Space> T{W.columns(), comm::HaloPlan<Space>(space, W.rows, {}), {}};
  sparse::Csr<double, Space> own;
  comm::agree_on_errors(comm, [&] { own = sparse::transpose(space, W.local.view()).matrix; });
  if (comm.size() == 1) {
    T.local = std::move(own);
  } else {
    auto const own_columns = T.halo;
    CoarseAssembly<Space>(space, W.halo, own_columns, own.view(), {}, T);  // T.local
  }
  return T;
}

/// G A G^T for symmetric A, on the pattern of the product of patterns; G and A have the same distribution.
/// Computed as G W^T with W = G A: both sums run along the stored rows of G, so that values are bitwise the
/// same on any number of ranks. Collective.
template <class Space>
comm::DistCsr<double, Space> congruence(Space const& space, comm::DistCsr<double, Space> const& G,
                                        comm::DistCsr<double, Space> const& A) {
  auto const times = [&](comm::DistCsr<double, Space> const& B) {
    return product(space, G, B,
                   [&](auto left, auto right, auto const&) { return sparse::spgemm(space, left, right); });
  };
  return times(transposed(space, times(A)));
}

}  // namespace Tessera::galerkin
