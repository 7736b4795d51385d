#pragma once
/// \file
/// Assigns rows to slots, and fills the slots.
#include <type_traits>

#include "core/parallel.hpp"
#include "sparse/csr.hpp"

namespace Tessera::sparse {

/// The row of a slot before sorting, and its length; -1 and 0 after the last.
template <class T>
struct ListRowsBody {
  CsrRows<T> rows;
  Index* row;
  Index* length;
  TESSERA_HD void operator()(Index slot) const {
    auto const i = slot < rows.count ? rows[slot] : -1;
    row[slot] = i;
    length[slot] = i < 0 ? 0 : static_cast<Index>(rows.matrix.offsets[i + 1] - rows.matrix.offsets[i]);
  }
};

/// 1 for each row of a list that does not come after the one before it.
struct DescentBody {
  Index const* list;
  TESSERA_HD Index operator()(Index p) const { return p > 0 && list[p] <= list[p - 1] ? 1 : 0; }
};

template <class Space>
bool ascends(Space const& space, Index const* list, Index count) {
  return core::reduce(space, count, DescentBody{list}, core::Max{}, Index{0}) == 0;
}

/// Sets the sizes and the slots' rows of S, and their lengths. The number of slots is a multiple of `block`.
template <class T, class Space, class Stored>
void list_rows(Space const& space, CsrRows<T> const& rows, Index block, Stored& S,
               Array<Index, Space>& lengths) {
  auto const slots = (rows.count + block - 1) / block * block;
  S.rows = rows.matrix.rows;
  S.columns = rows.matrix.columns;
  S.stored_rows = rows.count;
  S.ascending = rows.list == nullptr || ascends(space, rows.list, rows.count);
  S.row = Array<Index, Space>(space, slots);
  lengths = Array<Index, Space>(space, slots);
  core::for_each(space, slots, ListRowsBody<T>{rows, S.row.data(), lengths.data()});
}

/// Sort keys of slots: windows ascend, and lengths descend within a window.
struct WindowKeyBody {
  Index const* length;
  Index sigma;
  Offset longest;
  Offset* key;
  Index* slot;
  TESSERA_HD void operator()(Index s) const {
    key[s] = s / sigma * (longest + 1) + longest - length[s];
    slot[s] = s;
  }
};

struct PermuteSlotsBody {
  Index const *slot, *from_row, *from_length;
  Index *row, *length;
  TESSERA_HD void operator()(Index s) const {
    row[s] = from_row[slot[s]];
    length[s] = from_length[slot[s]];
  }
};

/// Moves a slot to its place in its window: the number of slots that precede it there.
struct RankInWindowBody {
  Index const *from_row, *from_length;
  Index slots, sigma;
  Index *row, *length;
  TESSERA_HD void operator()(Index s) const {
    Index const begin = s / sigma * sigma, end = begin + sigma < slots ? begin + sigma : slots;
    Index const mine = from_length[s];
    Index place = begin;
    for (Index t = begin; t < end; ++t)
      place += from_length[t] > mine || (from_length[t] == mine && t < s) ? 1 : 0;
    row[place] = from_row[s];
    length[place] = mine;
  }
};

/// Comparisons up to which comparing all slots of a window takes less time than sorting, where threads
/// coalesce: 60 us on an H200.
template <class Space>
constexpr double few_comparisons = core::SpaceTraits<Space>::coalesces ? 1 << 26 : 0;

/// Sorts rows and lengths in windows of sigma slots; ties keep their order.
template <class Space>
void sort_in_windows(Space const& space, Index sigma, Array<Index, Space>& rows,
                     Array<Index, Space>& lengths) {
  auto const slots = rows.size();
  Array<Index, Space> row(space, slots), length(space, slots);
  if (static_cast<double>(slots) * sigma <= few_comparisons<Space>) {
    core::for_each(space, slots,
                   RankInWindowBody{rows.data(), lengths.data(), static_cast<Index>(slots), sigma, row.data(),
                                    length.data()});
  } else {
    auto const longest =
        core::reduce(space, slots, core::Load<Index, Offset>{lengths.data()}, core::Max{}, Offset{0});
    Array<Offset, Space> key(space, slots);
    Array<Index, Space> slot(space, slots);
    core::for_each(space, slots, WindowKeyBody{lengths.data(), sigma, longest, key.data(), slot.data()});
    auto const windows = static_cast<Offset>((slots + sigma - 1) / sigma);
    core::sort_by_key(space, key, slot, windows * (longest + 1));
    core::for_each(space, slots,
                   PermuteSlotsBody{slot.data(), rows.data(), lengths.data(), row.data(), length.data()});
  }
  rows = std::move(row);
  lengths = std::move(length);
}

/// Writes the values or the columns of one slot of `Slots`, with padding. For SELL at 256^3, staging entries
/// in shared memory took 0.45 instead of 0.51 ms on level 0, and 0.51 instead of 0.35 ms on level 1.
template <class Slots, class Source, class Target>
struct FillSlotBody {
  Slots S;
  Offset const* offsets;  ///< of the CSR
  Source const* from;
  Target* to;
  TESSERA_HD void operator()(Index slot) const {
    auto const i = S.row[slot];
    auto k = i < 0 ? Offset{0} : offsets[i];
    auto const end = i < 0 ? Offset{0} : offsets[i + 1];
    auto place = S.begin(slot);
    auto padding = S.width(slot) - static_cast<Index>(end - k);
    Source last{};
    constexpr int batch = 4;  // loads in flight
    for (; end - k >= batch; k += batch, place = S.next(place, batch)) {
      Source entry[batch];
      for (int e = 0; e < batch; ++e) entry[e] = from[k + e];
      for (int e = 0; e < batch; ++e) to[S.at(place, e)] = static_cast<Target>(entry[e]);
      last = entry[batch - 1];
    }
    for (; k < end; ++k, place = S.next(place, 1)) to[S.at(place, 0)] = static_cast<Target>(last = from[k]);
    if constexpr (!std::is_integral_v<Source>) last = Source{};
    for (; padding > 0; --padding, place = S.next(place, 1)) to[S.at(place, 0)] = static_cast<Target>(last);
  }
};

/// Writes all entries of slots; columns: whether columns are new, too. Columns have a pass of their own: with
/// long rows, threads that read both evict each other's cache lines.
template <class Slots, class T, class From, class Space>
void fill_slots(Space const& space, CsrView<From> A, bool columns, Slots const& view, Array<T, Space>& value,
                Array<Index, Space>& column) {
  core::for_each(space, view.row.size(),
                 FillSlotBody<Slots, From, T>{view, A.offsets.data(), A.value.data(), value.data()});
  if (columns)
    core::for_each(space, view.row.size(),
                   FillSlotBody<Slots, Index, Index>{view, A.offsets.data(), A.column.data(), column.data()});
}

}  // namespace Tessera::sparse
