#pragma once
/// \file
/// Matrices of this rank in an archive.
#include "core/archive.hpp"
#include "sparse/csr.hpp"

namespace Tessera::sparse {

template <class T, class Space>
void archive(core::Archive& file, Space const& space, Csr<T, Space>& A) {
  auto& [rows, columns, offsets, column, value] = A;
  file(rows, columns);
  file.array(space, offsets);
  file.array(space, column);
  file.array(space, value);
}

}  // namespace Tessera::sparse
