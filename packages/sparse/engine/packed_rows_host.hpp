#pragma once
/// \file
/// Rows that one pass makes, of lengths not known before.
#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <vector>

#include "core/parallel.hpp"
#include "core/span.hpp"
#include "sparse/engine/row_merge/operands.hpp"

namespace Tessera::sparse {

/// Loops over memory that does not overlap; as functions, so that compilers know this.
namespace lists {

constexpr Index block = 8;

/// Copies whole blocks, since rows are too short for the library's copy; the caller overwrites the
/// excess.
template <class Element>
void copy(Element const* __restrict from, Index count, Element* __restrict to) {
  for (Index s = 0; s < count; s += block) {
    for (Index l = 0; l < block; ++l) to[s + l] = from[s + l];
  }
}

/// Sets numbers to zero in whole blocks.
inline void clear(std::size_t count, double* __restrict to) {
  for (std::size_t s = 0; s < count; s += block) {
    for (Index l = 0; l < block; ++l) to[s + l] = 0;
  }
}

}  // namespace lists

/// The columns of a packed row, which follow its numbers in the same memory. Loops over whole blocks of
/// numbers write past the last number, into the columns. So columns are set after the numbers, by stores of
/// bytes: these alias numbers, so that no compiler moves them before the stores of numbers.
class PackedColumns {
 public:
  explicit PackedColumns(std::byte* first) : first_(first) {}
  void set(Index s, Index column) const { std::memcpy(at(s), &column, sizeof column); }
  /// Sets `count` columns in whole blocks: reads and writes up to a block more.
  void set_blocks(Index const* column, Index count) const {
    for (Index s = 0; s < count; s += lists::block)
      std::memcpy(at(s), column + s, lists::block * sizeof(Index));
  }
  /// The columns as an array, for rows whose numbers are written one by one, not in blocks.
  Index* data() const { return reinterpret_cast<Index*>(first_); }

 private:
  std::byte* at(Index s) const { return first_ + s * static_cast<std::ptrdiff_t>(sizeof(Index)); }
  std::byte* first_;
};

/// A matrix whose rows lie in the chunks of the threads that made them: the numbers, `width` a column, then
/// the columns of a row, so that a row is read in one stretch. A right operand.
struct PackedRows {
  static constexpr bool single = false;
  struct Row {
    std::byte* memory;
    Index count;
    double* numbers() const { return reinterpret_cast<double*>(memory); }
  };

  PackedRows(Index row_count, Index column_count, int numbers = 1)
      : width_(numbers), columns_(column_count), rows(Host{}, row_count) {}
  Index columns() const { return columns_; }
  int width() const { return width_; }
  /// Bytes of a row, a multiple of sizeof(double).
  std::size_t bytes_of(Index count) const {
    auto const entries = static_cast<std::size_t>(count);
    return (entries * width_ + (entries * sizeof(Index) + sizeof(double) - 1) / sizeof(double)) *
           sizeof(double);
  }
  PackedColumns columns_of(Row const& row) const {
    return PackedColumns(row.memory + static_cast<std::ptrdiff_t>(row.count) * width_ * sizeof(double));
  }
  RowEntries row(Index i) const { return {columns_of(rows[i]).data(), rows[i].numbers(), rows[i].count}; }
  static Index block(RowEntries const& row, Index b) { return row.column[b]; }
  static double number(double const* value, Index s) { return value[s]; }
  /// Columns follow a row's numbers; as numbers they would be denormal and slow.
  static constexpr bool may_read_past_end = false;
  static bool is_last(RowEntries const&) { return false; }
  /// Prefetches the first cache lines of a row.
  void prefetch(Index i) const {
    auto const* const line = rows[i].memory;
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
  std::vector<Array<std::byte, Host>> chunks;
};

/// One thread's access to PackedRows.
class PackedWriter {
 public:
  /// work: the number of entries that the rows are made of; chunks are a share of it.
  PackedWriter(PackedRows& target, std::size_t work)
      : target_(target), share_(work / static_cast<std::size_t>(4 * omp_get_max_threads())) {}

  struct Place {
    PackedColumns column;
    double* value;
  };
  /// Room for row i, where the caller writes `count` columns, numbers first. A caller may write, and a later
  /// reader read, up to `slack` bytes more.
  static constexpr std::size_t slack = 8 * sizeof(double);
  Place add(Index i, Index count) {
    auto const bytes = target_.bytes_of(count);
    if (bytes > free_) add_chunk(bytes);
    PackedRows::Row const row{next_, count};
    target_.rows[i] = row;
    next_ += bytes;
    free_ -= bytes;
    return {target_.columns_of(row), row.numbers()};
  }

 private:
  void add_chunk(std::size_t least) {
    // With big matrices all chunks have one size, which is big enough for huge pages: the pool reuses them.
    constexpr std::size_t usual = (std::size_t{4} << 20) - slack;
    auto const wanted =
        share_ > usual / sizeof(double) / 4 ? usual : std::max(share_, std::size_t{1} << 12) * sizeof(double);
    free_ = std::max(wanted, least);
    Array<std::byte, Host> chunk(Host{}, free_ + slack);
    next_ = chunk.data();
    std::lock_guard lock(target_.mutex);
    target_.chunks.push_back(std::move(chunk));
  }

  PackedRows& target_;
  std::size_t share_;
  std::byte* next_ = nullptr;
  std::size_t free_ = 0;
};

/// Packed rows of one number a column as CSR.
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
