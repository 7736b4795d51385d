#pragma once
/// \file
/// Rows into the slots of a Sell: slot by slot, and how the host does the same by windows and chunks.
#include <algorithm>
#include <vector>

#include "core/parallel.hpp"
#include "sparse/csr.hpp"
#include "sparse/sell.hpp"

namespace Tessera::sparse {

/// Slot -> row before sorting: the list, or all rows when it is null; -1 behind them.
struct ListedRow {
  Index const* list;
  Index count;
  TESSERA_HD Index operator()(Index slot) const {
    if (slot >= count) return -1;
    return list == nullptr ? slot : list[slot];
  }
};

/// Places the row of one unsorted slot: behind the longer ones of its window and those as long before it.
struct SortInWindowBody {
  Index const* length;
  ListedRow listed;
  Index slots, sigma;
  Index* row;
  Index* sorted_length;
  TESSERA_HD void operator()(Index slot) const {
    auto const begin = slot / sigma * sigma;
    auto const end = begin + sigma < slots ? begin + sigma : slots;
    auto const mine = length[slot];
    Index before = 0;
    for (Index s = begin; s < slot; ++s) before += length[s] >= mine ? 1 : 0;
    for (Index s = slot + 1; s < end; ++s) before += length[s] > mine ? 1 : 0;
    row[begin + before] = listed(slot);
    sorted_length[begin + before] = mine;
  }
};

template <class Space>
void sort_in_windows(Space const& space, SortInWindowBody const& body) {
  core::for_each(space, body.slots, body);
}

/// By counting: a tenth of the time.
inline void sort_in_windows(Host const& space, SortInWindowBody const& body) {
  auto const windows = (body.slots + body.sigma - 1) / body.sigma;
  core::for_each(space, windows, [body](Index w) {
    auto const begin = w * body.sigma, end = std::min(begin + body.sigma, body.slots);
    auto const longest = *std::max_element(body.length + begin, body.length + end);
    std::vector<Index> next(static_cast<std::size_t>(longest) + 2, 0);  // by length, descending
    for (Index s = begin; s < end; ++s) ++next[longest - body.length[s] + 1];
    next[0] = begin;
    for (Index l = 0; l < longest; ++l) next[l + 1] += next[l];
    for (Index s = begin; s < end; ++s) {
      auto const to = next[longest - body.length[s]]++;
      body.row[to] = body.listed(s);
      body.sorted_length[to] = body.length[s];
    }
  });
}

/// The entries of one slot; column may be null when only values are new.
template <class T, class From>
struct FillSlotBody {
  CsrView<From> A;
  Offset const* offsets;
  Index const* row;
  int chunk;
  Index* column;
  T* value;
  TESSERA_HD void operator()(Index slot) const { fill(slot, slot / chunk, slot % chunk); }
  TESSERA_HD void fill(Index slot, Index c, Index lane) const {
    auto const i = row[slot];
    auto k = i < 0 ? Offset{0} : A.offsets[i];
    auto const end = i < 0 ? Offset{0} : A.offsets[i + 1];
    auto at = offsets[c] + lane;
    auto const last = end > k ? A.column[end - 1] : Index{0};
    for (; k < end; ++k, at += chunk) {
      value[at] = static_cast<T>(A.value[k]);
      if (column != nullptr) column[at] = A.column[k];
    }
    for (; at < offsets[c + 1]; at += chunk) {
      value[at] = T{0};
      if (column != nullptr) column[at] = last;
    }
  }
};

template <class T, class From, class Space>
void fill_slots(Space const& space, std::size_t slots, FillSlotBody<T, From> const& body) {
  core::for_each(space, slots, body);
}

/// Without a division for each slot.
template <class T, class From>
void fill_slots(Host const& space, std::size_t slots, FillSlotBody<T, From> const& body) {
  core::for_each(space, slots / body.chunk, [body](Index c) {
    for (Index lane = 0, slot = c * body.chunk; lane < body.chunk; ++lane, ++slot) body.fill(slot, c, lane);
  });
}

template <class T, class Space>
void mark_consecutive(Space const&, Sell<T, Space>&) {}

template <class T>
void mark_consecutive(Host const& space, Sell<T, Host>& S) {
  S.consecutive = Array<unsigned char, Host>(space, S.column.size() / S.chunk);
  auto const* const offsets = S.offsets.data();
  auto* const mark = S.consecutive.data();
  core::for_each(space, S.offsets.size() - 1, [=, chunk = S.chunk, columns = S.column.data()](Index c) {
    for (auto k = offsets[c]; k < offsets[c + 1]; k += chunk) {
      Index const* const column = columns + k;
      Index gaps = 0;
      for (Index l = 0; l < chunk; ++l) gaps |= column[l] - column[0] - l;
      mark[k / chunk] = gaps == 0 ? 1 : 0;
    }
  });
}

}  // namespace Tessera::sparse
