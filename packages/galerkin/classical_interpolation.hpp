#pragma once
/// \file
/// Matrix-based extended interpolation (Li, Sjogreen, Yang, "A new class of AMG interpolation methods based
/// on matrix-matrix multiplications", 2021, MM-ext+i).
#include "comm/ghost_rows.hpp"
#include "galerkin/energy_minimisation.hpp"
#include "sparse/engine/row_merge/product_plan.hpp"

namespace Tessera::galerkin {

/// Coarse vertices, and the entries of P's rows.
struct ClassicalParameters {
  double strong_threshold = 0.35;  ///< theta of aggregation::dependence()
  int most_entries = 4;            ///< of a row of P: the largest; 0: any number
  double truncation = 0;           ///< entries below this share of a row's largest leave it
  int aggressive_levels = 0;       ///< levels, from the finest on, with two PMIS
};

/// Data of refreshes of a product with a truncated pattern. The right operand has rows for all columns of the
/// left one.
template <class Space>
struct TruncatedPlan {
  comm::DistCsr<double, Space> right;          ///< values only while they are needed
  comm::ExtendedRows<double, Space> extended;  ///< the same with the rows of ghosts; only when distributed
  Array<Index, Space> column;  ///< P's columns as `extended` numbers them; only when distributed
  sparse::ProductPlan<Space> product;
  std::size_t bytes() const { return right.bytes() + extended.bytes() + column.bytes() + product.bytes(); }
};

/// Data of refreshes.
template <class Space>
struct ClassicalPlan {
  Array<Index, Space> coarse;  ///< coarse vertex of each local column of A, -1: fine
  Array<Index, Space> vertex;  ///< of each row of P, if these are not all vertices
  Index rows = 0;
  TruncatedPlan<Space> merge;
  std::size_t bytes() const { return coarse.bytes() + vertex.bytes() + merge.bytes(); }
};

/// With F and C the fine and the coarse rows, strong entries A^s and weak ones A^w,
///
///     P_i = -(a_iC^s + sum_k f_ik a_kC^s) / (a_ii + a_i^w 1 + sum_k f_ik a_ik),   P_C = I,
///
/// f_ik = a_ik / (a_ki + beta_k) for the strong fine neighbours k of i, beta_k = a_kC^s 1: k passes a_ik to
/// its strong coarse neighbours and back to i. a_ki = a_ik, as A is symmetric. A neighbour without a strong
/// coarse one (beta_k = 0) counts as weak. P is one merge, whose rows are then truncated and scaled to the
/// row sums of the formula, so that row sums of P are 1 where those of A are 0. A fine vertex whose strong
/// neighbours reach no coarse vertex has an empty row.
///
/// strong: of A's entries, as aggregation::DependenceGraph has them. T: its aggregates are the coarse
/// vertices (aggregation::pmis()). ids: of the rows. reached: the pattern of P; found where it is empty, else
/// kept. plan: filled in unless null. of: P has rows for the coarse vertices of this T only; null: for all.
/// Collective.
template <class Space>
comm::DistCsr<double, Space> classical_interpolation(
    Space const& space, comm::DistCsr<double, Space> const& A, Span<unsigned char const> strong,
    Tentative<Space> const& T, Span<VertexId const> ids, ClassicalParameters const& parameters,
    ReachedAggregates<Space>& reached, ClassicalPlan<Space>* plan = nullptr,
    Tentative<Space> const* of = nullptr);

/// New values of A on the same pattern: bitwise the result of classical_interpolation with that pattern.
/// Collective.
template <class Space>
void refresh_classical_interpolation(Space const& space, comm::DistCsr<double, Space> const& A,
                                     Span<unsigned char const> strong, ClassicalPlan<Space>& plan,
                                     comm::DistCsr<double, Space>& P);

/// Interpolation after aggressive coarsening: coarse vertices of a first PMIS, and patterns of P_1 and P_2.
/// The other members are data of refreshes.
template <class Space>
struct TwoStages {
  Tentative<Space> first;
  ReachedAggregates<Space> reached[2];
  ClassicalPlan<Space> plan[2];
  comm::DistCsr<double, Space> P1;  ///< values only while they are needed
  TruncatedPlan<Space> merge;       ///< of P_1 P_2
  std::size_t bytes() const {
    return first.aggregate.bytes() + reached[0].bytes() + reached[1].bytes() + plan[0].bytes() +
           plan[1].bytes() + P1.bytes() + merge.bytes();
  }
};

/// P = P_1 P_2, truncated as its factors are. P_1 interpolates from the coarse vertices of stages.first. P_2
/// has these as rows, and interpolates them from those of T, which are some of them (a second pmis()): the
/// paper's two-stage interpolation. The other arguments are those of classical_interpolation(). Collective.
template <class Space>
comm::DistCsr<double, Space> two_stage_interpolation(
    Space const& space, comm::DistCsr<double, Space> const& A, Span<unsigned char const> strong,
    Tentative<Space> const& T, Span<VertexId const> ids, ClassicalParameters const& parameters,
    ReachedAggregates<Space>& reached, TwoStages<Space>& stages, bool keep);

/// The same for new values of A. Collective.
template <class Space>
void refresh_two_stage_interpolation(Space const& space, comm::DistCsr<double, Space> const& A,
                                     Span<unsigned char const> strong, TwoStages<Space>& stages,
                                     comm::DistCsr<double, Space>& P);

}  // namespace Tessera::galerkin
