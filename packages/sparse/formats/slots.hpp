#pragma once
/// \file
/// What ELLPACK-R and HYB share: a row in each slot, whose length is stored, and the entries of neighbouring
/// slots side by side.
#include "core/array.hpp"
#include "sparse/engine/slot_walk.hpp"

namespace Tessera::sparse {

/// What bodies see: slots as engine/slot_walk.hpp has them, but for where entries are.
template <class T>
struct SlotView {
  using Value = T;
  static constexpr int run_length = 1;
  Index rows = 0;
  Index columns = 0;
  Index stored_rows = 0;
  bool ascending = true;      ///< rows ascend with their slots
  Span<T const> value;        ///< zero in padding
  Span<Index const> column;   ///< of padding: that of the row's last entry, 0 in an empty row
  Span<Index const> row;      ///< the matrix row in each slot, -1 behind the last
  Span<Index const> entries;  ///< that this row has

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
  std::size_t nonzeros = 0;  ///< entries but padding

  SlotView<T> slot_view() const {
    return {rows, columns, stored_rows, ascending, value.view(), column.view(), row.view(), entries.view()};
  }
  std::size_t bytes() const { return value.bytes() + column.bytes() + row.bytes() + entries.bytes(); }
  /// That a product reads. Where a thread takes a slot, padding is not.
  std::size_t product_bytes() const {
    auto const unread = core::SpaceTraits<Space>::coalesces ? value.size() - nonzeros : 0;
    return bytes() - (slot_view().in_order() ? row.bytes() : 0) - unread * (sizeof(T) + sizeof(Index));
  }
};

}  // namespace Tessera::sparse
