#pragma once
/// \file
/// The hierarchy's refresh.
#include <algorithm>
#include <type_traits>

#include "core/error.hpp"
#include "core/out_of_memory.hpp"
#include "multigrid/coarse_solver_body.hpp"
#include "multigrid/coarsening/coarsening_body.hpp"
#include "multigrid/levels/retention.hpp"
#include "multigrid/levels/setup_body.hpp"

namespace Tessera::multigrid {

/// The level's matrix as the cycle has it, where that is one set of chunks in float.
template <class T, class Space>
sparse::SellView<float> stored_rows(Level<T, Space> const& level) {
  sparse::SellView<float> rows;
  level.A.stored().visit_first([&](auto const& view) {
    if constexpr (std::is_same_v<std::decay_t<decltype(view)>, sparse::SellView<float>>) rows = view;
  });
  return rows;
}

template <class T, class Space>
void refresh_transfer(Space const& space, Levels<T, Space>& levels, Level<T, Space>& level) {
  if (levels.loaded) return add_transfer(space, levels, level);
  levels.clock->phase("transfer");
  if (auto* const stored = std::get_if<StoredTransfer<T, Space>>(&*level.transfer)) {
    stored->R.refresh(space, level.coarsening->made.product.restriction());
    stored->P.refresh(space, level.coarsening->made.P);
  }
  give_back_transfer(level);
}

/// New values of one level. checked: they are waited for, and what is wrong is thrown.
template <class T, class Space>
void refresh_level(Space const& space, Levels<T, Space>& levels, Level<T, Space>& level, bool checked) {
  auto& clock = *levels.clock;
  auto const& A = *level.facts.A;
  clock.phase("smoother");
  if (levels.loaded) {
    level.A = comm::DistMatrix<T, Space>(space, A, storage(levels.parameters));
  } else {
    level.A.refresh(space, A);
  }
  clock.phase("eigenvalue");
  bool const smoothed = level.coarsening || !levels.coarse;
  level.facts.find(space, levels.parameters, smoothed, stored_rows(level));
  if (checked) level.facts.check(space, levels.parameters);
  clock.phase("smoother");
  if (smoothed) level.smoother.refresh(space, A, level.facts.diagonal.view());
  if (level.coarsening) {
    level.coarsening->refresh(space, level.facts, levels.parameters, !levels.prepared, levels.timed());
    refresh_transfer(space, levels, level);
  }
  level.facts.diagonal = {};
}

/// The numbers of all levels, which are waited for. False: those of some level are not usable.
template <class T, class Space>
bool take_numbers(Space const& space, Levels<T, Space>& levels) {
  auto const found = core::to_vector(space, levels.numbers.view().part(0, levels.level.size()));
  if (!std::all_of(found.begin(), found.end(), usable)) return false;
  for (auto const& level : levels.level) level->facts.take(found[level->facts.level], levels.parameters);
  return true;
}

/// All levels. checked: one is looked at after the other, and what is wrong is thrown. If not, one GPU waits
/// for nothing before the end; false where something is wrong. `number` is the level that is being worked on.
template <class T, class Space>
bool refresh_levels(Space const& space, Levels<T, Space>& levels, bool checked, int& number) {
  levels.clock->restart();
  for (auto& level : levels.level) {
    number = level->facts.level;
    refresh_level(space, levels, *level, checked);
  }
  auto const& coarsest = *levels.level.back()->facts.A;
  levels.clock->phase("coarse solver");
  auto const* const scale = levels.level.back()->facts.scale;
  bool const refreshed = levels.coarse && !levels.loaded;
  if (refreshed) levels.coarse->begin_refresh(space, coarsest, scale);
  if (levels.coarse && !refreshed) levels.coarse->make_loaded(space, coarsest, scale);
  levels.clock->phase(nullptr);
  if (!checked && !take_numbers(space, levels)) return false;
  for (auto& level : levels.level) {
    if (level->coarsening || !levels.coarse) level->smoother.set_radius(level->facts.rho);
  }
  if (refreshed) levels.coarse->end_refresh(space, coarsest, scale);
  return true;
}

/// New values of the finest matrix. Collective.
template <class T, class Space>
void refresh(Space const& space, comm::DistCsr<double, Space> const& A, Levels<T, Space>& levels) {
  int number = 0;
  levels.level.front()->facts.A = &A;  // the caller's; gone after the refresh
  core::name_out_of_memory([&] { return core::message("level ", number); },
                           [&] {
                             bool const ahead =
                                 core::SpaceTraits<Space>::runs_ahead && A.rows.comm().size() == 1;
                             if (!refresh_levels(space, levels, !ahead, number))
                               refresh_levels(space, levels, true, number);
                             for (auto& level : levels.level) {
                               if (level->coarsening) give_back_coarse(*level);
                             }
                             levels.loaded = false;
                           });
  levels.level.front()->facts.A = nullptr;
}

}  // namespace Tessera::multigrid
