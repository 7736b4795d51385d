#pragma once
/// \file
/// New values of the smoothed prolongator on the host: each entry's place in its row of P is known.
#include <algorithm>
#include <limits>

#include "galerkin/prolongator_body.hpp"
#include "sparse/product_lists_host.hpp"
#include "sparse/row_blocks_host.hpp"

namespace Tessera::galerkin {

/// Finds the places of some rows: a table tells those of the row's aggregates.
class PlaceFinder {
 public:
  PlaceFinder(sparse::CsrView<double> A, FilteredEntries const& entries, Span<Index const> aggregate,
              sparse::CsrView<double> P, ProlongatorPlan<Host>& plan)
      : A_(A), entries_(entries), aggregate_(aggregate), P_(P), plan_(plan), place_(Host{}, P.columns) {}

  void operator()(Index begin, Index end) {
    unsigned char* const place = plan_.place.data();
    for (Index i = begin; i < end; ++i) {
      auto const first = P_.offsets[i];
      auto const length = static_cast<Index>(P_.offsets[i + 1] - first);
      if (length == 0) continue;
      for (Index s = 0; s < length; ++s) place_[P_.column[first + s]] = static_cast<unsigned char>(s);
      Index const home = aggregate_[i];
      plan_.home[i] = place_[home];
      for (Offset k = A_.offsets[i]; k < A_.offsets[i + 1]; ++k) {
        Index const j = A_.column[k], a = aggregate_[j];
        auto const found = place_[a < 0 ? home : a];
        bool const keep = a >= 0 && entries_.keeps(i, j, k);
        place[k] = keep ? found : static_cast<unsigned char>(length);
      }
    }
  }

 private:
  sparse::CsrView<double> A_;
  FilteredEntries entries_;
  Span<Index const> aggregate_;  ///< of A's local columns
  sparse::CsrView<double> P_;
  ProlongatorPlan<Host>& plan_;
  Array<unsigned char, Host> place_;
};

/// Consecutive rows of P. What is not in A_F is summed behind the row.
struct RefreshRows {
  sparse::CsrView<double> A;
  Span<double const> diagonal;
  Span<double const> own, ghost;  ///< rows of T
  Span<unsigned char const> place, home;
  double omega;
  sparse::CsrView<double> P;
  Span<double> value;

  static constexpr Index block = sparse::hash::lists::block;
  static constexpr Index stretch = 4096;
  static constexpr Index most_entries = std::numeric_limits<unsigned char>::max();

  void operator()(Index number) const {
    auto const begin = number * stretch;
    auto const end = static_cast<Index>(std::min<std::int64_t>(A.rows, std::int64_t{begin} + stretch));
    double sum[most_entries + 1 + block];
    for (Index i = begin; i < end; ++i) {
      auto const first = P.offsets[i];
      auto const length = static_cast<Index>(P.offsets[i + 1] - first);
      if (length == 0) continue;
      for (Index s = 0; s <= length; s += block) {
        for (Index l = 0; l < block; ++l) sum[s + l] = 0;
      }
      add_up(i, sum);
      finish(i, length, first + length + block <= P.offsets[end], sum, value.data() + first);
    }
  }

 private:
  void add_up(Index i, double* __restrict sum) const {
    Index const* __restrict const column = A.column.data();
    double const* __restrict const entry = A.value.data();
    double const* __restrict const mine = own.data();
    double const* __restrict const others = ghost.data();
    unsigned char const* __restrict const where = place.data();
    double const d = diagonal[i];
    Index const owned = A.rows;
    auto const end = A.offsets[i + 1];
    for (Offset k = A.offsets[i]; k < end; ++k) {
      Index const j = column[k];
      double const a = j == i ? d : entry[k];
      sum[where[k]] += a * *(j < owned ? mine + j : others + (j - owned));
    }
  }
  /// in_blocks: a block more may be written, since the next rows come later.
  void finish(Index i, Index length, bool in_blocks, double const* __restrict sum,
              double* __restrict target) const {
    double const factor = omega / diagonal[i];
    Index const at_home = home[i];
    double const t = own[i];
    if (!in_blocks) {
      for (Index s = 0; s < length; ++s) target[s] = (s == at_home ? t : 0.0) - factor * sum[s];
      return;
    }
    for (Index s = 0; s < length; s += block) {
      for (Index l = 0; l < block; ++l) target[s + l] = (s + l == at_home ? t : 0.0) - factor * sum[s + l];
    }
  }
};

/// Whether the rows of P are short enough on all ranks. Collective.
inline bool numbered_by_bytes(Host const& space, comm::DistCsr<double, Host> const& P) {
  auto const offsets = P.local.offsets.view();
  auto const longest = core::reduce(
      space, P.local.rows, [=](Index i) { return offsets[i + 1] - offsets[i]; },
      [](Offset a, Offset b) { return std::max(a, b); }, Offset{0});
  return !P.rows.comm().any(longest > RefreshRows::most_entries);
}

inline ProlongatorPlan<Host> prolongator_plan(Host const& space, comm::DistCsr<double, Host> const& A,
                                              FilteredEntries const& entries, Tentative<Host> const& T,
                                              comm::DistCsr<double, Host> const& P) {
  ProlongatorPlan<Host> plan;
  plan.decided = true;
  if (T.equations != 1 || T.vectors != 1 || !numbered_by_bytes(space, P)) return plan;
  plan.has_places = true;
  auto const of_ghost = aggregates_of_ghosts(space, A.halo, T);
  comm::together(A.rows.comm(), [&] { plan.ghost = Array<double, Host>(space, A.halo.ghost_count()); });
  A.halo.exchange(space, T.value.view(), plan.ghost.span());
  comm::together(A.rows.comm(), [&] {
    auto const local = local_aggregates(space, A.local.rows, T, of_ghost, P.halo.ghosts());
    plan.place = Array<unsigned char, Host>(space, A.local.column.size());
    plan.home = Array<unsigned char, Host>(space, A.local.rows);
    sparse::for_row_blocks(A.local.rows, [&] {
      return PlaceFinder(A.local.view(), entries, local.view(), P.local.view(), plan);
    });
  });
  return plan;
}

}  // namespace Tessera::galerkin
