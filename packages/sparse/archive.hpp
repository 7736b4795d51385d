#pragma once
/// \file
/// Matrices of this rank in an archive.
#include "core/archive.hpp"
#include "sparse/csr.hpp"

namespace Tessera::sparse {

/// Saves or loads A, which has of_rows rows and of_columns columns.
template <class T, class Space>
void archive(core::Archive& file, Space const& space, Csr<T, Space>& A, Index of_rows, Index of_columns) {
  auto& [rows, columns, offsets, column, value] = A;
  file(rows, columns);
  file.require(rows == of_rows && columns == of_columns, "a matrix is ", rows, " x ", columns,
               " where it should be ", of_rows, " x ", of_columns);
  std::size_t entries = 0;
  file.array(space, offsets, [&](Span<Offset const> all) {
    core::require_offsets(file, all, static_cast<std::size_t>(of_rows), "offsets of rows");
    entries = static_cast<std::size_t>(all[of_rows]);
  });
  file.array(space, column, [&](Span<Index const> all) {
    core::require_size(file, all, entries, "columns");
    core::require_between(file, all, Index{0}, of_columns - 1, "columns");
  });
  file.array(space, value, [&](Span<T const> all) {
    core::require_size(file, all, entries, "entries");
    core::require_finite(file, all, "entries");
  });
}

}  // namespace Tessera::sparse
