#pragma once
/// \file
/// The hierarchy's setup and refresh.
#include <algorithm>
#include <type_traits>

#include "core/error.hpp"
#include "core/out_of_memory.hpp"
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
  result.borrow = true;  // the pattern, where it is CSR
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
  level->rows = A.rows;
  level->nonzeros = comm::global_nonzeros(A);
  {
    core::PhaseTimer<Space> timer(space, levels.phases, "eigenvalue");
    auto const number = static_cast<int>(levels.level.size());
    auto numbers = core::to_space(space, std::vector<LevelNumbers>(1));
    level->bound = inspect_level<Space>(space, {A, level->input.ids.view(), level->input.equations, number},
                                        true, numbers.data());
    level->bound.numbers = std::move(numbers);
  }
  levels.level.push_back(std::move(level));
}

/// What the level's setup leaves for the cycle besides its matrix; gives back what only the setup needed.
template <class T, class Space>
void add_smoother(Space const& space, Levels<T, Space>& levels, Level<T, Space>& level) {
  core::PhaseTimer<Space> timer(space, levels.phases, "smoother");
  level.checksum = std::move(level.bound.checksum);
  level.bound.numbers = {};
  level.input.nullspace = {};
  level.input.coordinates = {};
  auto const& p = levels.parameters;
  auto const& A = *level.input.A;
  if (level.coarsening || !solved_densely(p, level.rows.global_size())) {
    level.smoother = Smoother<T, Space>(space, A, level.bound.diagonal.view(), level.bound.rho, p.smoother,
                                        {storage(p), p.eigenvalue_steps, p.eigenvalue_safety});
  }
  level.bound.diagonal = {};
}

/// Stores the matrix for the cycle. Comes after all setups of levels, whose temporary memory is the largest.
template <class T, class Space>
void store_level(Space const& space, Levels<T, Space>& levels, Level<T, Space>& level) {
  core::PhaseTimer<Space> timer(space, levels.phases, "smoother");
  auto const& A = *level.input.A;
  auto how = storage(levels.parameters);
  how.twice = true;
  level.A = comm::DistMatrix<T, Space>(space, A, how);
  level.work = Workspace<T, Space>(space, A.local.rows, level.smoother.needs_second_z());
}

/// Gives back of P and P^T what only the setup or a refresh needed.
template <class T, class Space>
void return_transfer(Level<T, Space>& level) {
  auto const borrowed = [](auto const& stored) {
    return Borrowed{stored.borrows_pattern(), stored.borrows_values()};
  };
  level.coarsening->return_transfer(borrowed(level.P.stored()), borrowed(level.R.stored()));
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

/// The estimate of the coarsest level, which no coarsening has made.
template <class T, class Space>
void estimate_last(Space const& space, Levels<T, Space>& levels) {
  core::PhaseTimer<Space> timer(space, levels.phases, "eigenvalue");
  auto& level = *levels.level.back();
  auto const& input = level.input;
  auto const number = static_cast<int>(levels.level.size()) - 1;
  estimate_level<Space>(space, {*input.A, input.ids.view(), input.equations, number}, levels.parameters,
                        level.bound);
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
  estimate_last(space, levels);
  add_smoother(space, levels, *levels.level.back());
  add_coarse_solver(space, levels);
  for (number = static_cast<int>(levels.level.size()); number-- > 0;) {
    store_level(space, levels, *levels.level[number]);
    if (number > 0) levels.level[number - 1]->coarsening->return_coarse();
  }
  levels.level.front()->input.A = nullptr;  // the caller's; gone after setup
}

template <class T, class Space>
Levels<T, Space> setup(Space const& space, LevelInput<Space> finest, Parameters const& parameters) {
  Levels<T, Space> levels;
  levels.parameters = parameters;
  levels.parameters.cycle_in_float = std::is_same_v<T, float>;
  int number = 0;
  core::name_out_of_memory([&] { return core::message("setup, level ", number); },
                           [&] { add_levels(space, std::move(finest), levels, number); });
  return levels;
}

/// Whether the host can be ahead of the space, which does what it was given later.
template <class Space>
constexpr bool runs_ahead = false;
template <>
inline constexpr bool runs_ahead<Cuda> = true;

/// The level's matrix as the cycle has it, where that is in float and in chunks.
template <class T, class Space>
comm::StoredRows stored_rows(Level<T, Space> const& level) {
  comm::StoredRows rows;
  auto const into = [](sparse::SellView<float>& set) {
    return [&set](auto const& view) {
      if constexpr (std::is_same_v<std::decay_t<decltype(view)>, sparse::SellView<float>>) set = view;
    };
  };
  level.A.stored().visit_first(into(rows.first));
  level.A.stored().visit_second(into(rows.second));
  return rows;
}

/// New values of one level. checked: inspect_level's.
template <class T, class Space>
void refresh_level(Space const& space, comm::DistCsr<double, Space> const& A, Levels<T, Space>& levels,
                   int number, bool checked) {
  auto& level = *levels.level[number];
  auto& clock = *levels.clock;
  auto* const coarsening = level.coarsening ? &*level.coarsening : nullptr;
  auto* const numbers = levels.numbers.data() + number;
  clock.phase("smoother");
  level.A.refresh(space, A);
  clock.phase("eigenvalue");
  LevelToInspect<Space> inspected{A, level.input.ids.view(), level.input.equations, number, coarsening};
  inspected.stored = stored_rows(level);
  level.bound = inspect_level(space, inspected, checked, numbers);
  estimate_level(space, inspected, levels.parameters, numbers, level.bound);
  clock.phase("smoother");
  if (coarsening != nullptr || !levels.coarse) level.smoother.refresh(space, A, level.bound.diagonal.view());
  if (coarsening != nullptr) {
    clock.phase("transfer");
    coarsening->refresh(space, A, level.bound, &numbers->omega, !levels.prepared, clock);
  }
  level.bound.diagonal = {};
  level.bound.filtered_diagonal = {};
  if (coarsening == nullptr) return;
  clock.phase("transfer");
  level.R.refresh(space, coarsening->restriction());
  level.P.refresh(space, coarsening->prolongator());
  return_transfer(level);
}

/// The numbers of all levels, which are waited for.
template <class T, class Space>
void take_numbers(std::vector<LevelNumbers> const& numbers, Levels<T, Space>& levels) {
  for (std::size_t l = 0; l < numbers.size(); ++l) {
    auto& level = *levels.level[l];
    take_numbers(level.rows.comm(), static_cast<int>(l), levels.parameters, numbers[l], level.bound);
    level.checksum = level.bound.checksum;
    if (level.coarsening || !levels.coarse) level.smoother.set_radius(level.bound.rho);
  }
}

/// All levels. checked: one is looked at after the other, and what is wrong is thrown. If not, one GPU waits
/// for nothing before the end; false where something is wrong. `number` is the level that is being worked on.
template <class T, class Space>
bool refresh_levels(Space const& space, comm::DistCsr<double, Space> const& A, Levels<T, Space>& levels,
                    bool checked, int& number) {
  levels.clock->restart();
  auto const* matrix = &A;
  auto const count = static_cast<int>(levels.level.size());
  for (number = 0; number < count; ++number) {
    if (number > 0) matrix = &levels.level[number - 1]->coarsening->coarse_matrix();
    refresh_level(space, *matrix, levels, number, checked);
  }
  number = count - 1;
  levels.clock->phase("coarse solver");
  if (levels.coarse) levels.coarse->begin_refresh(space, *matrix);
  levels.clock->phase(nullptr);
  auto const numbers = core::to_vector(space, levels.numbers.view());
  if (!checked && !std::all_of(numbers.begin(), numbers.end(), usable)) return false;
  take_numbers(numbers, levels);
  if (levels.coarse) levels.coarse->end_refresh(space, *matrix);
  return true;
}

template <class T, class Space>
void refresh(Space const& space, comm::DistCsr<double, Space> const& A, Levels<T, Space>& levels) {
  int number = 0;
  core::name_out_of_memory([&] { return core::message("level ", number); },
                           [&] {
                             if (!levels.clock) levels.clock.emplace(space);
                             if (levels.numbers.empty())
                               levels.numbers =
                                   core::to_space(space, std::vector<LevelNumbers>(levels.level.size()));
                             bool const ahead = runs_ahead<Space> && A.rows.comm().size() == 1;
                             if (!refresh_levels(space, A, levels, !ahead, number))
                               refresh_levels(space, A, levels, true, number);
                             for (auto& level : levels.level) {
                               if (level->coarsening) level->coarsening->return_coarse();
                             }
                           });
}

}  // namespace Tessera::multigrid
