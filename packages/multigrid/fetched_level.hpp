#pragma once
/// \file
/// A level of a hierarchy in the memory of the host: for files and pictures.
#include <optional>
#include <vector>

#include "comm/host_matrix.hpp"

namespace Tessera::multigrid {

/// Matrices as the cycle has them, rounded to float where that is in float. Formats pad with zeros, so that
/// entries that are 0 may be left out, and others may be there.
struct LevelMatrices {
  comm::HostMatrix A;
  std::optional<comm::HostMatrix> P, R;  ///< to the next level; none on the coarsest
};

/// How a level's nodes become those of the next. Rows a of the next level's near-nullspace are those of
/// aggregate a / vectors.
struct LevelAggregates {
  std::vector<GlobalIndex> aggregate;    ///< of each owned node, a global index; -1: none
  int vectors = 1;                       ///< of the near-nullspace: rows that an aggregate becomes
  std::vector<double> coarse_nullspace;  ///< of the aggregates made here: their rows x vectors, row-major
};

}  // namespace Tessera::multigrid
