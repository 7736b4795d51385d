#pragma once
/// \file
/// Products over ranks.
#include "comm/communicator.hpp"
#include "comm/ghost_rows.hpp"
#include "fsai/congruence.hpp"
#include "galerkin/coarse_assembly.hpp"
#include "sparse/spgemm.hpp"
#include "sparse/transpose.hpp"

namespace Tessera::fsai {

/// G B, rows named as G's: rows of B that belong to G's ghosts are fetched. Collective.
template <class Space>
comm::DistCsr<double, Space> product(Space const& space, comm::DistCsr<double, Space> const& G,
                                     comm::DistCsr<double, Space> const& B) {
  comm::DistCsr<double, Space> C{G.rows, B.halo, {}, G.user_row};
  comm::ExtendedRows<double, Space> extended;
  bool const distributed = G.rows.comm().size() > 1;
  if (distributed) {
    extended = comm::extend_rows(space, B, G.halo);
    C.halo = extended.columns;
  }
  comm::agree_on_errors(G.rows.comm(), [&] {
    C.local = sparse::spgemm(space, G.local.view(), distributed ? extended.local.view() : B.local.view());
  });
  return C;
}

/// W^T: each rank transposes its rows, and entries go to the owners of their columns. Collective.
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
    galerkin::CoarseAssembly<Space>(space, W.halo, own_columns, own.view(), T);  // T.local
  }
  return T;
}

template <class Space>
comm::DistCsr<double, Space> congruence(Space const& space, comm::DistCsr<double, Space> const& G,
                                        comm::DistCsr<double, Space> const& A) {
  return product(space, G, transposed(space, product(space, G, A)));
}

}  // namespace Tessera::fsai
