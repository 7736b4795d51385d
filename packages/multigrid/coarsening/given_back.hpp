#pragma once
/// \file
/// Values and patterns that are given back, and had again.
#include "sparse/csr.hpp"

namespace Tessera::multigrid {

template <class Space>
void give_back(sparse::Csr<double, Space>& matrix, bool pattern, bool values) {
  if (values) matrix.value = {};
  if (!pattern) return;
  matrix.offsets = {};
  matrix.column = {};
}

/// Room for values that were given back.
template <class Space>
void restore_values(Space const& space, sparse::Csr<double, Space>& matrix) {
  if (matrix.value.empty()) matrix.value = Array<double, Space>(space, matrix.column.size());
}

}  // namespace Tessera::multigrid
