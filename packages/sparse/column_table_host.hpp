#pragma once
/// \file
/// Two sets of columns that are emptied in no time, for one thread each: dense and hashed.
#include <cstdint>

#include "core/parallel.hpp"
#include "sparse/spgemm_hash_body.hpp"

namespace Tessera::sparse::hash {

/// A mark for each column: fastest while the marks in use stay in cache, as with rows of meshes.
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

/// An open hash table whose size fits the row; entries are (row + 1, column), so those of other rows are free
/// slots.
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

/// Sums by column.
template <class T>
class DenseSums {
 public:
  explicit DenseSums(Index columns) : sum_(Host{}, columns) {}
  void start(Index /*i*/, Index const* column, Offset count) {
    for (Offset k = 0; k < count; ++k) sum_[column[k]] = T{0};
  }
  T& operator[](Index c) { return sum_[c]; }

 private:
  Array<T, Host> sum_;
};

template <class T>
class HashedSums {
 public:
  explicit HashedSums(Index columns) : columns_(columns) {}
  void start(Index i, Index const* column, Offset count) {
    columns_.start(i, count);
    if (sum_.size() != columns_.capacity()) sum_ = Array<T, Host>(Host{}, columns_.capacity());
    for (Offset k = 0; k < count; ++k) {
      columns_.insert(column[k]);
      sum_[columns_.find(column[k])] = T{0};
    }
  }
  T& operator[](Index c) { return sum_[columns_.find(c)]; }

 private:
  HashedColumns columns_;
  Array<T, Host> sum_;
};

}  // namespace Tessera::sparse::hash
