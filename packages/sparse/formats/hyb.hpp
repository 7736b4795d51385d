#pragma once
/// \file
/// HYB (Bell, Garland 2009): the first entries of each row as ELLPACK-R has them, and what is left of the
/// long rows one row after the other. A row's sum runs over both in turn, so that it is in storage order.
#include "sparse/formats/slots.hpp"

namespace Tessera::sparse {

/// Entry j of slot s at j * slots() + s, from the regular-th on at rest[s] + j behind all those.
template <class T>
struct HybView : SlotView<T> {
  int regular = 0;          ///< entries of a row that lie beside those of other rows
  Span<Offset const> rest;  ///< empty where no row is longer

  struct Place {
    Index slot;
    int entry;
  };
  TESSERA_HD Place begin(Index slot) const { return {slot, 0}; }
  TESSERA_HD Place next(Place place, int j) const { return {place.slot, place.entry + j}; }
  TESSERA_HD Offset at(Place place, int j) const {
    int const entry = place.entry + j;
    if (entry < regular) return place.slot + Offset{entry} * this->slots();
    return Offset{regular} * this->slots() + rest[place.slot] + entry - regular;
  }
  TESSERA_HD int width(Index) const { return regular; }
};

template <class T, class Space>
struct Hyb : SlotArrays<T, Space> {
  int regular = 0;
  Array<Offset, Space> rest;
  std::size_t bytes() const { return SlotArrays<T, Space>::bytes() + rest.bytes(); }
  std::size_t product_bytes() const { return SlotArrays<T, Space>::product_bytes() + rest.bytes(); }
  HybView<T> view() const { return {this->slot_view(), regular, rest.view()}; }
};

template <class Space, class T>
struct RowWalk<Space, HybView<T>> : SlotWalk<Space> {};

}  // namespace Tessera::sparse
