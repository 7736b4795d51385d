#pragma once
/// \file
/// The systems, as a batch.
#include "fsai/batch/dense_systems.hpp"

namespace Tessera::fsai {

template <class Space>
RowFailure solve_rows(Space const& space, LowerRows const& rows, PatternView pattern, Span<double> value,
                      std::size_t workspace, Span<unsigned char const> active) {
  return DenseSystems<Space>::run(space, rows, pattern, active, value, workspace);
}

}  // namespace Tessera::fsai
