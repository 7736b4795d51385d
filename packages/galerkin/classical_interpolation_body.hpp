#pragma once
/// \file
/// MM-ext as a merge of rows D_beta^-1 A_FC^s by rows A_FF^s + D_beta.
#include <cmath>
#include <utility>

#include "aggregation/coarse_rounding.hpp"
#include "aggregation/couplings.hpp"
#include "comm/communicator.hpp"
#include "comm/ghost_rows_body.hpp"
#include "core/hash.hpp"
#include "core/parallel.hpp"
#include "galerkin/classical_interpolation.hpp"
#include "galerkin/local_aggregates.hpp"
#include "sparse/engine/row_merge/row_merge.hpp"
#include "sparse/engine/row_reduce.hpp"
#include "sparse/engine/row_select.hpp"

namespace Tessera::galerkin {

/// A with what is strong and what is coarse.
struct SplitMatrix {
  sparse::CsrView<double> A;
  unsigned char const* strong;
  Index const* coarse;  ///< of A's local columns; -1: fine
  TESSERA_HD bool is_coarse(Index i) const { return coarse[i] >= 0; }
  /// Entries of D_beta^-1 A_FC^s and of P_C = I.
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

/// The values of the right operand, and the diagonal of the left one: D_beta, and 1 in coarse rows.
struct SourceValuesBody {
  SplitMatrix split;
  Offset const* offsets;
  double *value, *beta;
  TESSERA_HD void operator()(Index i) const {
    auto const& A = split.A;
    Offset to = offsets[i];
    double sum = 0;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      if (!split.is_source(i, k)) continue;
      value[to++] = A.value[k];
      sum += A.value[k];
    }
    bool const coarse = split.is_coarse(i);
    for (to = offsets[i]; to < offsets[i + 1]; ++to) value[to] = coarse ? 1.0 : value[to] / sum;
    beta[i] = coarse ? 1.0 : sum;
  }
};

/// Left operand: A_FF^s + D_beta, and I in coarse rows.
struct ClassicalFactors {
  SplitMatrix split;
  double const* beta;

  struct Row {
    Index const* column;
    double const* value;
    unsigned char const* strong;
    Index const* coarse;
    Offset begin, end, at;
    Index home;
    double diagonal;
    static constexpr bool keeps_all = false;
    TESSERA_HD void move(Offset k) { at = k; }
    TESSERA_HD Index source() const { return column[at]; }
    TESSERA_HD bool keeps() const {
      Index const j = column[at];
      return (j == home) | ((strong[at] != 0) & (coarse[j] < 0) & (coarse[home] < 0));
    }
    TESSERA_HD double factor() const {
      double const a = value[at];
      return column[at] == home ? diagonal : a;
    }
  };
  TESSERA_HD Index rows() const { return split.A.rows; }
  std::size_t entries() const { return split.A.column.size(); }
  TESSERA_HD Row row(Index i) const {
    auto const& A = split.A;
    auto const begin = A.offsets[i];
    return {A.column.data(), A.value.data(), split.strong, split.coarse, begin, A.offsets[i + 1], begin, i,
            beta[i]};
  }
};

/// Sums of a row: of the entries that are interpolated from, directly or through a fine neighbour, of the
/// others, and of absolute values.
struct MovedTerm {
  SplitMatrix split;
  Offset const* sources;  ///< offsets of the right operand
  TESSERA_HD ThreeSums operator()(Index i, Offset k, double a, Index j) const {
    bool const moved =
        (j != i) & (split.strong[k] != 0) & (split.is_coarse(j) | (sources[j + 1] > sources[j]));
    return {moved ? a : 0.0, moved ? 0.0 : a, fabs(a)};
  }
};

/// The row sums of P: -(moved) / (D_FF + D_gamma), which is 1 where the row sum of A is zero to rounding. A
/// negative row sum of A (positive couplings make some) could leave a denominator near zero: P's is at
/// most 2.
struct RowSumOfP {
  double* sum;
  TESSERA_HD void operator()(Index i, ThreeSums const& row) const {
    auto const [moved, rest, absolute] = row;
    double const from = -moved;
    bool const is_zero = fabs(rest + moved) <= aggregation::negligible * absolute;
    double const by = rest > 0.5 * from ? rest : 0.5 * from;
    sum[i] = from > 0 ? (is_zero ? 1.0 : from / by) : 0.0;
  }
};

/// Which entries stay in a row: an order of all, by coarsely rounded size and then by a hash of the coarse
/// vertex's id, so that neither the numbering nor the number of ranks matters.
struct EntryOrder {
  sparse::CsrView<double> merged;
  VertexId const* ids;  ///< of the merged columns
  struct Key {
    double size;
    std::uint64_t hash;
    TESSERA_HD bool operator<(Key const& other) const {
      return size < other.size || (size == other.size && hash < other.hash);
    }
  };
  TESSERA_HD Key key(Offset k) const {
    return {aggregation::coarsely_rounded(fabs(merged.value[k])), core::mix62(ids[merged.column[k]], 0)};
  }
};

/// The last entry that stays.
struct BoundBody {
  EntryOrder order;
  int most;
  double truncation;
  EntryOrder::Key* bound;
  TESSERA_HD void operator()(Index i) const {
    auto const begin = order.merged.offsets[i], end = order.merged.offsets[i + 1];
    EntryOrder::Key last{HUGE_VAL, 0};
    double least = 0;
    for (int taken = 0; taken < most || most == 0; ++taken) {
      EntryOrder::Key next{-1.0, 0};
      for (auto k = begin; k < end; ++k) {
        auto const key = order.key(k);
        if (key < last && next < key) next = key;
      }
      if (taken == 0) least = aggregation::coarsely_rounded(truncation * fabs(next.size));
      if (next.size < least) break;  // also where none is left
      last = next;
    }
    bound[i] = last;
  }
};

struct TruncateBody {
  EntryOrder order;
  EntryOrder::Key const* bound;
  Index owned;
  GlobalIndex first;
  GlobalIndex const* ghosts;
  TESSERA_HD Offset begin(Index i) const { return order.merged.offsets[i]; }
  TESSERA_HD Offset end(Index i) const { return order.merged.offsets[i + 1]; }
  TESSERA_HD bool operator()(Index i, Offset k) const { return !(order.key(k) < bound[i]); }
  TESSERA_HD void take(Index, Offset k, GlobalIndex& column, double& value) const {
    Index const j = order.merged.column[k];
    column = j < owned ? first + j : ghosts[j - owned];
    value = order.merged.value[k];
  }
};

/// Scales the entries of a row to its sum.
struct ScaleRowBody {
  Offset const* offsets;
  Index const* coarse;
  double const* sum;
  double* value;
  TESSERA_HD void operator()(Index i) const {
    double raw = 0;
    for (Offset k = offsets[i]; k < offsets[i + 1]; ++k) raw += value[k];
    for (Offset k = offsets[i]; k < offsets[i + 1]; ++k)
      value[k] = coarse[i] >= 0 ? 1.0 : raw == 0 ? 0.0 : value[k] / raw * sum[i];
  }
};

/// Ids of the owned coarse vertices.
struct CoarseIdBody {
  Index const* coarse;
  VertexId const* ids;
  VertexId* of_coarse;
  TESSERA_HD void operator()(Index i) const {
    if (coarse[i] >= 0) of_coarse[coarse[i]] = ids[i];
  }
};

/// One P with the operands of its merge.
template <class Space>
class ClassicalInterpolation {
 public:
  ClassicalInterpolation(Space const& space, comm::DistCsr<double, Space> const& A,
                         Span<unsigned char const> strong, ClassicalPlan<Space>& plan)
      : space_(space), A_(A), strong_(strong), plan_(plan) {}

  /// The right operand's pattern. Collective.
  void find_sources(Tentative<Space> const& T) {
    auto const of_ghost = aggregates_of_ghosts(space_, A_.halo, T);
    auto const foreign = foreign_aggregates(space_, T, of_ghost);
    auto& B = plan_.sources;
    B.rows = A_.rows;
    comm::agree_on_errors(A_.rows.comm(), [&] {
      plan_.coarse = local_aggregates(space_, A_.local.rows, T, of_ghost, foreign);
      sparse::row_select(space_, A_.local.rows, A_.local.column.size(), SourceBody{split()}, B.local.offsets,
                         B.local.column);
      B.local.rows = A_.local.rows;
      B.local.columns = OwnAggregates<Space>(T).size() + static_cast<Index>(foreign.size());
      set_values();
    });
    B.halo = columns_of_aggregates(space_, T, foreign);
    if (distributed()) plan_.extended = comm::extend_rows(space_, B, A_.halo);
  }
  /// Its values, for new ones of A. Collective.
  void refresh_sources() {
    comm::agree_on_errors(A_.rows.comm(), [&] { set_values(); });
    if (distributed()) comm::refresh_extended_rows(space_, plan_.sources, A_.halo, plan_.extended);
  }

  /// Finds the pattern of P; its values are those of the merge. Collective.
  Array<double, Space> choose(Span<VertexId const> ids, ClassicalParameters const& parameters,
                              ReachedAggregates<Space>& reached) {
    auto const& own = columns().distribution();
    Array<VertexId, Space> names;
    sparse::Csr<double, Space> merged;
    comm::agree_on_errors(A_.rows.comm(), [&] {
      merged = sparse::row_merge(space_, left(), right(), order());
      names = Array<VertexId, Space>(space_, merged.columns);
      core::for_each(space_, ids.size(), CoarseIdBody{plan_.coarse.data(), ids.data(), names.data()});
    });
    auto const owned = static_cast<std::size_t>(own.local_size());
    columns().exchange(space_, names.view().part(0, owned), names.span().part(owned, names.size() - owned));
    Array<double, Space> value;
    comm::agree_on_errors(A_.rows.comm(), [&] {
      EntryOrder const entries{merged.view(), names.data()};
      Array<EntryOrder::Key, Space> bound(space_, merged.rows);
      core::for_each(space_, bound.size(),
                     BoundBody{entries, parameters.most_entries, parameters.truncation, bound.data()});
      auto const ghosts = core::to_space(space_, columns().ghosts());
      Array<GlobalIndex, Space> global;
      sparse::row_select(space_, merged.rows, merged.column.size(),
                         TruncateBody{entries, bound.data(), own.local_size(), own.begin(), ghosts.data()},
                         reached.offsets, global, value);
      reached.foreign = comm::ghost_columns(space_, own, global.view());
      reached.aggregate = located(global.view(), own, reached.foreign);
    });
    return value;
  }

  /// P with that pattern, its values not set. Collective.
  comm::DistCsr<double, Space> like(ReachedAggregates<Space> const& reached, Tentative<Space> const& T) {
    comm::DistCsr<double, Space> P;
    P.rows = A_.rows;
    comm::agree_on_errors(A_.rows.comm(), [&] {
      auto& local = P.local;
      local.rows = A_.local.rows;
      local.columns = OwnAggregates<Space>(T).size() + static_cast<Index>(reached.foreign.size());
      local.offsets = core::copied(space_, reached.offsets.view(), space_);
      local.column = core::copied(space_, reached.aggregate.view(), space_);
    });
    P.halo = columns_of_aggregates(space_, T, reached.foreign);
    return P;
  }

  /// Where the products of a merge on P's pattern belong.
  void make_plan(comm::DistCsr<double, Space> const& P) {
    comm::agree_on_errors(A_.rows.comm(), [&] {
      if (distributed()) {
        Array<GlobalIndex, Space> global(space_, P.local.column.size());
        auto const ghosts = core::to_space(space_, P.halo.ghosts());
        auto const& own = P.columns();
        core::for_each(space_, global.size(),
                       comm::GlobalColumns{P.local.column.view(), own.local_size(), own.begin(),
                                           ghosts.view(), global.span()});
        plan_.column = located(global.view(), own, columns().ghosts());
      }
      plan_.product = sparse::product_plan(space_, left(), right(), masked(), 1, mask(P));
    });
  }
  /// The values of the merge on that pattern.
  void multiply(comm::DistCsr<double, Space>& P) {
    comm::agree_on_errors(A_.rows.comm(), [&] {
      sparse::refresh_merge(space_, left(), right(), masked(), plan_.product, mask(P), P.local.value.data());
    });
  }
  void scale(comm::DistCsr<double, Space>& P) {
    Array<double, Space> sum(space_, A_.local.rows);
    sparse::row_reduce(space_, A_.local.view(), MovedTerm{split(), sources().offsets.data()},
                       RowSumOfP{sum.data()});
    core::for_each(
        space_, sum.size(),
        ScaleRowBody{P.local.offsets.data(), plan_.coarse.data(), sum.data(), P.local.value.data()});
  }
  /// Frees what a refresh makes.
  void release_values() {
    plan_.sources.local.value = {};
    plan_.extended.release_rows();
  }

 private:
  bool distributed() const { return !A_.rows.on_one_rank_with(plan_.sources.columns()); }
  SplitMatrix split() const { return {A_.local.view(), strong_.data(), plan_.coarse.data()}; }
  ClassicalFactors left() const { return {split(), beta_.data()}; }
  sparse::CsrView<double> sources() const {
    return distributed() ? plan_.extended.local.view() : plan_.sources.local.view();
  }
  sparse::CsrSources<> right() const { return {sources()}; }
  comm::HaloPlan<Space> const& columns() const {
    return distributed() ? plan_.extended.columns : plan_.sources.halo;
  }
  GlobalOrder order() const { return {order_of(columns())}; }
  sparse::Masked<GlobalOrder> masked() const { return {order()}; }
  sparse::CsrView<double> mask(comm::DistCsr<double, Space> const& P) const {
    return {P.local.rows,
            sources().columns,
            P.local.offsets.view(),
            distributed() ? plan_.column.view() : P.local.column.view(),
            {}};
  }
  void set_values() {
    auto& B = plan_.sources.local;
    if (B.value.empty()) B.value = Array<double, Space>(space_, B.column.size());
    beta_ = Array<double, Space>(space_, B.rows);
    core::for_each(space_, beta_.size(),
                   SourceValuesBody{split(), B.offsets.data(), B.value.data(), beta_.data()});
  }
  Array<Index, Space> located(Span<GlobalIndex const> global, comm::Distribution const& own,
                              std::vector<GlobalIndex> const& ghosts) const {
    Array<Index, Space> column(space_, global.size());
    auto const all = core::to_space(space_, ghosts);
    core::for_each(space_, global.size(),
                   comm::LocateColumns{global, own.begin(), own.local_size(), all.view(), column.span()});
    return column;
  }

  Space space_;
  comm::DistCsr<double, Space> const& A_;
  Span<unsigned char const> strong_;
  ClassicalPlan<Space>& plan_;
  Array<double, Space> beta_;
};

template <class Space>
comm::DistCsr<double, Space> classical_interpolation(
    Space const& space, comm::DistCsr<double, Space> const& A, Span<unsigned char const> strong,
    Tentative<Space> const& T, Span<VertexId const> ids, ClassicalParameters const& parameters,
    ReachedAggregates<Space>& reached, ClassicalPlan<Space>* plan) {
  ClassicalPlan<Space> made;
  ClassicalInterpolation<Space> by(space, A, strong, made);
  by.find_sources(T);
  Array<double, Space> value;
  bool const known = !reached.offsets.empty();
  if (!known) value = by.choose(ids, parameters, reached);
  auto P = by.like(reached, T);
  P.local.value = std::move(value);
  if (known || plan != nullptr) by.make_plan(P);
  if (known) {
    comm::agree_on_errors(A.rows.comm(),
                          [&] { P.local.value = Array<double, Space>(space, P.local.column.size()); });
    by.multiply(P);
  }
  comm::agree_on_errors(A.rows.comm(), [&] { by.scale(P); });
  by.release_values();
  if (plan != nullptr) *plan = std::move(made);
  return P;
}

template <class Space>
void refresh_classical_interpolation(Space const& space, comm::DistCsr<double, Space> const& A,
                                     Span<unsigned char const> strong, ClassicalPlan<Space>& plan,
                                     comm::DistCsr<double, Space>& P) {
  ClassicalInterpolation<Space> by(space, A, strong, plan);
  by.refresh_sources();
  by.multiply(P);
  comm::agree_on_errors(A.rows.comm(), [&] { by.scale(P); });
  by.release_values();
}

}  // namespace Tessera::galerkin
