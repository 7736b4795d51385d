#pragma once
/// \file
/// A product of which the largest entries of each row stay, scaled to the row's sum.
#include <cmath>
#include <utility>
#include <vector>

#include "aggregation/coarse_rounding.hpp"
#include "comm/communicator.hpp"
#include "comm/ghost_rows_body.hpp"
#include "core/hash.hpp"
#include "core/parallel.hpp"
#include "galerkin/classical_interpolation.hpp"
#include "galerkin/local_aggregates.hpp"
#include "sparse/engine/row_merge/row_merge.hpp"
#include "sparse/engine/row_select.hpp"

namespace Tessera::galerkin {

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
  double const* sum;
  Index const* vertex;  ///< of each row; null: the row's own number
  double* value;
  TESSERA_HD void operator()(Index i) const {
    double raw = 0;
    for (Offset k = offsets[i]; k < offsets[i + 1]; ++k) raw += value[k];
    double const to = sum[vertex == nullptr ? i : vertex[i]];
    for (Offset k = offsets[i]; k < offsets[i + 1]; ++k) value[k] = raw == 0 ? 0.0 : value[k] / raw * to;
  }
};

/// The product of a left operand of merges and plan.right, and where its terms belong.
template <class Space>
class TruncatedProduct {
 public:
  /// halo: of the left operand's columns, whose rows of the right operand are fetched.
  TruncatedProduct(Space const& space, comm::HaloPlan<Space> const& halo, TruncatedPlan<Space>& plan)
      : space_(space), halo_(halo), plan_(plan) {}

  /// Fetches rows of the right operand; afterwards their values only. Collective.
  void fetch() {
    if (!distributed()) return;
    plan_.extended = comm::extend_rows(space_, plan_.right, halo_);
    plan_.extended.connect_columns(space_);
  }
  void refresh() {
    if (distributed()) comm::refresh_extended_rows(space_, plan_.right, halo_, plan_.extended);
  }
  sparse::CsrView<double> right() const {
    return distributed() ? plan_.extended.local.view() : plan_.right.local.view();
  }

  /// P with pattern and values of the product, of which the largest entries stay. ids: of the owned columns.
  /// Collective.
  template <class Left>
  comm::DistCsr<double, Space> choose(comm::Distribution const& rows, Left const& left,
                                      Span<VertexId const> ids, ClassicalParameters const& parameters,
                                      ReachedAggregates<Space>& reached) {
    auto const& own = columns().distribution();
    auto const owned = static_cast<std::size_t>(own.local_size());
    Array<VertexId, Space> all_ids;
    sparse::Csr<double, Space> merged;
    comm::agree_on_errors(rows.comm(), [&] {
      merged = sparse::row_merge(space_, left, operand(), order());
      all_ids = Array<VertexId, Space>(space_, merged.columns);
      core::copy(space_, ids, space_, all_ids.span().part(0, owned));
    });
    columns().exchange(space_, ids, all_ids.span().part(owned, all_ids.size() - owned));
    Array<double, Space> value;
    comm::agree_on_errors(rows.comm(), [&] {
      EntryOrder const entries{merged.view(), all_ids.data()};
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
    return with_pattern(rows, reached, std::move(value));
  }
  /// P with that pattern, its values those of the product. Collective.
  template <class Left>
  comm::DistCsr<double, Space> on_pattern(comm::Distribution const& rows, Left const& left,
                                          ReachedAggregates<Space> const& reached) {
    Array<double, Space> value;
    comm::agree_on_errors(rows.comm(),
                          [&] { value = Array<double, Space>(space_, reached.aggregate.size()); });
    auto P = with_pattern(rows, reached, std::move(value));
    make_plan(left, P);
    multiply(left, P);
    return P;
  }
  /// Where the terms of the product belong in P. Collective.
  template <class Left>
  void make_plan(Left const& left, comm::DistCsr<double, Space> const& P) {
    comm::agree_on_errors(P.rows.comm(), [&] {
      if (distributed()) {
        Array<GlobalIndex, Space> global(space_, P.local.column.size());
        auto const ghosts = core::to_space(space_, P.halo.ghosts());
        auto const& own = P.columns();
        core::for_each(space_, global.size(),
                       comm::GlobalColumns{P.local.column.view(), own.local_size(), own.begin(),
                                           ghosts.view(), global.span()});
        plan_.column = located(global.view(), own, columns().ghosts());
      }
      plan_.product = sparse::product_plan(space_, left, operand(), masked(), 1, mask(P));
    });
  }
  /// The values of the product on P's pattern.
  template <class Left>
  void multiply(Left const& left, comm::DistCsr<double, Space>& P) {
    comm::agree_on_errors(P.rows.comm(), [&] {
      sparse::refresh_merge(space_, left, operand(), masked(), plan_.product, mask(P), P.local.value.data());
    });
  }
  /// Scales P's rows to these sums of vertices, and frees what a refresh makes. vertex: as in ScaleRowBody.
  void finish(double const* sum, Index const* vertex, comm::DistCsr<double, Space>& P) {
    core::for_each(space_, P.local.rows,
                   ScaleRowBody{P.local.offsets.data(), sum, vertex, P.local.value.data()});
    plan_.right.local.value = {};
    plan_.extended.release_rows();
  }

 private:
  bool distributed() const { return !halo_.distribution().on_one_rank_with(plan_.right.columns()); }
  sparse::CsrSources<> operand() const { return {right()}; }
  comm::HaloPlan<Space> const& columns() const {
    return distributed() ? plan_.extended.columns : plan_.right.halo;
  }
  GlobalOrder order() const { return {order_of(columns())}; }
  sparse::Masked<GlobalOrder> masked() const { return {order()}; }
  sparse::CsrView<double> mask(comm::DistCsr<double, Space> const& P) const {
    return {P.local.rows,
            right().columns,
            P.local.offsets.view(),
            distributed() ? plan_.column.view() : P.local.column.view(),
            {}};
  }
  comm::DistCsr<double, Space> with_pattern(comm::Distribution const& rows,
                                            ReachedAggregates<Space> const& reached,
                                            Array<double, Space> value) {
    auto const& own = plan_.right.columns();
    comm::DistCsr<double, Space> P;
    P.rows = rows;
    P.local.value = std::move(value);
    comm::agree_on_errors(rows.comm(), [&] {
      P.local.rows = rows.local_size();
      P.local.columns = own.local_size() + static_cast<Index>(reached.foreign.size());
      P.local.offsets = core::copied(space_, reached.offsets.view(), space_);
      P.local.column = core::copied(space_, reached.aggregate.view(), space_);
    });
    P.halo = comm::HaloPlan<Space>(space_, own, reached.foreign);
    return P;
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
  comm::HaloPlan<Space> const& halo_;
  TruncatedPlan<Space>& plan_;
};

}  // namespace Tessera::galerkin
