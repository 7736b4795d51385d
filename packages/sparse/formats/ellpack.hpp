#pragma once
/// \file
/// ELLPACK-R and HYB: a row in each slot, whose length is stored, and the entries of neighbouring slots side
/// by side.
#include "core/array.hpp"
#include "sparse/engine/slot_walk.hpp"

namespace Tessera::sparse {

/// A view for bodies: the slots of engine/slot_walk.hpp, without the places of entries.
template <class T>
struct SlotView {
  using Value = T;
  static constexpr int run_length = 1;
  Index rows = 0;
  Index columns = 0;
  Index stored_rows = 0;
  bool ascending = true;      ///< rows ascend with their slots
  Span<T const> value;        ///< zero in padding
  Span<Index const> column;   ///< padding has the column of the row's last entry, 0 in an empty row
  Span<Index const> row;      ///< the matrix row in each slot, -1 after the last
  Span<Index const> entries;  ///< entries of this row

  void const* layout() const { return entries.data(); }
  TESSERA_HD Index slots() const { return static_cast<Index>(row.size()); }
  TESSERA_HD bool in_order() const { return ascending && stored_rows == rows; }
  TESSERA_HD Index row_of(Index slot) const {
    Index const i = in_order() ? slot : row[slot];
    return i < rows ? i : -1;
  }
  TESSERA_HD int length(Index slot) const { return entries[slot]; }
};

template <class T, class Space>
struct SlotArrays {
  Index rows = 0;
  Index columns = 0;
  Index stored_rows = 0;
  bool ascending = true;
  Array<T, Space> value;
  Array<Index, Space> column, row, entries;
  std::size_t nonzeros = 0;  ///< entries without padding

  SlotView<T> slot_view() const {
    return {rows, columns, stored_rows, ascending, value.view(), column.view(), row.view(), entries.view()};
  }
  std::size_t bytes() const { return value.bytes() + column.bytes() + row.bytes() + entries.bytes(); }
  /// Bytes that a product reads. If a thread takes a slot, it does not read padding.
  std::size_t product_bytes() const {
    auto const unread = core::SpaceTraits<Space>::coalesces ? value.size() - nonzeros : 0;
    return bytes() - (slot_view().in_order() ? row.bytes() : 0) - unread * (sizeof(T) + sizeof(Index));
  }
};

/// Entry j of slot s at j * slots() + s.
template <class T>
struct EllpackRView : SlotView<T> {
  TESSERA_HD Offset begin(Index slot) const { return slot; }
  TESSERA_HD Offset next(Offset k, int j) const { return at(k, j); }
  TESSERA_HD Offset at(Offset k, int j) const { return k + Offset{j} * this->slots(); }
  /// Width of all slots, with padding.
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

/// Entry j of slot s at j * slots() + s, from the regular-th on at rest[s] + j after all of these.
template <class T>
struct HybView : SlotView<T> {
  int regular = 0;          ///< entries of a row that are interleaved with other rows
  Span<Offset const> rest;  ///< empty if no row is longer

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
