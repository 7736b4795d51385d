#pragma once
/// \file
/// Matrix-based extended interpolation (Li, Sjogreen, Yang, "A new class of AMG interpolation methods based
/// on matrix-matrix multiplications", 2021, MM-ext).
#include "comm/ghost_rows.hpp"
#include "galerkin/energy_minimisation.hpp"
#include "sparse/engine/row_merge/product_plan.hpp"

namespace Tessera::galerkin {

/// Coarse vertices, and the entries of P's rows.
struct ClassicalParameters {
  double strong_threshold = 0.5;  ///< theta of aggregation::dependence()
  int most_entries = 4;           ///< of a row of P: the largest; 0: any number
  double truncation = 0;          ///< entries below this share of a row's largest leave it
};

/// Data of refreshes. The rows of the right operand are those of all columns of A.
template <class Space>
struct ClassicalPlan {
  Array<Index, Space> coarse;                  ///< coarse vertex of each local column of A, -1: fine
  comm::DistCsr<double, Space> sources;        ///< the right operand; values only while they are needed
  comm::ExtendedRows<double, Space> extended;  ///< the same with the rows of ghosts; only when distributed
  Array<Index, Space> column;  ///< P's columns as `extended` numbers them; only when distributed
  sparse::ProductPlan<Space> product;
  std::size_t bytes() const {
    return coarse.bytes() + sources.bytes() + extended.bytes() + column.bytes() + product.bytes();
  }
};

/// With F and C the fine and the coarse rows, strong entries A^s and weak ones A^w,
///
///     P_F = -(D_FF + D_gamma)^-1 (A_FF^s + D_beta) D_beta^-1 A_FC^s,   P_C = I,
///
/// D_beta = diag(A_FC^s 1), D_gamma = diag((A_FF^w + A_FC^w) 1). A strong fine neighbour without a strong
/// coarse one (D_beta = 0) counts as weak. P is one merge, whose rows are then truncated and scaled to the
/// row sums of the formula, so that row sums of P are 1 where those of A are 0. A fine vertex whose strong
/// neighbours reach no coarse vertex has an empty row.
///
/// strong: of A's entries, as aggregation::DependenceGraph has them. T: its aggregates are the coarse
/// vertices (aggregation::pmis()). ids: of the rows. reached: the pattern of P; found where it is empty, else
/// kept. plan: filled in unless null. Collective.
template <class Space>
comm::DistCsr<double, Space> classical_interpolation(
    Space const& space, comm::DistCsr<double, Space> const& A, Span<unsigned char const> strong,
    Tentative<Space> const& T, Span<VertexId const> ids, ClassicalParameters const& parameters,
    ReachedAggregates<Space>& reached, ClassicalPlan<Space>* plan = nullptr);

/// New values of A on the same pattern: bitwise the result of classical_interpolation with that pattern.
/// Collective.
template <class Space>
void refresh_classical_interpolation(Space const& space, comm::DistCsr<double, Space> const& A,
                                     Span<unsigned char const> strong, ClassicalPlan<Space>& plan,
                                     comm::DistCsr<double, Space>& P);

}  // namespace Tessera::galerkin
