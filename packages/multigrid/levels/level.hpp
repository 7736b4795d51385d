#pragma once
/// \file
/// One level, as the cycle sees it, and all of them.
#include <memory>
#include <optional>
#include <vector>

#include "comm/dist_matrix.hpp"
#include "core/phase_clock.hpp"
#include "multigrid/coarse_solver.hpp"
#include "multigrid/coarsening/coarsening.hpp"
#include "multigrid/k_cycle.hpp"
#include "multigrid/smoother.hpp"
#include "multigrid/transfer.hpp"

namespace Tessera::multigrid {

template <class T, class Space>
struct Level {
  comm::DistMatrix<T, Space> A;
  Smoother<T, Space> smoother;
  SmoothingVectors<T, Space> work;          ///< work.b: right-hand side, work.x: solution
  std::optional<TwoSteps<T, Space>> steps;  ///< where a K-cycle takes them

  // To the next level; absent on the coarsest.
  std::optional<Coarsening<Space>> coarsening;
  std::optional<Transfer<T, Space>> transfer;
  Array<T, Space> coarse_vector;  ///< where restriction leaves it, when the next level lies on fewer ranks

  // The same for blocks, once there is one.
  SmoothingVectors<T, Space> block_work;
  Array<T, Space> coarse_block;

  // What setup, refresh and report know of the level.
  comm::Distribution rows;
  GlobalIndex nonzeros = 0;
  LevelFacts<Space> facts;

  /// X: T, or a row of a block.
  template <class X>
  Vectors<X> vectors() {
    return (core::columns_of<X> == 1 ? work : block_work).template rows<X>(work.x.size());
  }
  template <class X>
  Span<X> coarse_vectors() {
    auto& memory = core::columns_of<X> == 1 ? coarse_vector : coarse_block;
    return core::rows_of_block<X>(memory.span(), coarse_vector.size());
  }
};

template <class T, class Space>
struct Levels {
  Parameters parameters;
  std::vector<std::unique_ptr<Level<T, Space>>> level;
  sparse::DirectSolvers<Space> direct;           ///< who factor the coarsest matrix; none: nobody does
  std::optional<CoarseSolver<T, Space>> coarse;  ///< absent: the smoother solves the coarsest level
  std::vector<std::string> warnings;
  core::PhaseTimes phases;             ///< of the setup
  bool prepared = false;               ///< whether refreshes find patterns and slots; the same on all ranks
  Array<LevelNumbers, Space> numbers;  ///< of each level
  std::optional<core::PhaseClock<Space>> clock;  ///< of the last refresh; in a setup, of that
  bool loaded = false;  ///< from an archive, so that the next refresh stores anew what it has made

  /// timed(phase, work) runs a phase of a coarsening.
  auto timed() {
    return [this](char const* phase, auto const& work) {
      clock->phase(phase);
      work();
    };
  }
};

}  // namespace Tessera::multigrid
