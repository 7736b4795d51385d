#pragma once
/// \file
/// One matrix in all formats: how much is stored, what a product moves, and how long it takes.
#include <nlohmann/json.hpp>
#include <string>

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

/// {rows, nonzeros, longest, automatic, formats: [{format, entries, bytes, seconds}]}; bytes: what a product
/// moves of the matrix, x and y once each. seconds(product) is how long that takes.
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
  for (auto const& [name, format] : sparse::matrix_formats) {
    if (format == sparse::MatrixFormat::automatic) continue;
    sparse::StorageParameters how{format};
    how.borrow = true;
    Stored const S(space, A, {true, {}}, {}, how);
    S.visit_first([&, called = name](auto const& view) {
      auto const time = seconds([&] {
        sparse::row_reduce(space, view, sparse::OneVector<T>{x.data()}, sparse::StoreProduct<T>{y.data()});
      });
      rows.push_back({{"format", called},
                      {"entries", stored_entries(view)},
                      {"bytes", S.product_bytes() + x.bytes() + y.bytes()},
                      {"seconds", time}});
    });
  }
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
