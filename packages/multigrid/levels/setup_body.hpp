#pragma once
/// \file
/// The hierarchy's setup and refresh.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "core/error.hpp"
#include "core/memory.hpp"
#include "multigrid/coarse_solver_body.hpp"
#include "multigrid/coarsening/coarsening_body.hpp"
#include "multigrid/facts.hpp"
#include "multigrid/levels/cycle_body.hpp"
#include "multigrid/levels/level.hpp"
#include "multigrid/reported_levels.hpp"
#include "sparse/engine/direct/direct_solver.hpp"
#include "sparse/transpose.hpp"

namespace Tessera::multigrid {

/// A level that cannot be coarsened further is inverted densely up to this number of unknowns.
inline GlobalIndex dense_limit(Parameters const& parameters) {
  return std::max<GlobalIndex>(2000, 2 * GlobalIndex{parameters.coarse_max_size});
}

/// Whether a coarsest level of this size is factored and needs no smoother.
inline bool factored(Parameters const& parameters, GlobalIndex rows) {
  return parameters.coarse == CoarseType::direct || parameters.coarse == CoarseType::cudss ||
         (parameters.coarse == CoarseType::dense && rows <= dense_limit(parameters));
}

/// Whether level `number` is the last one by its size or number.
inline bool is_coarsest(Parameters const& parameters, int number, GlobalIndex rows) {
  return rows <= parameters.coarse_max_size || number + 1 == parameters.max_levels;
}

/// The direct solvers of the coarsest level; empty: the dense solver. \throws core::Unavailable
template <class Space>
sparse::DirectSolvers<Space> direct_solvers(Parameters const& parameters) {
  if (parameters.coarse == CoarseType::cudss) return sparse::cudss_solvers<Space>();
  if (parameters.coarse == CoarseType::direct) return through_host<Space>(parameters.direct);
  return {};
}

/// The storage of a level's matrix in the cycle.
inline comm::StorageParameters level_storage(Parameters const& p, bool half) {
  return {p.format, p.chunk_size, p.sigma, false, half, half};
}

/// The storage of P, and of P^T, whose rows are long. In CSR they borrow the pattern. On a host CSR is about
/// as fast as SELL-C-sigma for long rows (Laplace 101^3, half of it: 2.0 ms both). For the short rows of P,
/// CSR takes 4.1 ms and SELL-C-sigma 1.1 ms. CSR saves the conversion and two thirds of the memory, because
/// refreshes need the CSR matrix anyway.
template <class Space>
comm::StorageParameters transfer_storage(Parameters const& p, bool half, bool long_rows) {
  comm::StorageParameters result{p.format, p.chunk_size, p.sigma, true, half};
  if (long_rows && !core::SpaceTraits<Space>::coalesces && result.format == MatrixFormat::automatic)
    result.format = MatrixFormat::csr;
  return result;
}

/// The rows of a matrix in float, for Lanczos; null if they are not wanted, or the cycle is in double.
template <class T, class Space>
sparse::SplitRows<float, Space> const* stored_rows(comm::DistMatrix<T, Space> const& A, bool wanted) {
  if constexpr (std::is_same_v<T, float>) {
    if (wanted) return &A.stored();
  }
  return nullptr;
}

/// A level without its coarsening and smoother: checks the matrix and estimates rho. A matrix in Half is
/// stored before: Lanczos reads fewer bytes, and the estimate is that of the cycle's matrix. In return the
/// setup's peak has the stored levels, too.
template <class T, class Space>
std::unique_ptr<Level<T, Space>> new_level(Space const& space, LevelFacts<Space> facts,
                                           Levels<T, Space>& levels) {
  levels.clock->phase("eigenvalue");
  auto level = std::make_unique<Level<T, Space>>();
  level->rows = facts.A->rows;
  bool const finer = !levels.level.empty() && levels.level.back()->facts.half;
  facts.half = is_half(space, facts, levels.parameters, finer);
  if (facts.half) {
    levels.clock->phase("smoother");
    level->A = comm::DistMatrix<T, Space>(space, *facts.A, level_storage(levels.parameters, true));
    levels.clock->phase("eigenvalue");
  }
  facts.numbers = levels.numbers.data() + facts.level;
  auto const rows = level->rows.global_size();
  bool const smoothed =
      !is_coarsest(levels.parameters, facts.level, rows) || !factored(levels.parameters, rows);
  level->nonzeros = facts.estimate(space, levels.parameters, smoothed, stored_rows(level->A, facts.half));
  facts.check(space, levels.parameters);
  if (facts.level == 0 && levels.parameters.cycle_in_float && applies_twice(levels.parameters))
    facts.weakest_coupling = weakest_coupling(space, *facts.A, facts.diagonal.view());
  level->facts = std::move(facts);
  return level;
}

/// The storage of a level's sparse inverse, and how its eigenvalue is estimated.
inline SparseInverseParameters smoother_storage(Parameters const& p) {
  return {p.inverse_storage(), p.eigenvalue_steps, estimate_safety(p)};
}

template <class T, class Space>
void add_smoother(Space const& space, Levels<T, Space>& levels, Level<T, Space>& level) {
  levels.clock->phase("smoother");
  release_setup(level);
  auto const& p = levels.parameters;
  if (level.coarsening || !factored(p, level.rows.global_size())) {
    level.smoother = Smoother<T, Space>(space, *level.facts.A, level.facts.diagonal.view(), level.facts.rho,
                                        p.smoother_on(level.facts.level), smoother_storage(p));
  }
  level.facts.diagonal = {};
}

/// For a level in half: rounds P, and R = P^T alike. Galerkin products are computed before, since those of a
/// rounded P would not be singular where A is.
template <class T, class Space>
void round_transfer(Space const& space, Levels<T, Space>& levels, Level<T, Space>& level) {
  auto& operators = level.coarsening->operators;
  if (!level.facts.half || operators.aggregates != nullptr) return;
  levels.clock->phase("transfer");
  sparse::round_to_half(space, operators.P.local.view(), operators.P.local.value.span());
  sparse::refresh_transpose(space, operators.P.local.view(), operators.product.restriction());
}

/// Stores the operators between a level and the next.
template <class T, class Space>
void add_transfer(Space const& space, Levels<T, Space>& levels, Level<T, Space>& level) {
  levels.clock->phase("transfer");
  auto const& operators = level.coarsening->operators;
  if (operators.aggregates != nullptr) {
    level.transfer.emplace(
        AggregateTransfer<T, Space>(space, level.coarsening->tentative(), operators.aggregates));
  } else {
    auto const storage = [&](bool long_rows) {
      return transfer_storage<Space>(levels.parameters, level.facts.half, long_rows);
    };
    level.transfer.emplace(StoredTransfer<T, Space>(
        comm::DistMatrix<T, Space>(space, operators.P, storage(false)),
        comm::DistTranspose<T, Space>(space, operators.P, operators.product.restriction(), storage(true))));
  }
  release_transfer(level);
}

template <class T, class Space>
void add_coarse_solver(Space const& space, Levels<T, Space>& levels) {
  levels.clock->phase("coarse solver");
  auto const& parameters = levels.parameters;
  auto const& coarsest = *levels.level.back()->facts.A;
  auto const rows = coarsest.rows.global_size();
  if (factored(parameters, rows)) {
    auto const& facts = levels.level.back()->facts;
    NearNullspaceOn<Space> const near{facts.vectors, facts.ones, facts.nullspace.view()};
    levels.coarse.emplace(space, coarsest, facts.scale, near, levels.direct);
  } else if (parameters.coarse == CoarseType::dense) {
    levels.warnings.push_back(core::message("the coarsest level has ", rows,
                                            " rows, too many for a dense solver (", dense_limit(parameters),
                                            "): ", parameters.coarse_sweeps, " smoother sweeps solve it"));
  }
}

/// Stores the matrix for the cycle, unless new_level() did, which stores those in Half. Called after the
/// setup of all levels, because their temporary memory is larger.
template <class T, class Space>
void store_level(Space const& space, Levels<T, Space>& levels, Level<T, Space>& level) {
  levels.clock->phase("smoother");
  if (!level.facts.half || levels.loaded)
    level.A =
        comm::DistMatrix<T, Space>(space, *level.facts.A, level_storage(levels.parameters, level.facts.half));
  make_room_for_cycle(space, levels, level);
}

/// Stores all matrices and ends a setup. number: set to the level in progress, for messages.
template <class T, class Space>
void store_levels(Space const& space, Levels<T, Space>& levels, int& number) {
  for (number = static_cast<int>(levels.level.size()); number-- > 0;) {
    levels.clock->level(number);
    store_level(space, levels, *levels.level[number]);
    if (number > 0) release_coarse(*levels.level[number - 1]);
  }
  levels.clock->phase(nullptr);
  levels.clock->level(-1);
  levels.clock->add_to(levels.phases);
  levels.clock->restart();
  levels.level.front()->facts.A = nullptr;  // the caller's matrix, which may be destroyed after the setup
}

template <class T, class Space>
double least_share(Levels<T, Space> const& levels) {
  double least = HUGE_VAL;
  for (auto const& level : levels.level)
    least = std::min({least, level->facts.least_share, level->facts.weakest_coupling});
  return least;
}

/// Why the hierarchy should be in double; empty if float suffices.
template <class T, class Space>
std::string double_precision_reason(Levels<T, Space> const& levels) {
  auto const& p = levels.parameters;
  double const share = least_share(levels);
  if (!p.cycle_in_float || !applies_twice(p) || !(share < resolved_by_float)) return "";
  return core::message("some part has ", share, " of the energy that it is summed from, float resolves ",
                       resolved_by_float, ", and ",
                       p.bootstrap.components > 1 ? "compositions" : "such cycles",
                       " are not positive definite there");
}

/// More levels than possible: each level has at most nine tenths of the rows of the one before.
constexpr int most_levels = 500;

/// The largest operator complexity at which a smoothed P may add a level. The matrices in the documents
/// reach 3.9; graphs with hubs reached 70 and more.
constexpr double max_complexity = 6;

/// The number of entries that the next level may have. A level that is inverted densely may be full.
template <class T, class Space>
double room_for_next(Levels<T, Space> const& levels) {
  double used = 0;
  for (auto const& level : levels.level) used += static_cast<double>(level->nonzeros);
  double const dense = static_cast<double>(levels.parameters.coarse_max_size);
  return std::max(max_complexity * static_cast<double>(levels.level.front()->nonzeros) - used, dense * dense);
}

/// The warning if a level stays the coarsest because R A P would be too dense.
inline std::string no_room_reason(int level, double entries) {
  return core::message("coarsening stopped at level ", level, ": R A P would have about ",
                       std::round(entries),
                       " entries, for which the hierarchy has no room; give fewer near-nullspace vectors");
}

/// Bell, Dalton, Olson 2012, Algorithm 1. number: set to the level in progress, for messages.
template <class T, class Space>
void add_levels(Space const& space, LevelFacts<Space> finest, Levels<T, Space>& levels,
                LevelObserver const& on_level, int& number) {
  auto const& parameters = levels.parameters;
  levels.numbers =
      core::to_space(space, std::vector<LevelNumbers>(std::min(parameters.max_levels, most_levels)));
  for (auto facts = std::move(finest);; facts = levels.level.back()->coarsening->next(space, number)) {
    levels.clock->level(number);
    levels.level.push_back(new_level(space, std::move(facts), levels));
    auto& level = *levels.level.back();
    if (on_level) on_level(number, level.rows.global_size(), level.nonzeros);
    if (is_coarsest(parameters, number, level.rows.global_size())) break;
    auto found = aggregate(space, level.facts, parameters, levels.timed());
    if (auto const why = stall_reason(level.facts, found); !why.empty()) {
      levels.warnings.push_back(why);
      break;
    }
    level.facts.room = room_for_next(levels);
    level.coarsening.emplace(space, level.facts, std::move(level.facts.nullspace), std::move(found),
                             parameters, levels.timed());
    if (double const entries = level.coarsening->too_many(); entries > 0) {
      level.coarsening.reset();
      levels.warnings.push_back(no_room_reason(number, entries));
      break;
    }
    if (auto const why = level.coarsening->plain_reason(number); !why.empty()) levels.warnings.push_back(why);
    add_smoother(space, levels, level);
    round_transfer(space, levels, level);
    add_transfer(space, levels, level);
    ++number;
  }
  // Before the last smoother, because add_smoother() releases the near-nullspace.
  add_coarse_solver(space, levels);
  add_smoother(space, levels, *levels.level.back());
  store_levels(space, levels, number);
}

/// The setup. Collective. Waits until the work on the space is done.
template <class T, class Space>
Levels<T, Space> setup(Space const& space, LevelFacts<Space> finest, Parameters const& parameters,
                       LevelObserver const& on_level) {
  core::Region const region("setup");
  Levels<T, Space> levels;
  core::EndOfPhases<Space> const end{levels.clock.emplace(space)};
  levels.parameters = parameters;
  levels.parameters.cycle_in_float = std::is_same_v<T, float>;
  if (!levels.parameters.cycle_in_float) levels.parameters.half = HalfLevels::none;
  levels.warnings = parameters.warnings;
  comm::agree_on_errors(finest.A->rows.comm(), [&] { levels.direct = direct_solvers<Space>(parameters); });
  int number = 0;
  core::with_memory_context([&] { return core::message("setup, level ", number); },
                            [&] { add_levels(space, std::move(finest), levels, on_level, number); });
  return levels;
}

/// The stored rows for the Lanczos of a refresh: those in Half always, those in float where they need no
/// further launches for ghosts.
template <class T, class Space>
sparse::SplitRows<float, Space> const* rows_for_refresh(Level<T, Space> const& level) {
  bool const whole =
      level.A.halo().ghost_count() == 0 && level.facts.A->local.rows >= krylov::min_rows_for_chunks;
  return stored_rows(level.A, level.facts.half || whole);
}

template <class T, class Space>
void refresh_transfer(Space const& space, Levels<T, Space>& levels, Level<T, Space>& level) {
  round_transfer(space, levels, level);
  if (levels.loaded) return add_transfer(space, levels, level);
  levels.clock->phase("transfer");
  if (auto* const stored = std::get_if<StoredTransfer<T, Space>>(&*level.transfer)) {
    stored->R.refresh(space, level.coarsening->operators.product.restriction());
    stored->P.refresh(space, level.coarsening->operators.P);
  }
  release_transfer(level);
}

/// Refreshes one level. checked: waits for its numbers, and throws if they are not usable.
template <class T, class Space>
void refresh_level(Space const& space, Levels<T, Space>& levels, Level<T, Space>& level, bool checked) {
  auto& clock = *levels.clock;
  auto const& A = *level.facts.A;
  clock.level(level.facts.level);
  clock.phase("smoother");
  if (levels.loaded) {
    level.A = comm::DistMatrix<T, Space>(space, A, level_storage(levels.parameters, level.facts.half));
  } else {
    level.A.refresh(space, A);
  }
  clock.phase("eigenvalue");
  bool const smoothed = level.coarsening || !levels.coarse;
  level.facts.estimate(space, levels.parameters, smoothed, rows_for_refresh(level));
  if (checked) level.facts.check(space, levels.parameters);
  clock.phase("smoother");
  if (smoothed) level.smoother.refresh(space, A, level.facts.diagonal.view());
  if (level.coarsening) {
    level.coarsening->refresh(space, level.facts, levels.parameters, !levels.prepared, levels.timed());
    refresh_transfer(space, levels, level);
  }
  level.facts.diagonal = {};
}

/// Reads the numbers of all levels. Returns false if those of a level are not usable.
template <class T, class Space>
bool take_numbers(Space const& space, Levels<T, Space>& levels) {
  auto const found = core::to_vector(space, levels.numbers.view().part(0, levels.level.size()));
  if (!std::all_of(found.begin(), found.end(), usable)) return false;
  for (auto const& level : levels.level)
    level->facts.set_estimates(found[level->facts.level], levels.parameters);
  return true;
}

/// Refreshes all levels. checked: checks each level before the next, and throws. If not checked, the host
/// waits only at the end, and the function returns false if a level is not usable. number: set to the level
/// in progress, for messages.
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

/// Refreshes the hierarchy with new values of the finest matrix. Collective.
template <class T, class Space>
void refresh(Space const& space, comm::DistCsr<double, Space> const& A, Levels<T, Space>& levels) {
  core::Region const region("refresh");
  core::EndOfPhases<Space> const end{*levels.clock};
  int number = 0;
  levels.level.front()->facts.A = &A;  // the caller's matrix, which may be destroyed after the refresh
  core::with_memory_context([&] { return core::message("level ", number); },
                            [&] {
                              bool const ahead =
                                  core::SpaceTraits<Space>::asynchronous && A.rows.comm().size() == 1;
                              if (!refresh_levels(space, levels, !ahead, number))
                                refresh_levels(space, levels, true, number);
                              for (auto& level : levels.level) {
                                if (level->coarsening) release_coarse(*level);
                              }
                            });
  levels.level.front()->facts.A = nullptr;
}

}  // namespace Tessera::multigrid
