#pragma once
/// \file
/// Which row goes into which slot of a Sell: slot by slot, and how the host does the same by windows.
#include <algorithm>
#include <vector>

#include "core/parallel.hpp"
#include "sparse/csr.hpp"
#include "sparse/engine/row_blocks_host.hpp"
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

/// By counting: a tenth of the time. One a thread.
class WindowSorter {
 public:
  explicit WindowSorter(SortInWindowBody const& body) : body_(body) {}
  void operator()(Index from, Index to) {
    for (Index w = from; w < to; ++w) sort(w);
  }

 private:
  void sort(Index w) {
    auto const begin = w * body_.sigma, end = std::min(begin + body_.sigma, body_.slots);
    auto const longest = *std::max_element(body_.length + begin, body_.length + end);
    next_.assign(static_cast<std::size_t>(longest) + 2, 0);  // by length, descending
    for (Index s = begin; s < end; ++s) ++next_[longest - body_.length[s] + 1];
    next_[0] = begin;
    for (Index l = 0; l < longest; ++l) next_[l + 1] += next_[l];
    for (Index s = begin; s < end; ++s) {
      auto const to = next_[longest - body_.length[s]]++;
      body_.row[to] = body_.listed(s);
      body_.sorted_length[to] = body_.length[s];
    }
  }

  SortInWindowBody body_;
  std::vector<Index> next_;
};

inline void sort_in_windows(Host const&, SortInWindowBody const& body) {
  auto const windows = (body.slots + body.sigma - 1) / body.sigma;
  for_row_blocks(windows, [&] { return WindowSorter(body); });
}

}  // namespace Tessera::sparse
