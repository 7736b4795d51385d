#pragma once
/// \file
/// Sets and numberings of the columns that a row meets, by dense or by hash tables. A thread of the host has
/// one of its own, and empties it for the next row at no cost.
#include <omp.h>

#include <algorithm>
#include <cstdint>

#include "core/parallel.hpp"
#include "core/types.hpp"

namespace Tessera::sparse::hash {

/// Fibonacci hashing: upper bits of a multiplication by 2^64 / golden ratio.
TESSERA_HD inline std::uint32_t slot_of(Index column, std::uint32_t mask) {
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(column) * 0x9e3779b97f4a7c15ull >> 32) & mask;
}

TESSERA_HD inline Offset power_of_two_from(Offset n) {
  Offset power = 1;
  while (power < n) power *= 2;
  return power;
}

/// Whether each thread gets a dense table. Dense tables are 1.2 to 2 times as fast as hash tables, for
/// stencils and for random matrices of up to 4M columns. All of them together stay below 128 MiB.
inline bool dense_tables(Index columns) {
  return static_cast<std::int64_t>(columns) * omp_get_max_threads() <= std::int64_t{1} << 24;
}

/// A set with a mark for each column. It is fastest while the marks in use stay in cache, as for rows of
/// meshes.
class DenseColumns {
 public:
  explicit DenseColumns(Index columns) : mark_(Host{}, columns) {
    std::fill(mark_.begin(), mark_.end(), Index{-1});
  }
  /// Empties the set for row i, which may have up to `most` columns.
  void start(Index i, Offset /*most*/) { row_ = i; }
  /// Whether c is new.
  bool insert(Index c) {
    if (mark_[c] == row_) return false;
    mark_[c] = row_;
    return true;
  }

 private:
  Array<Index, Host> mark_;
  Index row_ = -1;
};

/// A set as an open hash table whose size fits the row. Its entries are (row + 1, column), so entries of
/// other rows count as free slots.
class HashedColumns {
 public:
  explicit HashedColumns(Index columns) : columns_(columns) {}
  void start(Index i, Offset most) {
    auto const size = power_of_two_from(2 * std::min<Offset>(std::max<Offset>(most, 1), columns_));
    if (static_cast<std::size_t>(size) > slot_.size()) {
      slot_ = Array<std::uint64_t, Host>(Host{}, size);
      std::fill(slot_.begin(), slot_.end(), std::uint64_t{0});
    }
    mask_ = static_cast<std::uint32_t>(size - 1);
    row_ = (static_cast<std::uint64_t>(i) + 1) << 32;
  }
  bool insert(Index c) {
    auto const wanted = row_ | static_cast<std::uint32_t>(c);
    auto s = slot_of(c, mask_);
    for (; (slot_[s] & upper) == row_; s = (s + 1) & mask_) {
      if (slot_[s] == wanted) return false;
    }
    slot_[s] = wanted;
    return true;
  }
  /// Slot of a column that is in the set.
  std::uint32_t find(Index c) const {
    auto const wanted = row_ | static_cast<std::uint32_t>(c);
    auto s = slot_of(c, mask_);
    while (slot_[s] != wanted) s = (s + 1) & mask_;
    return s;
  }
  std::size_t capacity() const { return slot_.size(); }

 private:
  static constexpr std::uint64_t upper = 0xffffffff00000000ull;
  Index columns_;
  Array<std::uint64_t, Host> slot_;
  std::uint64_t row_ = 0;
  std::uint32_t mask_ = 0;
};

/// Numbers the columns of a row in the order of their first entries. Callers call start(row, most columns) if
/// wants_size, place() for each entry, and finish(number of columns). Rows share one ascending numbering:
/// numbers below the row's first one belong to earlier rows.
class DensePlaces {
 public:
  static constexpr bool wants_size = false;
  /// A copy for inner loops, which keep it in registers.
  struct Numbers {
    Index* number;
    Index first;
    /// The place of c; a new column gets `count`, the number of columns so far.
    Index place(Index c, Index count) const {
      auto const found = static_cast<std::uint32_t>(number[c]) - static_cast<std::uint32_t>(first);
      auto const place = static_cast<Index>(std::min(found, static_cast<std::uint32_t>(count)));
      number[c] = first + place;
      return place;
    }
    /// The place of c; `none`, at least the number of columns so far, if c has no place.
    Index find(Index c, Index none) const {
      return static_cast<Index>(
          std::min(static_cast<std::uint32_t>(number[c]) - static_cast<std::uint32_t>(first),
                   static_cast<std::uint32_t>(none)));
    }
  };
  explicit DensePlaces(Index columns) : number_(Host{}, columns) { clear(); }
  Numbers numbers() { return {number_.data(), first_}; }
  void finish(Index count) {
    first_ += count;
    if (first_ > most_numbers) clear();
  }

 private:
  static constexpr Index most_numbers = Index{1} << 30;  // dense tables have at most 2^24 columns
  void clear() {
    std::fill(number_.begin(), number_.end(), Index{-1});
    first_ = 0;
  }
  Array<Index, Host> number_;
  Index first_ = 0;
};

class HashedPlaces {
 public:
  static constexpr bool wants_size = true;
  struct Numbers {
    HashedPlaces* all;
    Index place(Index c, Index count) const { return all->place(c, count); }
    Index find(Index c, Index none) const { return all->place(c, none); }
  };
  explicit HashedPlaces(Index columns) : columns_(columns) {}
  void start(Index i, Offset most) {
    columns_.start(i, most);
    if (place_.size() != columns_.capacity()) place_ = Array<Index, Host>(Host{}, columns_.capacity());
  }
  Numbers numbers() { return {this}; }
  Index place(Index c, Index count) {
    bool const is_new = columns_.insert(c);
    auto& place = place_[columns_.find(c)];
    if (is_new) place = count;
    return place;
  }
  void finish(Index /*count*/) {}

 private:
  HashedColumns columns_;
  Array<Index, Host> place_;
};

}  // namespace Tessera::sparse::hash
