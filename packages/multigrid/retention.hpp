#pragma once
/// \file
/// What is given back, and had again, between setups, refreshes and cycles:
///
///                                       lives while             or as long as
///     near-nullspace, coordinates       its level is set up
///     diagonal                          its level is worked on
///     P, R: values                      its level is worked on  the cycle borrows them
///     P, R: pattern                     its level is worked on  the cycle borrows it, or refreshes are
///     prepared coarse A: values                  the next is worked on coarse A: pattern                 the
///     next is worked on   refreshes are prepared
#include "multigrid/level.hpp"

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

template <class T, class Space>
void give_back_setup(Level<T, Space>& level) {
  level.facts.nullspace = {};
  level.facts.coordinates = {};
}

template <class T, class Space>
void give_back_transfer(Level<T, Space>& level) {
  auto& made = level.coarsening->made;
  auto const of = [&](sparse::Csr<double, Space>& matrix, auto const& stored) {
    give_back(matrix, !made.prepared && !stored.borrows_pattern(), !stored.borrows_values());
  };
  of(made.P.local, level.P.stored());
  of(made.product.restriction().matrix, level.R.stored());
}

/// The coarse matrix in double, which the cycle never borrows.
template <class T, class Space>
void give_back_coarse(Level<T, Space>& level) {
  auto& made = level.coarsening->made;
  give_back(made.product.coarse().local, !made.prepared, true);
  give_back(made.moved.local, !made.prepared, true);
}

}  // namespace Tessera::multigrid
