#pragma once
/// \file
/// What is given back, and had again, between setups, refreshes and cycles.
///
/// - Near-nullspace and coordinates live while their level is set up.
/// - The diagonal lives while its level is worked on.
/// - Values of P and R live while their level is worked on, or as long as the cycle borrows them; patterns
///   also where refreshes are prepared.
/// - Values of the coarse A and its scale live while the next level is worked on; the pattern also where
///   refreshes are prepared.
#include "multigrid/levels/level.hpp"

namespace Tessera::multigrid {

template <class T, class Space>
void release_setup(Level<T, Space>& level) {
  level.facts.nullspace = {};
  level.facts.coordinates = {};
  level.facts.resistance = {};
}

template <class T, class Space>
void give_back_transfer(Level<T, Space>& level) {
  auto& made = level.coarsening->made;
  auto& P = made.P.local;
  auto& R = made.product.restriction().matrix;
  auto const* const stored = std::get_if<StoredTransfer<T, Space>>(&*level.transfer);
  if (stored == nullptr) {
    give_back(P, !made.prepared, true);
    give_back(R, !made.prepared, true);
    return;
  }
  auto const of = [&](sparse::Csr<double, Space>& matrix, auto const& rows) {
    give_back(matrix, !made.prepared && !rows.borrows_pattern(), !rows.borrows_values());
  };
  of(P, stored->P.stored());
  of(R, stored->R.stored());
}

/// The coarse matrix in double, which the cycle never borrows.
template <class T, class Space>
void give_back_coarse(Level<T, Space>& level) {
  auto& made = level.coarsening->made;
  give_back(made.unmoved().local, !made.prepared, true);
  give_back(made.moved.local, !made.prepared, true);
  made.unmoved_scale = {};
  made.moved_scale = {};
}

}  // namespace Tessera::multigrid
