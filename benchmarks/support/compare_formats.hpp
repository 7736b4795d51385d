#pragma once
/// \file
/// One matrix in all formats: how much is stored, what a product moves, and how long it takes.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "sparse/engine/row_reduce.hpp"
#include "sparse/formats/formats.hpp"

namespace Tessera::benchmarks {

template <class T>
std::size_t stored_entries(sparse::CsrRows<T> const& A) {
  return A.matrix.value.size();
}
template <class View>
std::size_t stored_entries(View const& A) {
  return A.value.size();
}
template <class Rows>
std::size_t stored_entries(sparse::ScaledRows<Rows> const& A) {
  return stored_entries(A.stored);
}

/// Q A Q^T with the longest rows first, as pJDS sorts them. Entries of a row keep their order.
template <class Space>
sparse::Csr<double, Space> longest_first(Space const& space, sparse::CsrView<double> A) {
  auto const offsets = core::to_vector(space, A.offsets);
  auto const columns = core::to_vector(space, A.column);
  auto const values = core::to_vector(space, A.value);
  auto const length = [&](Index i) { return offsets[i + 1] - offsets[i]; };
  std::vector<Index> row_at(static_cast<std::size_t>(A.rows)), place(row_at.size());
  std::iota(row_at.begin(), row_at.end(), 0);
  std::stable_sort(row_at.begin(), row_at.end(), [&](Index i, Index j) { return length(i) > length(j); });
  for (Index k = 0; k < A.rows; ++k) place[row_at[k]] = k;
  sparse::Csr<double, Host> sorted;
  sorted.rows = sorted.columns = A.rows;
  sorted.offsets = Array<Offset, Host>(Host{}, offsets.size());
  sorted.column = Array<Index, Host>(Host{}, columns.size());
  sorted.value = Array<double, Host>(Host{}, values.size());
  Offset to = 0;
  for (Index k = 0; k < A.rows; ++k) {
    sorted.offsets[k] = to;
    for (Offset from = offsets[row_at[k]]; from < offsets[row_at[k] + 1]; ++from, ++to) {
      sorted.column[to] = place[columns[from]];
      sorted.value[to] = values[from];
    }
  }
  sorted.offsets[A.rows] = to;
  return sparse::copied<double>(Host{}, sorted, space);
}

/// {rows, nonzeros, longest, automatic, formats: [{format, entries, bytes, seconds}]}; bytes: what a product
/// moves of the matrix, x and y once each. seconds(product) is how long that takes. The last is pJDS in its
/// own basis, where products read and write vectors in the order of its rows.
template <class T, class Space, class Seconds>
nlohmann::ordered_json compare_formats(Space const& space, sparse::CsrView<double> A,
                                       Seconds const& seconds) {
  using Stored = sparse::SplitRows<T, Space>;
  auto const offsets = core::to_vector(space, A.offsets);
  Offset longest = 0;
  for (std::size_t i = 1; i < offsets.size(); ++i) longest = std::max(longest, offsets[i] - offsets[i - 1]);
  Array<T, Space> x(space, A.columns), y(space, A.rows);
  core::fill(space, x.span(), T{1});
  auto rows = nlohmann::ordered_json::array();
  auto const add = [&](char const* called, sparse::MatrixFormat format, sparse::CsrView<double> B) {
    sparse::StorageParameters how{format};
    how.borrow = true;
    Stored const S(space, B, {true, {}}, {}, how);
    S.visit_first([&](auto const& view) {
      auto const time = seconds([&] {
        sparse::row_reduce(space, view, sparse::OneVector<T>{x.data()}, sparse::StoreProduct<T>{y.data()});
      });
      rows.push_back({{"format", called},
                      {"entries", stored_entries(view)},
                      {"bytes", S.product_bytes() + x.bytes() + y.bytes()},
                      {"seconds", time}});
    });
  };
  for (auto const& [name, format] : sparse::matrix_formats) {
    if (format != sparse::MatrixFormat::automatic) add(name, format, A);
  }
  add("pJDS permuted", sparse::MatrixFormat::pjds, longest_first(space, A).view());
  sparse::StorageParameters how;
  how.borrow = true;
  return {{"rows", A.rows},
          {"nonzeros", A.column.size()},
          {"longest", longest},
          {"automatic", Stored(space, A, {true, {}}, {}, how).format()},
          {"formats", rows}};
}

/// The code balance of a product in double (Kreutzer et al. 2012, equation 1), bytes a flop: 8 and 4 of an
/// entry, x from memory for a share alpha of the entries, y read and written.
inline double code_balance(double alpha, double entries_of_a_row) {
  return 6 + 4 * alpha + 8 / entries_of_a_row;
}

}  // namespace Tessera::benchmarks
