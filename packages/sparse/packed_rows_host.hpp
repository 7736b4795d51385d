#pragma once
/// \file
/// Rows made in one pass, of lengths that nobody knew before.
#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <vector>

#include "core/parallel.hpp"
#include "core/prefetch.hpp"
#include "sparse/formats/csr.hpp"
#include "sparse/product_lists_host.hpp"

namespace Tessera::sparse {

/// A row that lies somewhere.
template <class T>
struct RowEntries {
  Index const* column;
  T const* value;
  Index count;
};

/// A matrix whose rows lie in the chunks of the threads that made them: the values, then the columns of a
/// row, so that reading a row is reading one stretch.
template <class T>
struct PackedRows {
  struct Row {
    T* value;
    Index count;
    Index* column() const { return reinterpret_cast<Index*>(value + count); }
  };
  static std::size_t length_of(Index count) {  ///< in units of T
    auto const entries = static_cast<std::size_t>(count);
    return entries + (entries * sizeof(Index) + sizeof(T) - 1) / sizeof(T);
  }

  void reset(Index row_count, Index column_count) {
    columns = column_count;
    rows = Array<Row, Host>(Host{}, row_count);
  }
  RowEntries<T> operator[](Index i) const {
    Row const row = rows[i];
    return {row.column(), row.value, row.count};
  }
  /// Whether what lies behind a row's values may be multiplied: they are columns, which as numbers would be
  /// denormal and slow.
  static constexpr bool numbers_behind = false;
  /// Whether nothing may be read behind a row.
  bool is_last(RowEntries<T> const&) const { return false; }
  /// Asks for the first cache lines of a row that is read soon.
  void ahead(Index i) const {
    auto const* const line = reinterpret_cast<char const*>(rows[i].value);
    core::prefetch(line);
    core::prefetch(line + 64);
    core::prefetch(line + 128);
  }

  Index columns = 0;
  Array<Row, Host> rows;
  std::mutex mutex;
  std::vector<Array<T, Host>> chunks;
};

/// One thread's access to PackedRows.
template <class T>
class PackedWriter {
 public:
  struct Place {
    Index* column;
    T* value;
  };
  /// work: the size of what the rows are made of; a chunk is a share of it.
  PackedWriter(PackedRows<T>& target, std::size_t work)
      : target_(target), share_(work / static_cast<std::size_t>(4 * omp_get_max_threads())) {}

  /// Room for row i, where the caller writes `count` entries, values first: up to `slack` more may be
  /// written, and read later.
  static constexpr Index slack = 8;
  Place add(Index i, Index count) {
    auto const length = PackedRows<T>::length_of(count);
    if (length > free_) add_chunk(length);
    typename PackedRows<T>::Row const row{next_, count};
    target_.rows[i] = row;
    next_ += length;
    free_ -= length;
    return {row.column(), row.value};
  }

 private:
  void add_chunk(std::size_t least) {
    // With big matrices all of one size, which is big enough for huge pages: they serve again.
    constexpr std::size_t usual = (std::size_t{4} << 20) / sizeof(T) - slack;
    auto const wanted = share_ > usual / 4 ? usual : std::max(share_, std::size_t{1} << 12);
    free_ = std::max(wanted, least);
    Array<T, Host> chunk(Host{}, free_ + slack);
    next_ = chunk.data();
    std::lock_guard lock(target_.mutex);
    target_.chunks.push_back(std::move(chunk));
  }

  PackedRows<T>& target_;
  std::size_t share_;
  T* next_ = nullptr;
  std::size_t free_ = 0;
};

template <class T>
Csr<T, Host> to_csr(Host const& space, PackedRows<T> const& packed) {
  auto const n = static_cast<Index>(packed.rows.size());
  Array<Offset, Host> offsets(space, static_cast<std::size_t>(n) + 1);
  core::for_each(space, n, [&](Index i) { offsets[i] = packed.rows[i].count; });
  auto const nonzeros =
      static_cast<std::size_t>(core::exclusive_scan(space, offsets.span().part(0, n), offsets.span()));
  Csr<T, Host> C{n, packed.columns, std::move(offsets), Array<Index, Host>(space, nonzeros),
                 Array<T, Host>(space, nonzeros)};
  constexpr Index stretch = 4096;
  core::for_each_heavy(space, (static_cast<std::size_t>(n) + stretch - 1) / stretch, [&](Index s) {
    auto const last = static_cast<Index>(std::min<std::int64_t>(n, (s + std::int64_t{1}) * stretch));
    auto const end = C.offsets[last];
    for (Index i = s * stretch; i < last; ++i) {
      auto const row = packed[i];
      auto const to = C.offsets[i];
      if (to + row.count + hash::lists::block > end) {
        std::copy_n(row.column, row.count, C.column.data() + to);
        std::copy_n(row.value, row.count, C.value.data() + to);
      } else {
        hash::lists::copy(row.column, row.count, C.column.data() + to);
        hash::lists::copy(row.value, row.count, C.value.data() + to);
      }
    }
  });
  return C;
}

}  // namespace Tessera::sparse
