#pragma once
/// \file
/// What is known of the nullspace of a coarsest matrix: near-nullspace vectors of components without energy.
#include <vector>

#include "core/types.hpp"

namespace Tessera::multigrid {

/// Rows x vectors, row-major.
struct NearNullspaceOfRows {
  int vectors = 0;
  std::vector<double> values;
};

/// A vector of norm one that is zero outside of some rows.
struct NullVector {
  std::vector<Index> rows;
  std::vector<double> values;  ///< of these
};

/// An orthonormal basis. S = D^-1/2 A D^-1/2, n x n, whose rounding errors are of one size in all rows;
/// scale: of D^-1/2. Each component of S has its own part of D^1/2 B, where B is the near-nullspace of A.
/// What of it has no more energy than a pivot that counts as zero has in a component of rows alike,
/// rank_tolerance(n) over their number, is null. The energy tells what a single pivot need not: in a
/// component whose scales vary, rounding errors of the whole come together in a pivot of a row of a small
/// one.
std::vector<NullVector> known_nullspace(std::vector<double> const& S, Index n,
                                        std::vector<double> const& scale, NearNullspaceOfRows const& near);

}  // namespace Tessera::multigrid
