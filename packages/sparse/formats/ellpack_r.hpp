#pragma once
/// \file
/// ELLPACK-R (Vazquez, Fernandez, Garzon 2011): all rows as wide as the longest, and their lengths, so that a
/// thread stops behind its row's last entry.
#include "sparse/formats/slots.hpp"

namespace Tessera::sparse {

/// Entry j of slot s at j * slots() + s.
template <class T>
struct EllpackRView : SlotView<T> {
  TESSERA_HD Offset begin(Index slot) const { return slot; }
  TESSERA_HD Offset next(Offset k, int j) const { return at(k, j); }
  TESSERA_HD Offset at(Offset k, int j) const { return k + Offset{j} * this->slots(); }
  /// Of all slots, with padding.
  TESSERA_HD int width(Index) const {
    return this->row.empty() ? 0 : static_cast<int>(this->value.size() / this->row.size());
  }
};

template <class T, class Space>
struct EllpackR : SlotArrays<T, Space> {
  EllpackRView<T> view() const { return {this->slot_view()}; }
};

template <class Space, class T>
struct RowWalk<Space, EllpackRView<T>> : SlotWalk<Space> {};

}  // namespace Tessera::sparse
