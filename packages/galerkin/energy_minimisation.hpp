#pragma once
/// \file
/// Prolongators of small energy (Olson, Schroder, Tuminaro, "A general interpolation strategy for algebraic
/// multigrid using energy minimization", 2011).
#include "comm/dist_csr.hpp"
#include "galerkin/tentative.hpp"
#include "sparse/engine/row_merge/product_plan.hpp"

namespace Tessera::galerkin {

/// Makes trace(P^T A P) small among all P that have this pattern and the P B_coarse = B that P has, by so
/// many steps of conjugate gradients with D^-1 on all columns together (section 4 of the paper; each step's
/// rows are projected onto the rows U_i with U_i B_coarse = 0). A row that reaches one aggregate keeps its
/// values, so do columns where B_coarse is zero. P: of spread_tentative, T: its tentative prolongator;
/// diagonal: A's. The energy does not grow. plan: of A times matrices with P's pattern; made unless found.
/// Collective.
template <class Space>
void minimise_energy(Space const& space, comm::DistCsr<double, Space> const& A, Span<double const> diagonal,
                     Tentative<Space> const& T, int steps, sparse::ProductPlan<Space>& plan,
                     comm::DistCsr<double, Space>& P);

}  // namespace Tessera::galerkin
