#pragma once
/// \file
/// The smoothed prolongator on the host for one equation and one vector.
#include <atomic>

#include "galerkin/prolongator_host.hpp"
#include "sparse/row_sums_host.hpp"

namespace Tessera::galerkin {

/// One thread's vertices: products are listed, then summed by aggregate.
template <class Sums>
class ScalarProlongatorWorker {
 public:
  ScalarProlongatorWorker(ProlongatorInput const& input, sparse::PackedRows<double>& P)
      : in_(input), writer_(P, input.A.column.size() / 2), sums_(input.aggregates) {
    add_room(0);
  }

  void operator()(Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      if (in_.aggregate[i] < 0) {
        writer_.add(i, 0);
        continue;
      }
      auto const most = in_.A.offsets[i + 1] - in_.A.offsets[i] + 1;
      if (static_cast<std::size_t>(most) + few > aggregate_.size()) add_room(most);
      if constexpr (Sums::wants_size) sums_.start(i, std::min<Offset>(most, in_.aggregates));
      auto const listed = list_products(in_, i, target_.data(), product_.data());
      auto const count = sparse::hash::add_products<true>(listed, target_.data(), product_.data(),
                                                          static_cast<double const*>(nullptr), sums_.row(i),
                                                          0, aggregate_.data());
      store(i, count);
    }
  }

 private:
  static constexpr int few = 8;  ///< what is done for all at once

  void add_room(Offset most) {
    auto const room = static_cast<std::size_t>(2 * most + 64);
    aggregate_ = Array<Index, Host>(Host{}, room);
    rank_ = Array<Index, Host>(Host{}, room);
    target_ = Array<Index, Host>(Host{}, room);
    product_ = Array<double, Host>(Host{}, room);
    sum_ = Array<double, Host>(Host{}, room);
    std::fill(aggregate_.begin(), aggregate_.end(), 0);
    std::fill(sum_.begin(), sum_.end(), 0.0);
  }

  /// A_F's entries times T's rows, by aggregate; the vertex' own aggregate comes first, with zero. Without
  /// branches, which nobody foresees: what is not in A_F is written over, unless the whole row is.
  static Index list_products(ProlongatorInput const& in, Index i, Index* __restrict target,
                             double* __restrict product) {
    Index const* __restrict const column = in.A.column.data();
    double const* __restrict const value = in.A.value.data();
    Index const* __restrict const aggregate = in.aggregate.data();
    double const* __restrict const own = in.own.data();
    double const* __restrict const ghost = in.ghost.data();
    unsigned char const* __restrict const strong = in.entries.strong.data();
    Index const owned = in.A.rows, home = aggregate[i];
    double const d = in.diagonal[i];
    auto const begin = in.A.offsets[i], end = in.A.offsets[i + 1];
    auto const term = [=](Offset k, Index j) {
      return (j == i ? d : value[k]) * *(j < owned ? own + j : ghost + (j - owned));
    };
    target[0] = home;
    product[0] = 0;
    Index listed = 1;
    if (in.entries.lumped[i] == 0) {
      for (Offset k = begin; k < end; ++k, ++listed) {
        Index const j = column[k], found = aggregate[j];
        target[listed] = found < 0 ? home : found;
        product[listed] = found < 0 ? 0.0 : term(k, j);
      }
    } else {
      for (Offset k = begin; k < end; ++k) {
        Index const j = column[k], found = aggregate[j];
        target[listed] = found;
        product[listed] = term(k, j);
        listed += (found >= 0) & ((j == i) | (strong[k] != 0)) ? 1 : 0;
      }
    }
    return listed;
  }

  /// T_i - omega / d_i (A_F T)_i in the order of global numbers.
  void store(Index i, Index count) {
    double const factor = in_.omega / in_.diagonal[i], t = in_.own[i];
    if (count < few) return store_few(i, count, factor, t);
    sums_.take(count, aggregate_.data(), sum_.data());
    for (Index s = 0; s < count; ++s) rank_[s] = in_.order.rank_of(aggregate_[s]);
    for (Index s = 0; s < count; ++s) sum_[s] = (s == 0 ? t : 0.0) - factor * sum_[s];
    auto const row = writer_.add(i, count);
    sparse::hash::sort_row(count, rank_.data(), aggregate_.data(), sum_.data(), row.column, row.value,
                           scratch_);
  }
  /// A constant number at once, so that no loop ends unforeseen.
  void store_few(Index i, Index count, double factor, double t) {
    Index const* __restrict const aggregate = aggregate_.data();
    auto const order = in_.order;
    alignas(64) Index rank[few];
    alignas(64) double value[few];
    sums_.take(count, aggregate, value);
    for (int s = 0; s < few; ++s) rank[s] = order.rank_of(aggregate[s]);
    for (int s = 0; s < few; ++s) value[s] = (s == 0 ? t : 0.0) - factor * value[s];
    auto const row = writer_.add(i, count);
    sparse::hash::rank_few(count, rank, aggregate, value, row.column, row.value);
  }

  ProlongatorInput in_;
  sparse::PackedWriter<double> writer_;
  Sums sums_;
  Array<Index, Host> aggregate_, rank_, target_;
  Array<double, Host> sum_, product_;
  sparse::hash::RowSort scratch_;
};

template <template <class> class Worker, class Dense, class Hashed>
void fill_rows(ProlongatorInput const& input, sparse::PackedRows<double>& P) {
  Index const vertices = input.A.rows / input.equations;
  if (sparse::hash::dense_tables(input.aggregates)) {
    sparse::for_row_blocks(vertices, [&] { return Worker<Dense>(input, P); });
  } else {
    sparse::for_row_blocks(vertices, [&] { return Worker<Hashed>(input, P); });
  }
}

inline sparse::Csr<double, Host> prolongator_rows(Host const& space, ProlongatorInput const& input) {
  using namespace sparse::hash;
  sparse::PackedRows<double> P;
  P.reset(input.A.rows, input.aggregates * input.vectors);
  if (input.equations == 1 && input.vectors == 1) {
    fill_rows<ScalarProlongatorWorker, DenseRowSums<double>, HashedRowSums<double>>(input, P);
  } else {
    fill_rows<ProlongatorWorker, DensePlaces, HashedPlaces>(input, P);
  }
  return sparse::to_csr(space, P);
}

}  // namespace Tessera::galerkin
