#pragma once
/// \file
/// A hierarchy in an archive: all that a cycle needs, and all that a refresh cannot recompute. The caller has
/// the finest matrix, so the archive omits it. Coarse matrices and prolongators are stored as the cycle
/// rounds them. A load chooses the formats, so that a GPU can load a host's hierarchy.
#include <type_traits>
#include <utility>

#include "comm/fetch.hpp"
#include "core/memory.hpp"
#include "multigrid/levels/setup_body.hpp"

namespace Tessera::multigrid {

/// P of a level whose transfer is stored. A load also makes P^T.
template <class T, class Space>
void archive_transfer(core::Archive& file, Space const& space, Levels<T, Space>& levels,
                      Level<T, Space>& level) {
  auto& operators = level.coarsening->operators;
  if (operators.aggregates == nullptr) {
    auto const* const stored =
        file.saves() ? &std::get<StoredTransfer<T, Space>>(*level.transfer).P : nullptr;
    comm::archive_stored(file, space, stored, level.rows, level.coarsening->tentative().coarse_rows,
                         operators.P);
    if (!file.saves()) operators.product.restriction() = sparse::transpose(space, operators.P.local.view());
  }
  if (file.saves()) return;
  add_transfer(space, levels, level);
  levels.clock->phase("load");
}

/// The matrix of a level below the finest, on the ranks that its coarsening has chosen.
template <class T, class Space>
void archive_coarse(core::Archive& file, Space const& space, Levels<T, Space>& levels, std::size_t l) {
  auto& coarsening = *levels.level[l - 1]->coarsening;
  auto const* const move = coarsening.move();
  auto& coarse = move != nullptr ? coarsening.operators.moved : coarsening.operators.unmoved();
  if (file.saves()) {
    auto const& level = *levels.level[l];
    return comm::archive_stored(file, space, &level.A, level.rows, level.rows, coarse);
  }
  auto const rows = move != nullptr ? move->to() : coarsening.tentative().coarse_rows;
  comm::archive_stored<T, Space>(file, space, nullptr, rows, rows, coarse);
}

/// Checks that a setup can have produced the estimates of a loaded level.
template <class Space>
void require_estimates(core::Archive& file, Parameters const& parameters, LevelFacts<Space> const& facts) {
  file.require(std::isfinite(facts.rho) && facts.rho >= 0 && !std::isnan(facts.least_share) &&
                   !std::isnan(facts.weakest_coupling),
               "its estimates are no numbers");
  file.require(facts.check_step >= krylov::GershgorinBound::never_check &&
                   facts.check_step <= parameters.eigenvalue_steps,
               "Lanczos tests the bound after ", facts.check_step, " steps");
}

/// The facts of a level. Below the finest level the coarsening determines a part of them.
template <class Space>
void archive_facts(core::Archive& file, comm::Communicator const& comm, Parameters const& parameters,
                   LevelFacts<Space>& facts) {
  bool const is_finest = facts.level == 0;
  int const equations = is_finest ? parameters.equations : facts.equations, vectors = facts.vectors;
  bool const ones = facts.ones;
  facts.archive(file);
  comm::require_same_on_ranks(file, comm, facts.constant, facts.ones, facts.half, facts.dimension,
                              facts.equations, facts.vectors, facts.rho, facts.check_step);
  bool const half_as_wanted =
      parameters.half == HalfLevels::automatic || facts.half == (parameters.half == HalfLevels::all);
  file.require(half_as_wanted, "its matrix is ", facts.half ? "" : "not ", "in half");
  bool const fits =
      facts.equations == equations && (is_finest || (facts.vectors == vectors && facts.ones == ones));
  bool const can_be_ones = keeps_ones(parameters) && facts.constant && equations == 1 && facts.vectors == 1;
  file.require(fits && (can_be_ones || !facts.ones) && facts.vectors >= 1 && facts.dimension >= 0, "it has ",
               facts.equations, " rows a node, ", facts.vectors, " near-nullspace vectors and ",
               facts.dimension, " coordinates");
  require_estimates(file, parameters, facts);
}

/// One level without its matrix, and the coarsening to the next level if there is one.
template <class T, class Space>
void archive_level(core::Archive& file, Space const& space, Levels<T, Space>& levels,
                   Level<T, Space>& of_cycle, comm::DistCsr<double, Space> const& matrix, bool goes_on) {
  auto& [A, smoother, work, steps, coarsening, transfer, coarse_vector, block_work, coarse_block, rows,
         nonzeros, facts] = of_cycle;
  auto const& p = levels.parameters;
  file.part(core::message("level ", facts.level));
  file(nonzeros);
  file.require(nonzeros >= 0, "it has ", nonzeros, " entries");
  archive_facts(file, rows.comm(), p, facts);
  file.part(core::message("the smoother of level ", facts.level));
  if (goes_on || !factored(p, rows.global_size()))
    smoother.archive(file, space, matrix, p.smoother_on(facts.level), smoother_storage(p));
  if (!goes_on) return;
  if (!file.saves()) coarsening.emplace();
  coarsening->archive(file, space, facts, p);
  file.part(core::message("the prolongator of level ", facts.level));
  archive_transfer(file, space, levels, of_cycle);
}

template <class T, class Space>
void archive(core::Archive& file, Space const& space, comm::DistCsr<double, Space> const& A,
             Array<VertexId, Space> ids, Levels<T, Space>& levels) {
  auto& [parameters, level, direct, coarse, warnings, phases, prepared, numbers, clock, loaded] = levels;
  auto count = static_cast<int>(level.size());
  file(count);
  comm::require_same_on_ranks(file, A.rows.comm(), count);
  file.require(count >= 1 && count <= std::min(parameters.max_levels, most_levels), "a hierarchy has ", count,
               " levels");
  for (int l = 0; l < count; ++l) {
    if (!file.saves()) {
      LevelFacts<Space> facts;
      if (l > 0) facts = level.back()->coarsening->next(space, l);
      level.push_back(std::make_unique<Level<T, Space>>());
      level.back()->facts = std::move(facts);
      if (l == 0) level.back()->facts.ids = std::exchange(ids, Array<VertexId, Space>());
    }
    auto& here = *level[static_cast<std::size_t>(l)];
    file.part(core::message("the matrix of level ", l));
    if (l > 0) archive_coarse(file, space, levels, static_cast<std::size_t>(l));
    here.facts.A = l > 0 ? here.facts.A : &A;
    if (!file.saves()) here.rows = here.facts.A->rows;
    if (!file.saves()) here.facts.numbers = numbers.data() + l;
    archive_level(file, space, levels, here, *here.facts.A, l + 1 < count);
    release_setup(here);
  }
  file.part("the coarsest level's solver");
  bool const dense = factored(parameters, level.back()->rows.global_size());
  if (dense && !file.saves()) coarse.emplace();
  if (dense) coarse->archive(file, space, level.back()->rows);
  file.part("warnings");
  file(warnings);
  if (file.saves()) level.front()->facts.A = nullptr;  // the caller's matrix
}

/// Loads a hierarchy. Collective. Waits until the work on the space is done.
template <class T, class Space>
Levels<T, Space> load(core::Archive& file, Space const& space, comm::DistCsr<double, Space> const& A,
                      Array<VertexId, Space> ids, Parameters const& parameters) {
  core::Region const region("setup");
  Levels<T, Space> levels;
  core::EndOfPhases<Space> const end{levels.clock.emplace(space)};
  levels.clock->phase("load");
  levels.parameters = parameters;
  levels.parameters.cycle_in_float = std::is_same_v<T, float>;
  if (!levels.parameters.cycle_in_float) levels.parameters.half = HalfLevels::none;
  levels.numbers =
      core::to_space(space, std::vector<LevelNumbers>(std::min(parameters.max_levels, most_levels)));
  levels.loaded = true;
  int number = 0;
  core::with_memory_context([&] { return core::message("load, level ", number); },
                            [&] {
                              archive(file, space, A, std::move(ids), levels);
                              store_levels(space, levels, number);
                            });
  return levels;
}

}  // namespace Tessera::multigrid
