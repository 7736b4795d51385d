#pragma once
/// \file
/// A level's matrix, and what setups and refreshes know of it.
#include <cmath>
#include <string>

#include "comm/row_checks.hpp"
#include "multigrid/parameters.hpp"
#include "sparse/formats/sell.hpp"

namespace Tessera::multigrid {

/// What a level's setup begins with.
template <class Space>
struct LevelInput {
  comm::DistCsr<double, Space> const* A = nullptr;
  Array<VertexId, Space> ids;        ///< of the owned nodes
  Array<double, Space> nullspace;    ///< owned rows x vectors, row-major
  Array<double, Space> coordinates;  ///< owned nodes x dimension; empty below the finest level
  int dimension = 0;
  int equations = 1;  ///< rows a node
  int vectors = 1;
  int level = 0;  ///< its number, for messages
};

/// What is found out about a level's matrix, as it lies on a space.
struct LevelNumbers {
  comm::RowChecks checks;
  double estimate = 0;  ///< of rho(D^-1 A), by Lanczos
};

/// Whether they are those of a matrix that can be worked with.
inline bool usable(LevelNumbers const& numbers) {
  return std::isfinite(numbers.checks.bound) && std::isfinite(numbers.estimate);
}

/// `max_eigenvalue`, where it holds; else 0.
inline double given_radius(int level, Parameters const& parameters) {
  return level == 0 && parameters.max_eigenvalue > 0 ? parameters.max_eigenvalue : 0;
}

template <class Space>
struct LevelFacts {
  LevelNumbers* numbers = nullptr;  ///< on the space
  Array<double, Space> diagonal;    ///< while a setup or a refresh works on the level
  /// The estimate times estimate_safety(), no larger than the row sums allow: smoothers diverge above rho.
  double rho = 0;
  std::string checksum;  ///< of the matrix

  /// numbers and diagonal: one pass over the rows, and Lanczos. stored: the rows as krylov::Entries has them.
  /// Collective; waits for nothing on one rank.
  void find(Space const& space, LevelInput<Space> const& level, Parameters const& parameters,
            sparse::SellView<float> const& stored = {});
  /// rho and checksum, from a copy of numbers that are usable.
  void take(LevelNumbers const& found, int level, Parameters const& parameters);
  /// The same of numbers, which are waited for. Collective. \throws core::NumericalError naming level and row
  /// where the diagonal is not positive, or has no inverse in a cycle in float, or a value is not finite
  void check(Space const& space, LevelInput<Space> const& level, Parameters const& parameters);
};

}  // namespace Tessera::multigrid
