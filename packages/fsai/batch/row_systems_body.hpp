#pragma once
/// \file
/// The systems, as a batch; then those again that are in doubt.
#include <algorithm>

#include "fsai/batch/dense_systems.hpp"
#include "fsai/batch/doubtful_rows_body.hpp"

namespace Tessera::fsai {

template <class Space>
RowFailure solve_rows(Space const& space, LowerRows const& rows, PatternView pattern, Span<double> value,
                      std::size_t workspace, Span<unsigned char const> active) {
  Array<unsigned char, Space> doubtful(space, pattern.rows);
  core::fill(space, doubtful.span(), static_cast<unsigned char>(0));
  auto const bytes =
      DenseSystems<Space>::run(space, rows, pattern, active, value, workspace, doubtful.span());
  auto failure = solve_doubtful_rows(space, rows, pattern, active, doubtful.span(), value, workspace);
  failure.workspace = std::max(failure.workspace, bytes);
  return failure;
}

}  // namespace Tessera::fsai
