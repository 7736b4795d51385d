#pragma once
/// \file
/// One level, as the cycle sees it, and all levels. Setups, refreshes and cycles release memory as soon as
/// they can:
///
/// - Near-nullspace and coordinates live while their level is set up.
/// - The cycle's A lives from the end of the setup on; in Half from the beginning of its level's.
/// - The diagonal lives while its level is worked on.
/// - Values of P and R live while their level is worked on, or as long as the cycle borrows them; patterns
///   also where refreshes are prepared.
/// - Values of the coarse A and its scale live while the next level is worked on; the pattern also where
///   refreshes are prepared.
#include <memory>
#include <optional>
#include <vector>

#include "comm/dist_matrix.hpp"
#include "comm/global_reduction.hpp"
#include "core/timer.hpp"
#include "multigrid/coarse_solver.hpp"
#include "multigrid/coarsening/coarsening.hpp"
#include "multigrid/smoother.hpp"
#include "multigrid/transfer.hpp"

namespace Tessera::multigrid {

/// Step lengths of a K-cycle, in the memory of the space: x = first * c + second * d. A cycle gives each of c
/// and d.
struct StepLengths {
  double first, second;
  double energy;       ///< (c, A c)
  bool second_wanted;  ///< the first step has left more than a quarter of ||b||
};

template <class T, class Space>
struct TwoSteps {
  Array<T, Space> c, v;  ///< v = A c
  Array<StepLengths, Space> lengths;
  comm::GlobalReduction<Space> global_reduction;

  /// n: rows of this rank. comm: the ranks that receive the sums.
  TwoSteps(Space const& space, comm::Communicator const& comm, std::size_t n)
      : c(space, n), v(space, n), lengths(space, 1), global_reduction(space, comm, n) {}
  std::size_t bytes() const { return c.bytes() + v.bytes() + lengths.bytes() + global_reduction.bytes(); }
};

template <class T, class Space>
struct Level {
  comm::DistMatrix<T, Space> A;
  Smoother<T, Space> smoother;
  SmoothingVectors<T, Space> work;          ///< work.b: right-hand side, work.x: solution
  std::optional<TwoSteps<T, Space>> steps;  ///< if a K-cycle takes steps here

  // To the next level; absent on the coarsest.
  std::optional<Coarsening<Space>> coarsening;
  std::optional<Transfer<T, Space>> transfer;
  Array<T, Space> coarse_vector;  ///< the restricted vector, if the next level lies on fewer ranks

  // For blocks of vectors, after the first block.
  SmoothingVectors<T, Space> block_work;
  Array<T, Space> coarse_block;

  // For setup, refresh and report.
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
  sparse::DirectSolvers<Space> direct;           ///< factor the coarsest matrix; may be empty
  std::optional<CoarseSolver<T, Space>> coarse;  ///< empty: the smoother solves the coarsest level
  std::vector<std::string> warnings;
  core::PhaseTimes phases;  ///< of the setup
  bool prepared = false;    ///< whether patterns and plans are kept for refreshes; the same on all ranks
  Array<LevelNumbers, Space> numbers;            ///< of each level
  std::optional<core::PhaseClock<Space>> clock;  ///< of the last refresh, or of the running setup
  bool loaded = false;  ///< from an archive: the next refresh stores all matrices again

  /// Returns timed(phase, work), which runs and times a phase of a coarsening.
  auto timed() {
    return [this](char const* phase, auto const& work) {
      clock->phase(phase);
      work();
    };
  }
};

template <class T, class Space>
void release_setup(Level<T, Space>& level) {
  level.facts.nullspace = {};
  level.facts.coordinates = {};
  level.facts.resistance = {};
}

template <class T, class Space>
void release_transfer(Level<T, Space>& level) {
  auto& operators = level.coarsening->operators;
  auto& P = operators.P.local;
  auto& R = operators.product.restriction().matrix;
  auto const* const stored = std::get_if<StoredTransfer<T, Space>>(&*level.transfer);
  if (stored == nullptr) {
    release_arrays(P, !operators.prepared, true);
    release_arrays(R, !operators.prepared, true);
    return;
  }
  auto const of = [&](sparse::Csr<double, Space>& matrix, auto const& rows) {
    release_arrays(matrix, !operators.prepared && !rows.borrows_pattern(), !rows.borrows_values());
  };
  if (!operators.prepared) operators.product.restriction().source = {};
  of(P, stored->P.stored());
  of(R, stored->R.stored());
}

/// Releases the coarse matrix in double, which the cycle never borrows.
template <class T, class Space>
void release_coarse(Level<T, Space>& level) {
  auto& operators = level.coarsening->operators;
  release_arrays(operators.unmoved().local, !operators.prepared, true);
  release_arrays(operators.moved.local, !operators.prepared, true);
  operators.unmoved_scale = {};
  operators.moved_scale = {};
}

}  // namespace Tessera::multigrid
