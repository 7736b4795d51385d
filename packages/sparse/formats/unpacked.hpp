#pragma once
/// \file
/// Stored matrices back to CSR on the host, and in an archive.
#include <algorithm>
#include <deque>
#include <type_traits>
#include <vector>

#include "sparse/archive.hpp"
#include "sparse/convert.hpp"
#include "sparse/formats/formats.hpp"

namespace Tessera::sparse {

/// Spans of a space on the host: the spans themselves, or copies that this object owns.
template <class Space>
class OnHost {
 public:
  explicit OnHost(Space const& space) : space_(space) {}
  template <class T>
  Span<T const> operator()(Span<T const> span) {
    if constexpr (std::is_same_v<Space, Host>) {
      return span;
    } else {
      auto const bytes = span.size() * sizeof(T);
      auto& copy = copies_.emplace_back(bytes / sizeof(double) + 1);  // aligned
      core::copy_bytes(space_, span.data(), Host{}, copy.data(), bytes);
      return {reinterpret_cast<T const*>(copy.data()), span.size()};
    }
  }

 private:
  Space space_;
  std::deque<std::vector<double>> copies_;
};

/// The views of formats.hpp with their arrays on the host.
template <class T, class Space>
CsrRows<T> fetched(OnHost<Space>& on_host, CsrRows<T> rows) {
  auto& A = rows.matrix;
  A.offsets = on_host(A.offsets);
  A.column = on_host(A.column);
  A.value = on_host(A.value);
  if (rows.list != nullptr && rows.count > 0)
    rows.list = on_host(Span<Index const>(rows.list, static_cast<std::size_t>(rows.count))).data();
  return rows;
}
template <class T, class Space>
SellView<T> fetched(OnHost<Space>& on_host, SellView<T> S) {
  S.offsets = on_host(S.offsets);
  S.value = on_host(S.value);
  S.row = on_host(S.row);
  S.column = on_host(S.column);
  S.column_offsets = on_host(S.column_offsets);
  S.diagonal = on_host(S.diagonal);
  return S;
}
template <class View, class Space>
View fetched_slots(OnHost<Space>& on_host, View S) {
  S.value = on_host(S.value);
  S.column = on_host(S.column);
  S.row = on_host(S.row);
  S.entries = on_host(S.entries);
  return S;
}
template <class T, class Space>
EllpackRView<T> fetched(OnHost<Space>& on_host, EllpackRView<T> S) {
  return fetched_slots(on_host, S);
}
template <class T, class Space>
HybView<T> fetched(OnHost<Space>& on_host, HybView<T> S) {
  S.rest = on_host(S.rest);
  return fetched_slots(on_host, S);
}
template <class Rows, class Space>
ScaledRows<Rows> fetched(OnHost<Space>& on_host, ScaledRows<Rows> S) {
  auto const n = static_cast<std::size_t>(S.rows);
  auto const* const rest = S.scales.rest;
  S.stored = fetched(on_host, S.stored);
  S.scales.exponent = on_host(Span<unsigned char const>(S.scales.exponent, n)).data();
  if (rest != nullptr) S.scales.rest = on_host(Span<Half const>(rest, n)).data();
  return S;
}

/// Calls take(row, column, value) for all entries, in storage order within a row. Zeros of a Sell that may be
/// padding are left out: on diagonals, in runs, and at column 0 of a row without other entries.
template <class T, class Take>
void for_each_stored(CsrRows<T> const& rows, Take const& take) {
  auto const& A = rows.matrix;
  for (Index p = 0; p < rows.count; ++p) {
    Index const i = rows[p];
    for (auto k = A.offsets[i]; k < A.offsets[i + 1]; ++k) take(i, A.column[k], A.value[k]);
  }
}
template <class T, class Take>
void for_each_stored(SellView<T> const& S, Take const& take) {
  for (std::size_t slot = 0; slot < S.row.size(); ++slot) {
    Index const i = S.row[slot], c = static_cast<Index>(slot / S.chunk);
    auto const lane = static_cast<Offset>(slot % S.chunk);
    if (i < 0) continue;
    bool const diagonals = S.on_diagonals(c);
    Index last = -1;  // padding repeats it
    for (auto j = S.offsets[c]; j < S.offsets[c + 1]; j += S.chunk) {
      auto const entry = (j - S.offsets[c]) / S.chunk;
      auto const column = diagonals
                              ? i + S.diagonal[j / S.chunk]
                              : S.column[S.columns_begin(c) + entry / S.run * S.chunk + lane] + entry % S.run;
      auto const a = S.value[j + lane];
      bool const unclear = a == T{0} && (diagonals || S.run > 1 || (last < 0 && column == 0));
      if (S.run == 1 && column == last) break;
      last = column;
      if (!unclear) take(i, column, a);
    }
  }
}
template <class View, class Take>
void for_each_slot(View const& S, Take const& take) {
  for (Index slot = 0; slot < S.slots(); ++slot) {
    Index const i = S.row_of(slot);
    for (int j = 0; i >= 0 && j < S.length(slot); ++j) {
      auto const k = S.at(S.begin(slot), j);
      take(i, S.column[k], S.value[k]);
    }
  }
}
template <class T, class Take>
void for_each_stored(EllpackRView<T> const& S, Take const& take) {
  for_each_slot(S, take);
}
template <class T, class Take>
void for_each_stored(HybView<T> const& S, Take const& take) {
  for_each_slot(S, take);
}
template <class Rows, class Take>
void for_each_stored(ScaledRows<Rows> const& S, Take const& take) {
  auto const& scales = S.scales;
  for_each_stored(S.stored, [&](Index i, Index c, float a) {
    float const further = c == i && scales.rest != nullptr ? static_cast<float>(scales.rest[i]) : 0;
    take(i, c, core::half_scale(scales.exponent[i]) * (a + further));
  });
}

/// The entries of for_each_stored as a rows x columns matrix. Its products are bitwise the same, since sums
/// begin with a zero.
template <class T, class Space>
Csr<T, Host> unpacked(Space const& space, SplitRows<T, Space> const& stored, Index rows, Index columns) {
  OnHost<Space> on_host(space);
  Csr<T, Host> A{rows, columns, {Host{}, static_cast<std::size_t>(rows) + 1}, {}, {}};
  std::fill(A.offsets.begin(), A.offsets.end(), Offset{0});
  auto const visit = [&](auto const& take) {
    auto const part = [&](auto const& view) { for_each_stored(fetched(on_host, view), take); };
    stored.visit_first(part);
    stored.visit_second(part);
  };
  visit([&](Index i, Index, T) { ++A.offsets[i + 1]; });
  for (Index i = 0; i < rows; ++i) A.offsets[i + 1] += A.offsets[i];
  auto const entries = static_cast<std::size_t>(A.offsets[rows]);
  A.column = Array<Index, Host>(Host{}, entries);
  A.value = Array<T, Host>(Host{}, entries);
  std::vector<Offset> next(A.offsets.begin(), A.offsets.end() - 1);
  visit([&](Index i, Index c, T a) {
    A.column[next[i]] = c;
    A.value[next[i]++] = a;
  });
  return A;
}

/// Saves the stored entries of a rows x columns matrix as CSR, with values in T. Loads the values as double
/// without rounding, so that storing them again gives the same entries.
template <class T, class Space>
void archive_stored(core::Archive& file, Space const& space, SplitRows<T, Space> const* stored, Index rows,
                    Index columns, Csr<double, Space>& loaded) {
  if (file.saves()) {
    auto A = unpacked(space, *stored, rows, columns);
    return archive(file, Host{}, A, rows, columns);
  }
  Csr<T, Space> A;
  archive(file, space, A, rows, columns);
  loaded = {A.rows, A.columns, std::move(A.offsets), std::move(A.column),
            Array<double, Space>(space, A.value.size())};
  convert(space, A.value.view(), loaded.value.span());
}

}  // namespace Tessera::sparse
