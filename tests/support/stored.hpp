#pragma once
/// \file
/// Every format that a matrix can be stored in.
#include <string>
#include <vector>

#include "sparse/formats/formats.hpp"

namespace Tessera::test {

/// All but automatic, by their names.
inline std::vector<std::pair<char const*, sparse::MatrixFormat>> formats() {
  return {std::begin(sparse::matrix_formats) + 1, std::end(sparse::matrix_formats)};
}

/// visit(name, view, stored) for the listed rows in each format that is made of them, hence not CSR.
template <class T, class From, class Space, class Visit>
void for_each_stored(Space const& space, sparse::CsrRows<From> rows, Visit const& visit) {
  for (auto const& [name, format] : formats()) {
    if (format == sparse::MatrixFormat::csr) continue;
    auto stored = sparse::stored_rows<T>(space, rows, {format});
    std::visit(
        [&, called = name](auto const& part) {
          if constexpr (!sparse::is_csr_part<std::decay_t<decltype(part)>>)
            visit(called, part.view(), stored);
        },
        stored);
  }
}

/// What for_each_stored visits: names, values, columns and rows, on the host.
template <class T>
struct Contents {
  std::string format;
  std::vector<T> value;
  std::vector<Index> column, row;
  bool operator==(Contents const& other) const {
    return format == other.format && value == other.value && column == other.column && row == other.row;
  }
};
template <class T, class From, class Space>
std::vector<Contents<T>> contents(Space const& space, sparse::CsrRows<From> rows) {
  std::vector<Contents<T>> all;
  for_each_stored<T>(space, rows, [&](char const* format, auto view, auto const&) {
    all.push_back({format, core::to_vector(space, view.value), core::to_vector(space, view.column),
                   core::to_vector(space, view.row)});
  });
  return all;
}

}  // namespace Tessera::test
