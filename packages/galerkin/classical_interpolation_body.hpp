#pragma once
/// \file
/// MM-ext+i as a merge of rows of A_FC^s.
#include <cmath>
#include <utility>

#include "aggregation/coarse_rounding.hpp"
#include "aggregation/couplings.hpp"
#include "aggregation/ghosts.hpp"
#include "comm/communicator.hpp"
#include "core/parallel.hpp"
#include "galerkin/classical_interpolation.hpp"
#include "galerkin/local_aggregates.hpp"
#include "galerkin/truncated_product.hpp"
#include "sparse/engine/row_reduce.hpp"
#include "sparse/engine/row_select.hpp"

namespace Tessera::galerkin {

/// A with what is strong and what is coarse.
struct SplitMatrix {
  sparse::CsrView<double> A;
  unsigned char const* strong;
  Index const* coarse;  ///< of A's local columns; -1: fine
  TESSERA_HD bool is_coarse(Index i) const { return coarse[i] >= 0; }
  /// Entries of A_FC^s and of P_C = I.
  TESSERA_HD bool is_source(Index i, Offset k) const {
    Index const j = A.column[k];
    return is_coarse(j) & (strong[k] != 0) & ((j == i) | !is_coarse(i));
  }
};

struct SourceBody {
  SplitMatrix split;
  TESSERA_HD Offset begin(Index i) const { return split.A.offsets[i]; }
  TESSERA_HD Offset end(Index i) const { return split.A.offsets[i + 1]; }
  TESSERA_HD bool operator()(Index i, Offset k) const { return split.is_source(i, k); }
  TESSERA_HD void take(Index, Offset k, Index& column) const { column = split.coarse[split.A.column[k]]; }
};

/// The values of the right operand, and D_beta; 0 in coarse rows.
struct SourceValuesBody {
  SplitMatrix split;
  Offset const* offsets;
  double *value, *beta;
  TESSERA_HD void operator()(Index i) const {
    auto const& A = split.A;
    bool const coarse = split.is_coarse(i);
    Offset to = offsets[i];
    double sum = 0;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      if (!split.is_source(i, k)) continue;
      value[to++] = coarse ? 1.0 : A.value[k];
      sum += A.value[k];
    }
    beta[i] = coarse ? 0.0 : sum;
  }
};

/// f_ik: the share of a_ik that the fine vertex k passes back to i. 0 unless a_ik and beta_k are negative,
/// which a refresh may change: all of a_ik then stays at i, and none goes to coarse vertices.
TESSERA_HD inline double factor_of(double a, double beta) {
  return (a < 0) & (beta < 0) ? a / (a + beta) : 0.0;
}

/// Left operand: f_ik for the entries of A_FF^s, and 1 on the diagonal; of these vertices, null: of all.
struct ClassicalFactors {
  SplitMatrix split;
  double const* beta;  ///< of A's local columns
  Index const* vertex;
  Index count;

  struct Row {
    Index const* column;
    double const* value;
    unsigned char const* strong;
    Index const* coarse;
    Offset begin, end, at;
    Index home;
    double const* beta;
    static constexpr bool keeps_all = false;
    TESSERA_HD void move(Offset k) { at = k; }
    TESSERA_HD Index source() const { return column[at]; }
    TESSERA_HD bool keeps() const {
      Index const j = column[at];
      return (j == home) | ((strong[at] != 0) & (coarse[j] < 0) & (coarse[home] < 0));
    }
    TESSERA_HD double factor() const {
      Index const j = column[at];
      return j == home ? 1.0 : factor_of(value[at], beta[j]);
    }
  };
  TESSERA_HD Index rows() const { return count; }
  /// About as many.
  std::size_t entries() const { return split.A.rows == 0 ? 0 : split.A.column.size() / split.A.rows * count; }
  TESSERA_HD Row row(Index i) const {
    auto const& A = split.A;
    Index const v = vertex == nullptr ? i : vertex[i];
    auto const begin = A.offsets[v];
    return {
        A.column.data(), A.value.data(), split.strong, split.coarse, begin, A.offsets[v + 1], begin, v, beta};
  }
};

/// Sums of a row: of the entries that are interpolated from, directly or through a fine neighbour, of the
/// others, and of absolute values.
struct MovedTerm {
  SplitMatrix split;
  double const* beta;
  TESSERA_HD ThreeSums operator()(Index i, Offset k, double a, Index j) const {
    bool const strong = (j != i) & (split.strong[k] != 0);
    double const through = split.is_coarse(j) ? a : factor_of(a, beta[j]) * beta[j];
    double const moved = strong ? through : 0.0;
    return {moved, a - moved, fabs(a)};
  }
};

/// The row sums of P: -(moved) / rest, which is 1 where the row sum of A is zero to rounding. A
/// negative row sum of A (positive couplings make some) could leave a denominator near zero: P's is at
/// most 2.
struct RowSumOfP {
  Index const* coarse;
  double* sum;
  TESSERA_HD void operator()(Index i, ThreeSums const& row) const {
    auto const [moved, rest, absolute] = row;
    double const from = -moved;
    bool const is_zero = fabs(rest + moved) <= aggregation::negligible * absolute;
    double const by = rest > 0.5 * from ? rest : 0.5 * from;
    sum[i] = coarse[i] >= 0 ? 1.0 : from > 0 ? (is_zero ? 1.0 : from / by) : 0.0;
  }
};

/// The vertex and the id of each owned coarse vertex.
struct CoarseVertexBody {
  GlobalIndex const* coarse;
  GlobalIndex first;
  VertexId const* ids;
  Index* vertex;
  VertexId* id;
  TESSERA_HD void operator()(Index v) const {
    if (coarse[v] < 0) return;
    vertex[coarse[v] - first] = v;
    id[coarse[v] - first] = ids[v];
  }
};
template <class Space>
struct CoarseVertices {
  Array<Index, Space> vertex;
  Array<VertexId, Space> ids;
  CoarseVertices(Space const& space, Tentative<Space> const& T, Span<VertexId const> ids_of_all)
      : vertex(space, T.coarse_rows.local_size()), ids(space, T.coarse_rows.local_size()) {
    // In a saved setup whose bytes were changed, a number may have no vertex.
    core::fill(space, vertex.span(), Index{0});
    core::for_each(space, ids_of_all.size(),
                   CoarseVertexBody{T.aggregate.data(), T.coarse_rows.begin(), ids_of_all.data(),
                                    vertex.data(), ids.data()});
  }
};

/// One P with the operands of its merge.
template <class Space>
class ClassicalInterpolation {
 public:
  ClassicalInterpolation(Space const& space, comm::DistCsr<double, Space> const& A,
                         Span<unsigned char const> strong, ClassicalPlan<Space>& plan)
      : space_(space), A_(A), strong_(strong), plan_(plan), product_(space, A.halo, plan.merge) {}

  comm::DistCsr<double, Space> make(Tentative<Space> const& T, Span<VertexId const> ids,
                                    Tentative<Space> const* of, ClassicalParameters const& parameters,
                                    ReachedAggregates<Space>& reached, bool keep) {
    find_sources(T);
    Array<VertexId, Space> coarse_ids;
    comm::agree_on_errors(A_.rows.comm(), [&] {
      coarse_ids = CoarseVertices<Space>(space_, T, ids).ids;
      if (of != nullptr) plan_.vertex = CoarseVertices<Space>(space_, *of, ids).vertex;
    });
    auto const& rows = of == nullptr ? A_.rows : of->coarse_rows;
    plan_.rows = rows.local_size();
    comm::DistCsr<double, Space> P;
    if (reached.offsets.empty()) {
      P = product_.choose(rows, left(), coarse_ids.view(), parameters, reached);
      if (keep) product_.make_plan(left(), P);
    } else {
      P = product_.on_pattern(rows, left(), reached);
    }
    finish(P);
    return P;
  }
  /// For new values of A. Collective.
  void refresh(comm::DistCsr<double, Space>& P) {
    comm::agree_on_errors(A_.rows.comm(), [&] { set_values(); });
    aggregation::fetch_ghosts(space_, A_.halo, beta_);
    product_.refresh();
    product_.multiply(left(), P);
    finish(P);
  }

 private:
  /// The right operand. Collective.
  void find_sources(Tentative<Space> const& T) {
    auto const of_ghost = aggregates_of_ghosts(space_, A_.halo, T);
    auto const foreign = foreign_aggregates(space_, T, of_ghost);
    auto& B = plan_.merge.right;
    B.rows = A_.rows;
    comm::agree_on_errors(A_.rows.comm(), [&] {
      plan_.coarse = local_aggregates(space_, A_.local.rows, T, of_ghost, foreign);
      sparse::row_select(space_, A_.local.rows, A_.local.column.size(), SourceBody{split()}, B.local.offsets,
                         B.local.column);
      B.local.rows = A_.local.rows;
      B.local.columns = OwnAggregates<Space>(T).size() + static_cast<Index>(foreign.size());
      set_values();
    });
    aggregation::fetch_ghosts(space_, A_.halo, beta_);
    B.halo = columns_of_aggregates(space_, T, foreign);
    product_.fetch();
  }
  void set_values() {
    auto& B = plan_.merge.right.local;
    if (B.value.empty()) B.value = Array<double, Space>(space_, B.column.size());
    beta_ = aggregation::with_ghosts<double>(space_, A_.halo);
    core::for_each(space_, B.rows, SourceValuesBody{split(), B.offsets.data(), B.value.data(), beta_.data()});
  }
  void finish(comm::DistCsr<double, Space>& P) {
    comm::agree_on_errors(A_.rows.comm(), [&] {
      Array<double, Space> sum(space_, A_.local.rows);
      sparse::row_reduce(space_, A_.local.view(), MovedTerm{split(), beta_.data()},
                         RowSumOfP{plan_.coarse.data(), sum.data()});
      product_.finish(sum.data(), plan_.vertex.data(), P);
    });
  }
  SplitMatrix split() const { return {A_.local.view(), strong_.data(), plan_.coarse.data()}; }
  ClassicalFactors left() const { return {split(), beta_.data(), plan_.vertex.data(), plan_.rows}; }

  Space space_;
  comm::DistCsr<double, Space> const& A_;
  Span<unsigned char const> strong_;
  ClassicalPlan<Space>& plan_;
  TruncatedProduct<Space> product_;
  Array<double, Space> beta_;
};

template <class Space>
comm::DistCsr<double, Space> classical_interpolation(
    Space const& space, comm::DistCsr<double, Space> const& A, Span<unsigned char const> strong,
    Tentative<Space> const& T, Span<VertexId const> ids, ClassicalParameters const& parameters,
    ReachedAggregates<Space>& reached, ClassicalPlan<Space>* plan, Tentative<Space> const* of) {
  ClassicalPlan<Space> made;
  auto P = ClassicalInterpolation<Space>(space, A, strong, made)
               .make(T, ids, of, parameters, reached, plan != nullptr);
  if (plan != nullptr) *plan = std::move(made);
  return P;
}

template <class Space>
void refresh_classical_interpolation(Space const& space, comm::DistCsr<double, Space> const& A,
                                     Span<unsigned char const> strong, ClassicalPlan<Space>& plan,
                                     comm::DistCsr<double, Space>& P) {
  ClassicalInterpolation<Space>(space, A, strong, plan).refresh(P);
}

/// Row sums of P_1 P_2.
struct ProductSumBody {
  sparse::CsrView<double> P1, P2;
  double* sum;
  TESSERA_HD void operator()(Index i) const {
    double all = 0;
    for (Offset k = P1.offsets[i]; k < P1.offsets[i + 1]; ++k) {
      Index const c = P1.column[k];
      double of_row = 0;
      for (Offset l = P2.offsets[c]; l < P2.offsets[c + 1]; ++l) of_row += P2.value[l];
      all += P1.value[k] * of_row;
    }
    sum[i] = all;
  }
};

/// Scales the product and releases the values of its operands.
template <class Space>
void finish_product(Space const& space, TruncatedProduct<Space>& product, TwoStages<Space>& stages,
                    comm::DistCsr<double, Space>& P) {
  auto& P1 = stages.P1.local;
  comm::agree_on_errors(P.rows.comm(), [&] {
    Array<double, Space> sum(space, P1.rows);
    core::for_each(space, P1.rows, ProductSumBody{P1.view(), product.right(), sum.data()});
    product.finish(sum.data(), nullptr, P);
  });
  P1.value = {};
}

template <class Space>
comm::DistCsr<double, Space> two_stage_interpolation(
    Space const& space, comm::DistCsr<double, Space> const& A, Span<unsigned char const> strong,
    Tentative<Space> const& T, Span<VertexId const> ids, ClassicalParameters const& parameters,
    ReachedAggregates<Space>& reached, TwoStages<Space>& stages, bool keep) {
  auto const by = [&](int s, Tentative<Space> const& to, Tentative<Space> const* of) {
    return classical_interpolation(space, A, strong, to, ids, parameters, stages.reached[s],
                                   keep ? &stages.plan[s] : nullptr, of);
  };
  stages.P1 = by(0, stages.first, nullptr);
  stages.merge.right = by(1, T, &stages.first);
  TruncatedProduct<Space> product(space, stages.P1.halo, stages.merge);
  product.fetch();
  sparse::CsrFactors const P1{stages.P1.local.view()};
  comm::DistCsr<double, Space> P;
  if (reached.offsets.empty()) {
    Array<VertexId, Space> coarse_ids;
    comm::agree_on_errors(A.rows.comm(), [&] { coarse_ids = CoarseVertices<Space>(space, T, ids).ids; });
    P = product.choose(A.rows, P1, coarse_ids.view(), parameters, reached);
    if (keep) product.make_plan(P1, P);
  } else {
    P = product.on_pattern(A.rows, P1, reached);
  }
  finish_product(space, product, stages, P);
  if (!keep) stages.P1 = {}, stages.merge = {};
  return P;
}

template <class Space>
void refresh_two_stage_interpolation(Space const& space, comm::DistCsr<double, Space> const& A,
                                     Span<unsigned char const> strong, TwoStages<Space>& stages,
                                     comm::DistCsr<double, Space>& P) {
  comm::DistCsr<double, Space>* const stage[] = {&stages.P1, &stages.merge.right};
  comm::agree_on_errors(A.rows.comm(), [&] {
    for (auto* one : stage) one->local.value = Array<double, Space>(space, one->local.column.size());
  });
  for (int s = 0; s < 2; ++s) refresh_classical_interpolation(space, A, strong, stages.plan[s], *stage[s]);
  TruncatedProduct<Space> product(space, stages.P1.halo, stages.merge);
  product.refresh();
  product.multiply(sparse::CsrFactors{stages.P1.local.view()}, P);
  finish_product(space, product, stages, P);
}

}  // namespace Tessera::galerkin
