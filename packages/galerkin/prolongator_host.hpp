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
/// and bitwise nothing, as no sum is -0. Width: equations and vectors when both are one, else 0.
template <int Width, class Places>
class ProlongatorWorker {
 public:
  ProlongatorWorker(ProlongatorInput const& input, sparse::PackedRows<double>& P)
      : in_(input), writer_(P, input.A.column.size() / 2), places_(input.aggregates) {}

  void operator()(Index begin, Index end) {
    int const equations = Width > 0 ? 1 : in_.equations;
    for (Index v = begin; v < end; ++v) {
      Index const row = v * equations;
      if (in_.aggregate[row] < 0) {
        for (int e = 0; e < equations; ++e) writer_.add(row + e, 0);
        continue;
      }
      auto const most = in_.A.offsets[row + equations] - in_.A.offsets[row] + 1;
      if (static_cast<std::size_t>(most) + 16 > aggregate_.size()) add_room(most);
      if constexpr (Places::wants_size) places_.start(v, std::min<Offset>(most, in_.aggregates));
      auto const count = Width > 0 ? sum_up_one(row) : sum_up(row);
      places_.finish(count);
      store(row, count);
    }
  }

 private:
  void add_room(Offset most) {
    auto const room = static_cast<std::size_t>(2 * most + 64);
    aggregate_ = Array<Index, Host>(Host{}, room);
    rank_ = Array<Index, Host>(Host{}, room);
    target_ = Array<Index, Host>(Host{}, room);
    product_ = Array<double, Host>(Host{}, room);
    place_ = Array<Index, Host>(Host{}, room);
    sum_ = Array<double, Host>(Host{}, room * in_.equations * in_.vectors);
  }

  /// Of one equation and vector: products are listed, then summed.
  Index sum_up_one(Index i) {
    auto const listed = list_products(in_, i, target_.data(), product_.data());
    return sparse::hash::lists::merge<true>(listed, target_.data(), product_.data(),
                                            static_cast<double const*>(nullptr), places_.numbers(), 0,
                                            aggregate_.data(), sum_.data());
  }
  static Index list_products(ProlongatorInput const& in, Index i, Index* __restrict target,
                             double* __restrict product) {
    Offset const* __restrict const offsets = in.A.offsets.data();
    Index const* __restrict const column = in.A.column.data();
    double const* __restrict const value = in.A.value.data();
    Index const* __restrict const aggregate = in.aggregate.data();
    double const* __restrict const own = in.own.data();
    double const* __restrict const ghost = in.ghost.data();
    static constexpr unsigned char all = 1;
    bool const lumped = in.entries.lumped[i] != 0;
    unsigned char const* __restrict const strong = lumped ? in.entries.strong.data() : &all;
    Offset const stride = lumped ? 1 : 0;
    Index const home = aggregate[i], owned = in.A.rows;
    double const d = in.diagonal[i];
    target[0] = home;
    product[0] = 0;
    Index listed = 1;
    for (Offset k = offsets[i]; k < offsets[i + 1]; ++k, ++listed) {
      Index const j = column[k], found = aggregate[j];
      bool const is_diagonal = j == i;
      bool const keep = (found >= 0) & (is_diagonal | (strong[k * stride] != 0));
      double const a = is_diagonal ? d : value[k];
      target[listed] = keep ? found : home;
      product[listed] = (keep ? a : 0.0) * *(j < owned ? own + j : ghost + (j - owned));
    }
    return listed;
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
    int const equations = Width > 0 ? 1 : in_.equations, m = Width > 0 ? 1 : in_.vectors;
    for (Index s = 0; s < count; ++s) rank_[s] = in_.order.rank_of(aggregate_[s]);
    if (Width > 0) {
      double const factor = in_.omega / in_.diagonal[first_row];
      double* const value = sum_.data();
      double const t = in_.own[first_row];
      for (Index s = 0; s < count; ++s) value[s] = (s == 0 ? t : 0.0) - factor * value[s];
      auto const row = writer_.add(first_row, count);
      sparse::hash::sort_row(count, rank_.data(), value, row.column, row.value, scratch_);
      for (Index s = 0; s < count; ++s) row.column[s] = in_.order.local_of(row.column[s]);
      return;
    }
    for (Index s = 0; s < count; ++s) place_[s] = s;
    order_.resize(2 * static_cast<std::size_t>(count) + 16);
    Index *const sorted = order_.data(), *const place = sorted + count + 8;
    sparse::hash::sort_row(count, rank_.data(), place_.data(), sorted, place, scratch_);
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
  Array<Index, Host> aggregate_, rank_, place_, target_;
  Array<double, Host> sum_, product_;
  std::vector<Index> order_;
  sparse::hash::RowSort scratch_;
};

template <int Width>
void fill_rows(ProlongatorInput const& input, sparse::PackedRows<double>& P) {
  Index const vertices = input.A.rows / input.equations;
  if (sparse::hash::dense_tables(input.aggregates)) {
    sparse::for_row_blocks(vertices,
                           [&] { return ProlongatorWorker<Width, sparse::hash::DensePlaces>(input, P); });
  } else {
    sparse::for_row_blocks(vertices,
                           [&] { return ProlongatorWorker<Width, sparse::hash::HashedPlaces>(input, P); });
  }
}

inline sparse::Csr<double, Host> prolongator_rows(Host const& space, ProlongatorInput const& input) {
  sparse::PackedRows<double> P;
  P.reset(input.A.rows, input.aggregates * input.vectors);
  if (input.equations == 1 && input.vectors == 1) {
    fill_rows<1>(input, P);
  } else {
    fill_rows<0>(input, P);
  }
  return sparse::to_csr(space, P);
}

}  // namespace Tessera::galerkin
