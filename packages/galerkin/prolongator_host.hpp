#pragma once
/// \file
/// The smoothed prolongator on the host, pattern and values in one pass.
#include "core/parallel.hpp"
#include "galerkin/aggregate_places.hpp"
#include "galerkin/filter.hpp"
#include "sparse/column_table_host.hpp"
#include "sparse/packed_rows_host.hpp"
#include "sparse/row_blocks_host.hpp"
#include "sparse/row_sort_host.hpp"

namespace Tessera::galerkin {

/// What rows of P are made of.
struct ProlongatorInput {
  sparse::CsrView<double> A;
  FilteredEntries entries;
  Span<double const> diagonal;
  Span<Index const> aggregate;    ///< of A's local columns
  Span<double const> own, ghost;  ///< rows of T
  AggregateOrder order;
  Index aggregates;  ///< local ones, ghosts included
  int equations, vectors;
  double omega;

  double const* tentative_row(Index column) const {
    auto const at = static_cast<Offset>(column);
    return column < A.rows ? own.data() + at * vectors : ghost.data() + (at - A.rows) * vectors;
  }
};

/// One thread's vertices. An aggregate gets a place, and sums, when it is first met; entries that are not in
/// A_F add zero to the vertex' own aggregate, which is met first: cheaper than a branch that nobody foresees,
/// and bitwise nothing, as no sum is -0.
template <class Places>
class ProlongatorWorker {
 public:
  ProlongatorWorker(ProlongatorInput const& input, sparse::PackedRows<double>& P)
      : in_(input), writer_(P, input.A.column.size() / 2), places_(input.aggregates) {}

  void operator()(Index begin, Index end) {
    int const equations = in_.equations;
    for (Index v = begin; v < end; ++v) {
      Index const row = v * equations;
      if (in_.aggregate[row] < 0) {
        for (int e = 0; e < equations; ++e) writer_.add(row + e, 0);
        continue;
      }
      auto const most = in_.A.offsets[row + equations] - in_.A.offsets[row] + 1;
      if (static_cast<std::size_t>(most) + 16 > aggregate_.size()) add_room(most);
      if constexpr (Places::wants_size) places_.start(v, std::min<Offset>(most, in_.aggregates));
      auto const count = sum_up(row);
      places_.finish(count);
      store(row, count);
    }
  }

 private:
  void add_room(Offset most) {
    auto const room = static_cast<std::size_t>(2 * most + 64);
    aggregate_ = Array<Index, Host>(Host{}, room);
    rank_ = Array<Index, Host>(Host{}, room);
    place_ = Array<Index, Host>(Host{}, room);
    sum_ = Array<double, Host>(Host{}, room * in_.equations * in_.vectors);
  }

  Index sum_up(Index first_row) {
    int const equations = in_.equations, m = in_.vectors;
    int const block = equations * m;
    auto const& A = in_.A;
    Index* const aggregate = aggregate_.data();
    double* const sum = sum_.data();
    Index const home = in_.aggregate[first_row];
    Index count = 1;
    auto const numbers = places_.numbers();
    aggregate[numbers.place(home, 0)] = home;
    for (int c = 0; c < 2 * block; ++c) sum[c] = 0;
    for (int e = 0; e < equations; ++e) {
      Index const i = first_row + e;
      double const d = in_.diagonal[i];
      bool const lumped = in_.entries.lumped[i] != 0;
      static constexpr unsigned char all = 1;
      unsigned char const* const strong = lumped ? in_.entries.strong.data() : &all;
      Offset const stride = lumped ? 1 : 0;
      auto const end = A.offsets[i + 1];
      for (Offset k = A.offsets[i]; k < end; ++k) {
        Index const j = A.column[k];
        Index const found = in_.aggregate[j];
        bool const is_diagonal = j == i;
        bool const keep = (found >= 0) & (is_diagonal | (strong[k * stride] != 0));
        double a = is_diagonal ? d : A.value[k];
        a = keep ? a : 0.0;
        Index const target = keep ? found : home;
        auto const place = numbers.place(target, count);
        aggregate[place] = target;
        double const* const t = in_.tentative_row(j);
        double* const here = sum + static_cast<Offset>(place) * block + e * m;
        for (int c = 0; c < m; ++c) here[c] += a * t[c];
        count += place == count ? 1 : 0;
        double* const next = sum + static_cast<Offset>(count) * block;
        for (int c = 0; place + 1 == count && c < block; ++c) next[c] = 0;
      }
    }
    return count;
  }

  void store(Index first_row, Index count) {
    int const equations = in_.equations, m = in_.vectors;
    for (Index s = 0; s < count; ++s) rank_[s] = in_.order.rank_of(aggregate_[s]);
    for (Index s = 0; s < count; ++s) place_[s] = s;
    order_.resize(2 * static_cast<std::size_t>(count) + 16);
    Index *const sorted = order_.data(), *const place = sorted + count + 8;
    sparse::hash::sort_row(count, rank_.data(), rank_.data(), place_.data(), sorted, place, scratch_);
    for (int e = 0; e < equations; ++e) {
      Index const i = first_row + e;
      double const factor = in_.omega / in_.diagonal[i];
      double const* const t = in_.tentative_row(i);
      auto const row = writer_.add(i, count * m);
      Index at = 0;
      for (Index s = 0; s < count; ++s) {
        Index const first = in_.order.local_of(sorted[s]) * m;
        double const* const sum = sum_.data() + (static_cast<Offset>(place[s]) * equations + e) * m;
        for (int c = 0; c < m; ++c, ++at) {
          row.column[at] = first + c;
          row.value[at] = (place[s] == 0 ? t[c] : 0.0) - factor * sum[c];
        }
      }
    }
  }

  ProlongatorInput in_;
  sparse::PackedWriter<double> writer_;
  Places places_;
  Array<Index, Host> aggregate_, rank_, place_;
  Array<double, Host> sum_;
  std::vector<Index> order_;
  sparse::hash::RowSort scratch_;
};

}  // namespace Tessera::galerkin
