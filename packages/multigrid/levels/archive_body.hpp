#pragma once
/// \file
/// A hierarchy in an archive: what a cycle needs, and what a refresh cannot make anew. The finest matrix is
/// not kept, whoever loads has it. Coarse matrices and prolongators are kept as the cycle rounds them;
/// formats are chosen when they are loaded, so that a host's hierarchy becomes a GPU's.
#include <type_traits>
#include <utility>

#include "comm/archive_stored.hpp"
#include "core/out_of_memory.hpp"
#include "multigrid/levels/setup_body.hpp"

namespace Tessera::multigrid {

/// P of a level that is not by aggregates alone, and P^T when it loads.
template <class T, class Space>
void archive_transfer(core::Archive& file, Space const& space, Levels<T, Space>& levels,
                      Level<T, Space>& level) {
  auto& made = level.coarsening->made;
  if (made.aggregates == nullptr) {
    auto const* const stored =
        file.saves() ? &std::get<StoredTransfer<T, Space>>(*level.transfer).P : nullptr;
    comm::archive_stored(file, space, stored, level.rows, level.coarsening->tentative().coarse_rows, made.P);
    if (!file.saves()) made.product.restriction() = sparse::transpose(space, made.P.local.view());
  }
  if (file.saves()) return;
  add_transfer(space, levels, level);
  levels.clock->phase("load");
}

/// The matrix of a level below the finest, which lies where its coarsening has put it.
template <class T, class Space>
void archive_coarse(core::Archive& file, Space const& space, Levels<T, Space>& levels, std::size_t l) {
  auto& coarsening = *levels.level[l - 1]->coarsening;
  auto const* const move = coarsening.move();
  auto& coarse = move != nullptr ? coarsening.made.moved : coarsening.made.unmoved();
  if (file.saves()) {
    auto const& level = *levels.level[l];
    return comm::archive_stored(file, space, &level.A, level.rows, level.rows, coarse);
  }
  auto const rows = move != nullptr ? move->to() : coarsening.tentative().coarse_rows;
  comm::archive_stored<T, Space>(file, space, nullptr, rows, rows, coarse);
}

/// One level whose matrix is there, and how it leads to the next.
template <class T, class Space>
void archive_level(core::Archive& file, Space const& space, Levels<T, Space>& levels,
                   Level<T, Space>& of_cycle, comm::DistCsr<double, Space> const& matrix) {
  auto& [A, smoother, work, steps, coarsening, transfer, coarse_vector, block_work, coarse_block, rows,
         nonzeros, facts] = of_cycle;
  auto const& p = levels.parameters;
  file(nonzeros);
  facts.archive(file);
  smoother.archive(file, space, matrix, p.smoother_on(facts.level), smoother_storage(p));
  bool goes_on = coarsening.has_value();
  file(goes_on);
  if (!goes_on) return;
  if (!file.saves()) coarsening.emplace();
  coarsening->archive(file, space, facts, p);
  archive_transfer(file, space, levels, of_cycle);
}

template <class T, class Space>
void archive(core::Archive& file, Space const& space, comm::DistCsr<double, Space> const& A,
             Array<VertexId, Space> ids, Levels<T, Space>& levels) {
  auto& [parameters, level, direct, coarse, warnings, phases, prepared, numbers, clock, loaded] = levels;
  auto count = static_cast<int>(level.size());
  file(count);
  for (int l = 0; l < count; ++l) {
    if (!file.saves()) {
      LevelFacts<Space> facts;
      if (l > 0) facts = level.back()->coarsening->next(space, l);
      level.push_back(std::make_unique<Level<T, Space>>());
      level.back()->facts = std::move(facts);
      if (l == 0) level.back()->facts.ids = std::exchange(ids, Array<VertexId, Space>());
    }
    auto& here = *level[static_cast<std::size_t>(l)];
    if (l > 0) archive_coarse(file, space, levels, static_cast<std::size_t>(l));
    here.facts.A = l > 0 ? here.facts.A : &A;
    if (!file.saves()) here.rows = here.facts.A->rows;
    if (!file.saves()) here.facts.numbers = numbers.data() + l;
    archive_level(file, space, levels, here, *here.facts.A);
    release_setup(here);
  }
  bool dense = coarse.has_value();
  file(dense);
  if (dense && !file.saves()) coarse.emplace();
  if (dense) coarse->archive(file, space, level.back()->rows);
  file(warnings);
  if (file.saves()) level.front()->facts.A = nullptr;  // the caller's
}

/// Collective. Waits for its end.
template <class T, class Space>
Levels<T, Space> load(core::Archive& file, Space const& space, comm::DistCsr<double, Space> const& A,
                      Array<VertexId, Space> ids, Parameters const& parameters) {
  Levels<T, Space> levels;
  levels.clock.emplace(space);
  levels.clock->phase("load");
  levels.parameters = parameters;
  levels.parameters.cycle_in_float = std::is_same_v<T, float>;
  levels.numbers =
      core::to_space(space, std::vector<LevelNumbers>(std::min(parameters.max_levels, most_levels)));
  levels.loaded = true;
  int number = 0;
  core::name_out_of_memory([&] { return core::message("load, level ", number); },
                           [&] {
                             archive(file, space, A, std::move(ids), levels);
                             store_levels(space, levels, number);
                           });
  return levels;
}

}  // namespace Tessera::multigrid
