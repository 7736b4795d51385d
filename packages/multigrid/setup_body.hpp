#pragma once
/// \file
/// The hierarchy's setup and refresh.
#include <algorithm>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "multigrid/coarsening.hpp"
#include "multigrid/level.hpp"
#include "multigrid/report.hpp"

namespace Tessera::multigrid {

/// Unknowns up to which a level that can get no smaller is still inverted densely.
inline GlobalIndex dense_limit(Parameters const& parameters) {
  return std::max<GlobalIndex>(2000, 2 * GlobalIndex{parameters.coarse_max_size});
}

/// Whether that is so of a coarsest level with so many unknowns.
inline bool solved_densely(Parameters const& parameters, GlobalIndex rows) {
  return parameters.coarse == CoarseType::dense && rows <= dense_limit(parameters);
}

/// How matrices are stored for the cycle.
inline comm::StorageParameters storage(Parameters const& parameters) {
  return {parameters.format, parameters.chunk_size, parameters.sigma};
}

/// How P is stored for the cycle.
inline comm::StorageParameters prolongator_storage(Parameters const& parameters) {
  auto result = storage(parameters);
  result.borrow = true;  // of the pattern that is kept for refreshes, where it is CSR
  result.restorable = parameters.keep_for_refresh;  // one that is not
  return result;
}

/// How P^T is.
template <class Space>
comm::StorageParameters restriction_storage(Parameters const& parameters) {
  auto result = prolongator_storage(parameters);
  if (comm::restricts_in_csr<Space> && parameters.format != MatrixFormat::sell)
    result.format = MatrixFormat::csr;
  return result;
}

template <class T, class Space>
void add_level(Space const& space, LevelInput<Space> input, Levels<T, Space>& levels) {
  auto level = std::make_unique<Level<T, Space>>();
  level->input = std::move(input);
  auto const& A = *level->input.A;
  auto const& parameters = levels.parameters;
  level->rows = A.rows;
  level->nonzeros = comm::global_nonzeros(A);
  {
    core::PhaseTimer<Space> timer(space, levels.phases, "eigenvalue");
    level->bound = diagonal_bound(space, A, level->input.ids.view(), level->input.equations,
                                  static_cast<int>(levels.level.size()), parameters);
  }
  level->checksum = std::move(level->bound.checksum);
  levels.level.push_back(std::move(level));
}

/// What the level's setup leaves for the cycle besides its matrix; gives back what only the setup needed.
template <class T, class Space>
void add_smoother(Space const& space, Levels<T, Space>& levels, Level<T, Space>& level) {
  core::PhaseTimer<Space> timer(space, levels.phases, "smoother");
  level.input.nullspace = {};
  level.input.coordinates = {};
  auto const& p = levels.parameters;
  auto const& A = *level.input.A;
  if (level.coarsening || !solved_densely(p, level.rows.global_size())) {
    level.smoother =
        Smoother<T, Space>(space, A, level.bound.diagonal.view(), level.bound.rho, p.smoother,
                           {storage(p), p.eigenvalue_steps, p.eigenvalue_safety, p.keep_for_refresh});
  }
  level.bound.diagonal = {};
}

/// Stores the matrix for the cycle. Comes after all setups of levels, whose temporary memory is the largest.
template <class T, class Space>
void store_level(Space const& space, Levels<T, Space>& levels, Level<T, Space>& level) {
  core::PhaseTimer<Space> timer(space, levels.phases, "smoother");
  auto const& A = *level.input.A;
  level.A = comm::DistMatrix<T, Space>(space, A, storage(levels.parameters));
  level.work = Workspace<T, Space>(space, A.local.rows, level.smoother.needs_second_z());
}

/// Gives back the values of P and P^T where the cycle's do not refer to them. Whether it did.
template <class T, class Space>
bool return_transfer_values(Level<T, Space>& level) {
  if (level.P.stored().borrows_values() || level.R.stored().borrows_values()) return false;
  level.coarsening->return_transfer_values();
  return true;
}

/// Gives back their patterns too, until there is a refresh.
template <class T, class Space>
void return_transfer(Level<T, Space>& level) {
  if (!return_transfer_values(level)) return;
  auto const &P = level.P.stored(), &R = level.R.stored();
  level.has_P_pattern = P.borrows_pattern();
  if (!level.has_P_pattern) level.coarsening->return_prolongator();
  level.has_R_pattern = R.borrows_pattern() || !level.coarsening->return_restriction();
}

/// The patterns that return_transfer gave back; they stay from now on.
template <class T, class Space>
void restore_transfer(Space const& space, Level<T, Space>& level) {
  if (!level.has_P_pattern) level.coarsening->restore_prolongator(level.P.stored().pattern(space));
  if (!level.has_R_pattern) level.coarsening->restore_restriction(level.R.stored().pattern(space));
  level.has_P_pattern = level.has_R_pattern = true;
}

/// Stores the operators between a level and the next.
template <class T, class Space>
void add_transfer(Space const& space, Levels<T, Space>& levels, Level<T, Space>& level) {
  core::PhaseTimer<Space> timer(space, levels.phases, "transfer");
  auto const& P = level.coarsening->prolongator();
  level.P = comm::DistMatrix<T, Space>(space, P, prolongator_storage(levels.parameters));
  level.R = comm::DistTranspose<T, Space>(space, P, level.coarsening->restriction(),
                                          restriction_storage<Space>(levels.parameters));
  return_transfer(level);
  if (level.coarsening->move() != nullptr)
    level.coarse_vector = Array<T, Space>(space, P.columns().local_size());
}

/// Gives back the values of all coarse matrices.
template <class T, class Space>
void return_matrices(Levels<T, Space>& levels) {
  for (auto& level : levels.level) {
    if (level->coarsening) level->coarsening->return_coarse_values();
  }
}

template <class T, class Space>
void add_coarse_solver(Space const& space, Levels<T, Space>& levels) {
  core::PhaseTimer<Space> timer(space, levels.phases, "coarse solver");
  auto const& parameters = levels.parameters;
  auto const& coarsest = *levels.level.back()->input.A;
  auto const rows = coarsest.rows.global_size();
  if (solved_densely(parameters, rows)) {
    levels.coarse.emplace(space, coarsest);
  } else if (parameters.coarse == CoarseType::dense) {
    levels.warnings.push_back(core::message("the coarsest level has ", rows,
                                            " rows, too many for a dense solver (", dense_limit(parameters),
                                            "): ", parameters.coarse_sweeps, " smoother sweeps solve it"));
  }
}

/// `number` is the level that is being worked on.
template <class T, class Space>
void add_levels(Space const& space, LevelInput<Space> finest, Levels<T, Space>& levels, int& number) {
  auto const& parameters = levels.parameters;
  for (add_level(space, std::move(finest), levels);; ++number) {
    auto& level = *levels.level.back();
    auto const rows = level.input.A->rows.global_size();
    if (rows <= parameters.coarse_max_size || number + 1 == parameters.max_levels) break;
    level.coarsening.emplace(space, level.input, level.bound, number, parameters, levels.phases);
    if (level.coarsening->stalled()) {
      levels.warnings.push_back(level.coarsening->stall());
      level.coarsening.reset();
      break;
    }
    add_smoother(space, levels, level);
    add_transfer(space, levels, level);
    add_level(space, level.coarsening->coarse(space), levels);
  }
  add_smoother(space, levels, *levels.level.back());
  add_coarse_solver(space, levels);
  for (number = static_cast<int>(levels.level.size()); number-- > 0;) {
    store_level(space, levels, *levels.level[number]);
    if (number > 0) levels.level[number - 1]->coarsening->return_coarse_values();
  }
  levels.level.front()->input.A = nullptr;  // the caller's; gone after setup
}

template <class T, class Space>
Levels<T, Space> setup(Space const& space, LevelInput<Space> finest, Parameters const& parameters) {
  Levels<T, Space> levels;
  levels.parameters = parameters;
  int number = 0;
  try {
    add_levels(space, std::move(finest), levels, number);
  } catch (core::OutOfMemory const& cause) {
    throw core::OutOfMemory(core::message("setup, level ", number), cause);
  }
  return levels;
}

template <class T, class Space>
void refresh(Space const& space, comm::DistCsr<double, Space> const& A, Levels<T, Space>& levels) {
  auto const& parameters = levels.parameters;
  levels.phases.clear();
  auto const* matrix = &A;
  core::PhaseClock<Space> clock(space, levels.phases);
  for (auto& pointer : levels.level) {
    auto& level = *pointer;
    clock.phase("eigenvalue");
    level.bound = diagonal_bound(space, *matrix, level.input.ids.view(), level.input.equations,
                                 static_cast<int>(&pointer - levels.level.data()), parameters,
                                 level.coarsening ? &*level.coarsening : nullptr);
    level.checksum = std::move(level.bound.checksum);
    clock.phase("smoother");
    if (level.coarsening || !levels.coarse)
      level.smoother.refresh(space, *matrix, level.bound.diagonal.view(), level.bound.rho);
    if (level.coarsening) {
      clock.phase("transfer");
      restore_transfer(space, level);
      level.coarsening->refresh(space, *matrix, level.bound, clock);
    }
    level.bound.diagonal = {};
    level.bound.filtered_diagonal = {};
    if (level.coarsening) {
      clock.phase("transfer");
      level.R.refresh(space, level.coarsening->restriction());
      level.P.refresh(space, level.coarsening->prolongator());
      return_transfer_values(level);
    }
    clock.phase("smoother");
    level.A.refresh(space, *matrix);
    if (!level.coarsening) break;
    matrix = &level.coarsening->coarse_matrix();
  }
  clock.phase("coarse solver");
  if (levels.coarse) levels.coarse->refresh(space, *matrix);
  return_matrices(levels);
  clock.stop();
}

}  // namespace Tessera::multigrid
