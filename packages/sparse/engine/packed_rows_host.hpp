#pragma once
/// \file
/// Rows made in one pass, of lengths that are not known before.
#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <vector>

#include "core/parallel.hpp"
#include "core/prefetch.hpp"
#include "sparse/engine/row_merge/operands.hpp"

namespace Tessera::sparse {

/// Loops over memory that does not overlap, in functions of their own so that compilers see it.
namespace lists {

constexpr Index block = 8;

/// Rows are too short for the library's copy; what is too much is written over.
template <class Element>
void copy(Element const* __restrict from, Index count, Element* __restrict to) {
  for (Index s = 0; s < count; s += block) {
    for (Index l = 0; l < block; ++l) to[s + l] = from[s + l];
  }
}

/// Zero likewise: up to a block more.
inline void clear(std::size_t count, double* __restrict to) {
  for (std::size_t s = 0; s < count; s += block) {
    for (Index l = 0; l < block; ++l) to[s + l] = 0;
  }
}

}  // namespace lists

/// A matrix whose rows lie in the chunks of the threads that made them: the numbers, `width` a column, then
/// the columns of a row, so that reading a row is reading one stretch. A right operand.
struct PackedRows {
  static constexpr bool single = false;
  struct Row {
    double* value;
    Index count;
  };

  PackedRows(Index row_count, Index column_count, int numbers = 1)
      : width_(numbers), columns_(column_count), rows(Host{}, row_count) {}
  Index columns() const { return columns_; }
  int width() const { return width_; }
  /// In numbers.
  std::size_t length_of(Index count) const {
    auto const entries = static_cast<std::size_t>(count);
    return entries * width_ + (entries * sizeof(Index) + sizeof(double) - 1) / sizeof(double);
  }
  Index* column_of(Row const& row) const {
    return reinterpret_cast<Index*>(row.value + static_cast<std::ptrdiff_t>(row.count) * width_);
  }
  RowEntries row(Index i) const { return {column_of(rows[i]), rows[i].value, rows[i].count}; }
  static Index block(RowEntries const& row, Index b) { return row.column[b]; }
  static double number(double const* value, Index s) { return value[s]; }
  /// Behind a row's numbers are columns, which as numbers would be denormal and slow.
  static constexpr bool may_read_past_end = false;
  static bool is_last(RowEntries const&) { return false; }
  /// Asks for the first cache lines of a row that is read soon.
  void ahead(Index i) const {
    auto const* const line = reinterpret_cast<char const*>(rows[i].value);
    core::prefetch(line);
    core::prefetch(line + 64);
    core::prefetch(line + 128);
  }

 private:
  int width_;
  Index columns_;

 public:
  Array<Row, Host> rows;
  std::mutex mutex;
  std::vector<Array<double, Host>> chunks;
};

/// One thread's access to PackedRows.
class PackedWriter {
 public:
  /// work: the size of what the rows are made of; a chunk is a share of it.
  PackedWriter(PackedRows& target, std::size_t work)
      : target_(target), share_(work / static_cast<std::size_t>(4 * omp_get_max_threads())) {}

  struct Place {
    Index* column;
    double* value;
  };
  /// Room for row i, where the caller writes `count` columns, numbers first: up to `slack` more may be
  /// written, and read later.
  static constexpr Index slack = 8;
  Place add(Index i, Index count) {
    auto const length = target_.length_of(count);
    if (length > free_) add_chunk(length);
    PackedRows::Row const row{next_, count};
    target_.rows[i] = row;
    next_ += length;
    free_ -= length;
    return {target_.column_of(row), row.value};
  }

 private:
  void add_chunk(std::size_t least) {
    // With big matrices all of one size, which is big enough for huge pages: they serve again.
    constexpr std::size_t usual = (std::size_t{4} << 20) / sizeof(double) - slack;
    auto const wanted = share_ > usual / 4 ? usual : std::max(share_, std::size_t{1} << 12);
    free_ = std::max(wanted, least);
    Array<double, Host> chunk(Host{}, free_ + slack);
    next_ = chunk.data();
    std::lock_guard lock(target_.mutex);
    target_.chunks.push_back(std::move(chunk));
  }

  PackedRows& target_;
  std::size_t share_;
  double* next_ = nullptr;
  std::size_t free_ = 0;
};

/// The same rows one behind the other; one number a column.
inline Csr<double, Host> to_csr(Host const& space, PackedRows const& packed) {
  auto const n = static_cast<Index>(packed.rows.size());
  Array<Offset, Host> offsets(space, static_cast<std::size_t>(n) + 1);
  core::for_each(space, n, [&](Index i) { offsets[i] = packed.rows[i].count; });
  auto const nonzeros =
      static_cast<std::size_t>(core::exclusive_scan(space, offsets.span().part(0, n), offsets.span()));
  Csr<double, Host> C{n, packed.columns(), std::move(offsets), Array<Index, Host>(space, nonzeros),
                      Array<double, Host>(space, nonzeros)};
  constexpr Index stretch = 4096;
  core::for_each_heavy(space, (static_cast<std::size_t>(n) + stretch - 1) / stretch, nonzeros, [&](Index s) {
    auto const last = static_cast<Index>(std::min<std::int64_t>(n, (s + std::int64_t{1}) * stretch));
    auto const end = C.offsets[last];
    for (Index i = s * stretch; i < last; ++i) {
      auto const row = packed.row(i);
      auto const to = C.offsets[i];
      if (to + row.count + lists::block > end) {
        std::copy_n(row.column, row.count, C.column.data() + to);
        std::copy_n(row.value, row.count, C.value.data() + to);
      } else {
        lists::copy(row.column, row.count, C.column.data() + to);
        lists::copy(row.value, row.count, C.value.data() + to);
      }
    }
  });
  return C;
}

}  // namespace Tessera::sparse
