#pragma once
/// \file
/// pJDS, padded jagged diagonals (Kreutzer et al. 2012): rows sorted by length, longest first, in blocks of
/// 32 that are padded to their longest row. SELL-C-sigma with one window for all rows has the same padding,
/// but lies block by block.
#include "sparse/formats/slots.hpp"

namespace Tessera::sparse {

/// Entry j of slot s at start[j] + s: the jagged diagonals one after the other.
template <class T>
struct PjdsView : SlotView<T> {
  static constexpr Index block = 32;
  Span<Offset const> start;  ///< one for each entry of the longest row, and one more

  struct Place {
    Index slot;
    int entry;
  };
  TESSERA_HD Place begin(Index slot) const { return {slot, 0}; }
  TESSERA_HD Place next(Place place, int j) const { return {place.slot, place.entry + j}; }
  TESSERA_HD Offset at(Place place, int j) const { return start[place.entry + j] + place.slot; }
  /// Of a slot, with padding: the length of the first in its block.
  TESSERA_HD int width(Index slot) const { return this->entries[slot - slot % block]; }
};

/// Products take x as it is and write to each slot's row, so that vectors need no permutation.
template <class T, class Space>
struct Pjds : SlotArrays<T, Space> {
  Array<Offset, Space> start;
  std::size_t bytes() const { return SlotArrays<T, Space>::bytes() + start.bytes(); }
  std::size_t product_bytes() const { return SlotArrays<T, Space>::product_bytes() + start.bytes(); }
  PjdsView<T> view() const { return {this->slot_view(), start.view()}; }
};

template <class Space, class T>
struct RowWalk<Space, PjdsView<T>> : SlotWalk<Space> {};

}  // namespace Tessera::sparse
