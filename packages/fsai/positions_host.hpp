#pragma once
/// \file
/// Where the columns of one row stand, for one thread each: a dense table where all of them together are
/// small, else one that fits the row.
#include <algorithm>
#include <cstdint>

#include "core/array.hpp"
#include "sparse/engine/column_table_host.hpp"

namespace Tessera::fsai {

/// set(columns, count), then find(c): the position of c, -1 for other columns; then clear(columns, count).
class DensePositions {
 public:
  explicit DensePositions(Index columns) : position_(Host{}, columns) {
    std::fill(position_.begin(), position_.end(), Index{-1});
  }
  void set(Index const* column, Index count) {
    for (Index a = 0; a < count; ++a) position_[column[a]] = a;
  }
  void clear(Index const* column, Index count) {
    for (Index a = 0; a < count; ++a) position_[column[a]] = -1;
  }
  Index find(Index c) const { return position_[c]; }

 private:
  Array<Index, Host> position_;
};

/// An open hash table; entries are (column + 1, position), 0 is free.
class HashedPositions {
 public:
  explicit HashedPositions(Index /*columns*/) {}
  void set(Index const* column, Index count) {
    auto const size = static_cast<std::size_t>(sparse::hash::power_of_two_from(2 * Offset{count} + 2));
    if (size > slot_.size()) slot_ = Array<std::uint64_t, Host>(Host{}, size);
    std::fill_n(slot_.begin(), size, std::uint64_t{0});
    mask_ = static_cast<std::uint32_t>(size - 1);
    for (Index a = 0; a < count; ++a) {
      auto s = sparse::hash::slot_of(column[a], mask_);
      while (slot_[s] != 0) s = (s + 1) & mask_;
      slot_[s] = (static_cast<std::uint64_t>(column[a]) + 1) << 32 | static_cast<std::uint32_t>(a);
    }
  }
  void clear(Index const* /*column*/, Index /*count*/) {}
  Index find(Index c) const {
    auto const wanted = static_cast<std::uint64_t>(c) + 1;
    for (auto s = sparse::hash::slot_of(c, mask_); slot_[s] != 0; s = (s + 1) & mask_) {
      if (slot_[s] >> 32 == wanted) return static_cast<Index>(slot_[s] & 0xffffffffu);
    }
    return -1;
  }

 private:
  Array<std::uint64_t, Host> slot_;
  std::uint32_t mask_ = 0;
};

/// work(table) for a table of one of the two kinds, which each thread makes from it.
template <class Work>
void with_positions(Index columns, Work const& work) {
  if (sparse::hash::dense_tables(columns)) {
    work([columns] { return DensePositions(columns); });
  } else {
    work([columns] { return HashedPositions(columns); });
  }
}

}  // namespace Tessera::fsai
