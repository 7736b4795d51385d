#pragma once
/// \file
/// Prolongators of small energy (Olson, Schroder, Tuminaro, "A general interpolation strategy for algebraic
/// multigrid using energy minimization", 2011).
#include "comm/dist_csr.hpp"
#include "galerkin/tentative.hpp"
#include "sparse/engine/row_merge/product_plan.hpp"

namespace Tessera::galerkin {

/// Reduces trace(P^T A P) among all P with the pattern of P and the product P B_coarse = B, by `steps`
/// iterations of conjugate gradients with D^-1 on all columns together (section 4 of the paper). Each step's
/// rows are projected onto the rows U_i with U_i B_coarse = 0. A row that reaches one aggregate keeps its
/// values, and so does a column where B_coarse is zero. P: from spread_tentative. T: its tentative
/// prolongator. diagonal: of A. The energy does not grow. plan: of A times matrices with P's pattern; made
/// if it is empty. Collective.
template <class Space>
void minimise_energy(Space const& space, comm::DistCsr<double, Space> const& A, Span<double const> diagonal,
                     Tentative<Space> const& T, int steps, sparse::ProductPlan<Space>& plan,
                     comm::DistCsr<double, Space>& P);

}  // namespace Tessera::galerkin
