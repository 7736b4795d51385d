#include "sparse/outer_product_host.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>

#include "core/prefetch.hpp"
#include "sparse/column_table_host.hpp"
#include "sparse/product_lists_host.hpp"
#include "sparse/row_blocks_host.hpp"

namespace Tessera::sparse::outer {
namespace {

namespace lists = hash::lists;

/// Entries that a row of A B or of C may have: places and lengths are bytes.
constexpr Index most_entries = std::numeric_limits<unsigned char>::max();

/// offsets of counts that were written to its front; whether they fit.
bool add_up(Host const& space, Array<Index, Host>& offsets) {
  auto const n = offsets.size() - 1;
  auto const count = offsets.view();
  auto const total = core::sum(space, n, [&](Index i) { return static_cast<Offset>(count[i]); });
  if (total > std::numeric_limits<Index>::max()) return false;
  core::exclusive_scan(space, offsets.span().part(0, n), offsets.span());
  return true;
}

/// Counts the products of each row; false where there are too many.
template <class T>
bool count_inner(Host const& space, CsrView<T> A, CsrView<T> B, ProductPlaces& found) {
  auto& first = found.first_inner;
  first = Array<Index, Host>(space, static_cast<std::size_t>(A.rows) + 1);
  core::for_each(space, A.rows, [&](Index i) {
    Offset products = 0;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k)
      products += B.offsets[A.column[k] + 1] - B.offsets[A.column[k]];
    first[i] = static_cast<Index>(std::min<Offset>(products, std::numeric_limits<Index>::max()));
  });
  auto const count = first.view();
  found.most_inner = core::reduce(
      space, A.rows, [=](Index i) { return count[i]; }, [](Index a, Index b) { return std::max(a, b); },
      Index{0});
  return add_up(space, first);
}

/// The columns of A B, in the chunks of the threads that found them.
struct InnerColumns {
  Array<Index const*, Host> row;
  std::mutex mutex;
  std::vector<Array<Index, Host>> chunks;
};

/// Finds the places of some rows' products in A B.
template <class T>
class InnerPlaces {
 public:
  InnerPlaces(CsrView<T> A, CsrView<T> B, ProductPlaces& found, InnerColumns& columns,
              std::atomic<bool>& fits)
      : A_(A),
        B_(B),
        found_(found),
        columns_(columns),
        fits_(fits),
        places_(B.columns),
        listed_(Host{}, static_cast<std::size_t>(found.most_inner) + lists::block) {}

  void operator()(Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      if (free_ <= found_.most_inner) add_chunk();
      list(i);
      auto const first = found_.first_inner[i];
      auto const count = find(found_.first_inner[i + 1] - first, listed_.data(), places_.numbers(),
                              found_.inner.data() + first, next_);
      places_.finish(count);
      if (count > most_entries) fits_ = false;
      found_.length[i] = static_cast<unsigned char>(count);
      columns_.row[i] = next_;
      next_ += count;
      free_ -= count;
    }
  }

 private:
  void add_chunk() {
    free_ = std::max(Index{1} << 18, found_.most_inner + 1);
    Array<Index, Host> chunk(Host{}, free_);
    next_ = chunk.data();
    std::lock_guard lock(columns_.mutex);
    columns_.chunks.push_back(std::move(chunk));
  }
  /// The columns of row i's products, in blocks since nobody foresees the length of a row of B.
  void list(Index i) {
    Index* to = listed_.data();
    for (Offset k = A_.offsets[i]; k < A_.offsets[i + 1]; ++k) {
      auto const first = B_.offsets[A_.column[k]];
      auto const length = static_cast<Index>(B_.offsets[A_.column[k] + 1] - first);
      Index const* const from = B_.column.data() + first;
      if (B_.column.end() - from < length + lists::block) {
        std::copy_n(from, length, to);
      } else {
        lists::copy(from, length, to);
      }
      to += length;
    }
  }
  static Index find(Index listed, Index const* __restrict list, hash::DensePlaces::Numbers numbers,
                    unsigned char* __restrict inner, Index* __restrict column) {
    Index count = 0;
    for (Index p = 0; p < listed; ++p) {
      auto const place = numbers.place(list[p], count);
      inner[p] = static_cast<unsigned char>(place);
      column[count] = list[p];
      count += place == count ? 1 : 0;
    }
    return count;
  }

  CsrView<T> A_, B_;
  ProductPlaces& found_;
  InnerColumns& columns_;
  std::atomic<bool>& fits_;
  hash::DensePlaces places_;
  Array<Index, Host> listed_;
  Index* next_ = nullptr;
  Index free_ = 0;
};

/// Finds the places of some rows' products in C: a table tells those of the row's columns.
template <class T>
class OuterPlaces {
 public:
  OuterPlaces(CsrView<T> P, Transposed<T, Host> const& R, InnerColumns const& inner, CsrView<T> C,
              ProductPlaces& found)
      : P_(P),
        R_(R.matrix.view()),
        source_(R.source.view()),
        inner_(inner),
        C_(C),
        found_(found),
        entries_(static_cast<Offset>(R_.column.size())),
        place_(Host{}, C.columns) {}

  void operator()(Index begin, Index end) {
    for (Index I = begin; I < end; ++I) {
      auto const first = C_.offsets[I], count = C_.offsets[I + 1] - first;
      for (Offset k = 0; k < count; ++k) place_[C_.column[first + k]] = static_cast<unsigned char>(k);
      for (Offset r = R_.offsets[I]; r < R_.offsets[I + 1]; ++r) {
        if (r + ahead < entries_) ask_for(R_.column[r + ahead]);
        auto const i = R_.column[r];
        Index const* const column = inner_.row[i];
        Index const length = found_.length[i];
        unsigned char* const outer = found_.outer_of(i, entry_of(i, I, r));
        for (Index s = 0; s < length; ++s) outer[s] = place_[column[s]];
      }
    }
  }

 private:
  static constexpr Offset ahead = 12;  ///< entries; rows of an aggregate lie in several stretches of memory
  void ask_for(Index i) const {
    core::prefetch(inner_.row[i]);
    core::prefetch(found_.outer.data() + found_.first_outer[i]);
  }
  /// Which entry of row i of P is in column I, entry r of R.
  Index entry_of(Index i, Index I, Offset r) const {
    auto k = P_.offsets[i];
    if (!source_.empty()) return static_cast<Index>(source_[r] - k);
    while (P_.column[k] != I) ++k;
    return static_cast<Index>(k - P_.offsets[i]);
  }

  CsrView<T> P_, R_;
  Span<Index const> source_;
  InnerColumns const& inner_;
  CsrView<T> C_;
  ProductPlaces& found_;
  Offset entries_;
  Array<unsigned char, Host> place_;
};

/// Adds one part's products up.
template <class T>
class PartSums {
 public:
  PartSums(CsrView<T> P, CsrView<T> A, CsrView<T> B, ProductPlaces const& places, Csr<T, Host>& C)
      : P_(P),
        A_(A),
        B_(B),
        places_(places),
        C_(C),
        listed_(Host{}, static_cast<std::size_t>(places.most_inner) + lists::block) {}

  void operator()(Part const& part) {
    T* const sums = C_.value.data();
    std::fill(sums + C_.offsets[part.begin], sums + C_.offsets[part.end], T{0});
    for (Index i = part.first; i < part.last; ++i) {
      bool summed = false;
      Index const length = places_.length[i];
      for (Offset k = P_.offsets[i]; k < P_.offsets[i + 1]; ++k) {
        Index const I = P_.column[k];
        if (I < part.begin || I >= part.end) continue;
        if (!summed) sum_up(i, length);
        summed = true;
        add(length, P_.value[k], row_, places_.outer_of(i, static_cast<Index>(k - P_.offsets[i])),
            sums + C_.offsets[I]);
      }
    }
  }

 private:
  void sum_up(Index i, Index length) {
    list(i);
    for (Index s = 0; s < length; s += lists::block) {
      for (Index l = 0; l < lists::block; ++l) row_[s + l] = 0;
    }
    auto const first = places_.first_inner[i];
    scatter(places_.first_inner[i + 1] - first, listed_.data(), places_.inner.data() + first, row_);
  }
  /// The products of row i of A with rows of B, in blocks since nobody foresees a row's length.
  void list(Index i) {
    Index const* __restrict const column = A_.column.data();
    T const* __restrict const entry = A_.value.data();
    Offset const* __restrict const begin = B_.offsets.data();
    T const* const end = B_.value.end();
    T* __restrict to = listed_.data();
    for (Offset k = A_.offsets[i]; k < A_.offsets[i + 1]; ++k) {
      T const* __restrict const from = B_.value.data() + begin[column[k]];
      auto const length = static_cast<Index>(begin[column[k] + 1] - begin[column[k]]);
      T const a = entry[k];
      Index s = 0;
      if (end - from < length + lists::block) {
        for (; s < length; ++s) to[s] = a * from[s];
      }
      for (; s < length; s += lists::block) {
        for (Index l = 0; l < lists::block; ++l) to[s + l] = a * from[s + l];
      }
      to += length;
    }
  }
  static void scatter(Index count, T const* __restrict listed, unsigned char const* __restrict place,
                      T* __restrict sum) {
    for (Index s = 0; s < count; ++s) sum[place[s]] += listed[s];
  }
  static void add(Index count, T p, T const* __restrict row, unsigned char const* __restrict place,
                  T* __restrict sum) {
    for (Index s = 0; s < count; ++s) sum[place[s]] += p * row[s];
  }

  CsrView<T> P_, A_, B_;
  ProductPlaces const& places_;
  Csr<T, Host>& C_;
  Array<T, Host> listed_;
  alignas(64) T row_[most_entries + 1 + lists::block];
};

}  // namespace

template <class T>
std::vector<Part> parts(CsrView<T> R) {
  auto const entries = static_cast<std::ptrdiff_t>(R.column.size());
  std::int64_t const wanted = entries < core::serial_below ? 1 : omp_get_max_threads();
  std::vector<Part> result(wanted);
  for_parts(result.size(), [&](std::size_t t) {
    auto const row_at = [&](std::int64_t s) {
      auto const work = entries * s / wanted;
      auto const begin = R.offsets.begin(), end = begin + R.rows;
      return s == wanted ? R.rows : static_cast<Index>(std::lower_bound(begin, end, work) - begin);
    };
    Part part{row_at(t), row_at(t + 1), R.columns, 0};
    for (Index I = part.begin; I < part.end; ++I) {
      if (R.offsets[I] == R.offsets[I + 1]) continue;
      part.first = std::min(part.first, R.column[R.offsets[I]]);
      part.last = std::max(part.last, R.column[R.offsets[I + 1] - 1] + 1);
    }
    result[t] = part;
  });
  std::int64_t rows = 0;
  for (auto const& part : result) rows += std::max(0, part.last - part.first);
  if (rows > 4 * std::int64_t{R.columns}) return {};
  return result;
}

template <class T>
ProductPlaces places(Host const& space, CsrView<T> P, Transposed<T, Host> const& R, CsrView<T> A,
                     CsrView<T> B, CsrView<T> C) {
  if (!hash::dense_tables(B.columns)) return {};
  auto const longest = core::reduce(
      space, C.rows, [=](Index I) { return C.offsets[I + 1] - C.offsets[I]; },
      [](Offset a, Offset b) { return std::max(a, b); }, Offset{0});
  ProductPlaces found;
  if (longest > most_entries || !count_inner(space, A, B, found)) return {};
  found.inner = Array<unsigned char, Host>(space, found.first_inner[A.rows]);
  found.length = Array<unsigned char, Host>(space, A.rows);
  std::atomic<bool> fits{true};
  InnerColumns inner;
  inner.row = Array<Index const*, Host>(space, A.rows);
  for_row_blocks(A.rows, [&] { return InnerPlaces<T>(A, B, found, inner, fits); });
  if (!fits) return {};

  auto& first = found.first_outer;
  first = Array<Index, Host>(space, static_cast<std::size_t>(P.rows) + 1);
  core::for_each(space, P.rows, [&](Index i) {
    auto const products = (P.offsets[i + 1] - P.offsets[i]) * found.length[i];
    first[i] = static_cast<Index>(std::min<Offset>(products, std::numeric_limits<Index>::max()));
  });
  if (!add_up(space, first)) return {};
  found.outer = Array<unsigned char, Host>(space, first[P.rows]);
  for_row_blocks(R.matrix.rows, [&] { return OuterPlaces<T>(P, R, inner, C, found); });
  return found;
}

template <class T>
void multiply(std::vector<Part> const& parts, CsrView<T> P, CsrView<T> A, CsrView<T> B,
              ProductPlaces const& places, Csr<T, Host>& C) {
  for_parts(parts.size(), [&](std::size_t t) { PartSums<T>(P, A, B, places, C)(parts[t]); });
}

#define TESSERA_INSTANTIATE(T)                                                                               \
  template std::vector<Part> parts(CsrView<T>);                                                              \
  template ProductPlaces places(Host const&, CsrView<T>, Transposed<T, Host> const&, CsrView<T>, CsrView<T>, \
                                CsrView<T>);                                                                 \
  template void multiply(std::vector<Part> const&, CsrView<T>, CsrView<T>, CsrView<T>, ProductPlaces const&, \
                         Csr<T, Host>&);
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(float)

}  // namespace Tessera::sparse::outer
