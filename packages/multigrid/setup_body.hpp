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

/// How P^T is. CSR is about as fast as SELL-C-sigma for its rows, which are long, on a host (Laplace 101^3,
/// half of it: 2.0 ms both; the short rows of P take 4.1 ms in CSR, 1.1 in SELL-C-sigma). So the one that
/// refers to the pattern which refreshes need anyway saves its making and two thirds of its memory.
template <class Space>
comm::StorageParameters restriction_storage(Parameters const& parameters) {
  auto result = prolongator_storage(parameters);
  if (!core::SpaceTraits<Space>::coalesces && parameters.format != MatrixFormat::sell)
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
  level->spectrum.numbers = levels.numbers.data() + level->input.level;
  core::PhaseTimer<Space> timer(space, levels.phases, "eigenvalue");
  level->spectrum.check(space, level->input, levels.parameters, true);
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
    level.smoother = Smoother<T, Space>(space, A, level.spectrum.diagonal.view(), level.spectrum.rho,
                                        p.smoother, {storage(p), p.eigenvalue_steps, estimate_safety(p)});
  }
  level.spectrum.diagonal = {};
}

/// Stores the matrix for the cycle. Comes after all setups of levels, whose temporary memory is the largest.
template <class T, class Space>
void store_level(Space const& space, Levels<T, Space>& levels, Level<T, Space>& level) {
  core::PhaseTimer<Space> timer(space, levels.phases, "smoother");
  auto const& A = *level.input.A;
  level.A = comm::DistMatrix<T, Space>(space, A, storage(levels.parameters));
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

/// The numbers of levels [begin, end), which are waited for. False: those of some level are not usable,
/// unless that is thrown.
template <class T, class Space>
bool take_numbers(Space const& space, Levels<T, Space>& levels, std::size_t begin, std::size_t end,
                  bool throws) {
  auto const numbers = core::to_vector(space, levels.numbers.view().part(begin, end - begin));
  if (!throws && !std::all_of(numbers.begin(), numbers.end(), usable)) return false;
  for (auto l = begin; l < end; ++l) {
    auto& level = *levels.level[l];
    level.spectrum.take(numbers[l - begin], level.input.level, levels.parameters);
  }
  return true;
}

/// The estimate of the coarsest level, which no coarsening has made.
template <class T, class Space>
void estimate_last(Space const& space, Levels<T, Space>& levels) {
  core::PhaseTimer<Space> timer(space, levels.phases, "eigenvalue");
  auto& level = *levels.level.back();
  level.spectrum.estimate(space, level.input, levels.parameters);
  take_numbers(space, levels, levels.level.size() - 1, levels.level.size(), true);
}

/// More than there can be: each level has at most nine tenths of the rows of the one before.
constexpr int most_levels = 500;

/// `number` is the level that is being worked on.
template <class T, class Space>
void add_levels(Space const& space, LevelInput<Space> finest, Levels<T, Space>& levels, int& number) {
  auto const& parameters = levels.parameters;
  levels.numbers =
      core::to_space(space, std::vector<LevelNumbers>(std::min(parameters.max_levels, most_levels)));
  for (add_level(space, std::move(finest), levels);; ++number) {
    auto& level = *levels.level.back();
    auto const rows = level.input.A->rows.global_size();
    if (rows <= parameters.coarse_max_size || number + 1 == parameters.max_levels) break;
    level.coarsening.emplace(space, level.input, level.spectrum, parameters, levels.phases);
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

/// The level's matrix as the cycle has it, where that is one set of chunks in float.
template <class T, class Space>
sparse::SellView<float> stored_rows(Level<T, Space> const& level) {
  sparse::SellView<float> rows;
  level.A.stored().visit_first([&](auto const& view) {
    if constexpr (std::is_same_v<std::decay_t<decltype(view)>, sparse::SellView<float>>) rows = view;
  });
  return rows;
}

/// New values of one level. checked: Spectrum::check throws.
template <class T, class Space>
void refresh_level(Space const& space, Levels<T, Space>& levels, Level<T, Space>& level, bool checked) {
  auto& clock = *levels.clock;
  auto& spectrum = level.spectrum;
  auto* const coarsening = level.coarsening ? &*level.coarsening : nullptr;
  auto const& A = *level.input.A;
  clock.phase("smoother");
  level.A.refresh(space, A);
  clock.phase("eigenvalue");
  spectrum.check(space, level.input, levels.parameters, checked);
  if (coarsening != nullptr) coarsening->filter(space, A, spectrum);
  spectrum.estimate(space, level.input, levels.parameters, stored_rows(level));
  clock.phase("smoother");
  if (coarsening != nullptr || !levels.coarse) level.smoother.refresh(space, A, spectrum.diagonal.view());
  if (coarsening != nullptr) {
    clock.phase("transfer");
    coarsening->refresh(space, A, spectrum, !levels.prepared, clock);
  }
  spectrum.diagonal = {};
  spectrum.filtered_diagonal = {};
  if (coarsening == nullptr) return;
  clock.phase("transfer");
  level.R.refresh(space, coarsening->restriction());
  level.P.refresh(space, coarsening->prolongator());
  return_transfer(level);
}

/// All levels. checked: one is looked at after the other, and what is wrong is thrown. If not, one GPU waits
/// for nothing before the end; false where something is wrong. `number` is the level that is being worked on.
template <class T, class Space>
bool refresh_levels(Space const& space, Levels<T, Space>& levels, bool checked, int& number) {
  levels.clock->restart();
  number = -1;
  for (auto& level : levels.level) {
    ++number;
    refresh_level(space, levels, *level, checked);
  }
  auto const& coarsest = *levels.level.back()->input.A;
  levels.clock->phase("coarse solver");
  if (levels.coarse) levels.coarse->begin_refresh(space, coarsest);
  levels.clock->phase(nullptr);
  if (!take_numbers(space, levels, 0, levels.level.size(), checked)) return false;
  for (auto& level : levels.level) {
    if (level->coarsening || !levels.coarse) level->smoother.set_radius(level->spectrum.rho);
  }
  if (levels.coarse) levels.coarse->end_refresh(space, coarsest);
  return true;
}

template <class T, class Space>
void refresh(Space const& space, comm::DistCsr<double, Space> const& A, Levels<T, Space>& levels) {
  int number = 0;
  levels.level.front()->input.A = &A;  // the caller's; gone after the refresh
  core::name_out_of_memory([&] { return core::message("level ", number); },
                           [&] {
                             if (!levels.clock) levels.clock.emplace(space);
                             bool const ahead =
                                 core::SpaceTraits<Space>::runs_ahead && A.rows.comm().size() == 1;
                             if (!refresh_levels(space, levels, !ahead, number))
                               refresh_levels(space, levels, true, number);
                             for (auto& level : levels.level) {
                               if (level->coarsening) level->coarsening->return_coarse();
                             }
                           });
  levels.level.front()->input.A = nullptr;
}

}  // namespace Tessera::multigrid
