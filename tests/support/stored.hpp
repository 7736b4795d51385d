#pragma once
/// \file
/// All storage formats of a matrix.
#include <string>
#include <type_traits>
#include <vector>

#include "core/parallel.hpp"
#include "sparse/formats/formats.hpp"

namespace Tessera::test {

/// All formats except automatic, with their names.
inline std::vector<std::pair<char const*, sparse::MatrixFormat>> formats() {
  return {std::begin(sparse::matrix_formats) + 1, std::end(sparse::matrix_formats)};
}

/// Whether the type of a view is that of rows in Half.
template <class View>
inline constexpr bool is_scaled = false;
template <class Rows>
inline constexpr bool is_scaled<sparse::ScaledRows<Rows> const&> = true;

/// Calls visit(name, view, stored) for rows of A in each format except CSR. stored: SplitRows, whose first
/// set is view. list: the rows; empty for all.
template <class T, class Space, class Visit>
void for_each_stored(Space const& space, sparse::CsrView<double> A, Span<Index const> list,
                     Visit const& visit) {
  for (auto const& [name, format] : formats()) {
    sparse::RowSet<Space> rows{list.empty(), core::copied(space, list, space)};
    sparse::SplitRows<T, Space> stored(space, A, std::move(rows), {}, {format});
    stored.visit_first([&, called = name](auto const& view) {
      if constexpr (!is_scaled<decltype(view)> &&
                    !std::is_same_v<std::decay_t<decltype(view)>, sparse::CsrRows<T>>)
        visit(called, view, stored);
    });
  }
}

/// A copy on the host of the data that for_each_stored visits.
template <class T>
struct Contents {
  std::string format;
  std::vector<T> value;
  std::vector<Index> column, row;
  bool operator==(Contents const& other) const {
    return format == other.format && value == other.value && column == other.column && row == other.row;
  }
};
template <class T, class Space>
std::vector<Contents<T>> contents(Space const& space, sparse::CsrView<double> A) {
  std::vector<Contents<T>> all;
  for_each_stored<T>(space, A, {}, [&](char const* format, auto const& view, auto const&) {
    all.push_back({format, core::to_vector(space, view.value), core::to_vector(space, view.column),
                   core::to_vector(space, view.row)});
  });
  return all;
}

}  // namespace Tessera::test
