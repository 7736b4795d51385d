#pragma once
/// \file
/// Rows for each thread of a host.
#include <omp.h>

#include <algorithm>
#include <utility>

#include "core/parallel.hpp"

namespace Tessera::sparse::detail {

/// The part-th of `parts` stretches of about equal work; offsets: prefix sums of the work.
inline std::pair<Index, Index> balanced_part(Span<Offset const> offsets, int part, int parts) {
  auto const n = static_cast<Offset>(offsets.size()) - 1;
  auto const total = offsets[n];
  auto const boundary = [&](int p) {
    if (p == parts) return static_cast<Index>(n);
    auto const* const at = std::lower_bound(offsets.begin(), offsets.end() - 1, total / parts * p);
    return static_cast<Index>(at - offsets.begin());
  };
  return {part == 0 ? 0 : boundary(part), boundary(part + 1)};
}

/// work(begin, end) for each thread's stretch.
template <class Work>
void for_balanced_parts(Span<Offset const> offsets, Work const& work) {
  if (offsets.size() < 2) return;
  if (offsets[offsets.size() - 1] < core::serial_steps || omp_get_max_threads() == 1) {
    work(Index{0}, static_cast<Index>(offsets.size() - 1));
    return;
  }
#pragma omp parallel
  {
    auto const [begin, end] = balanced_part(offsets, omp_get_thread_num(), omp_get_num_threads());
    work(begin, end);
  }
}

/// work(begin, end) for each thread's stretch of units that are alike. steps: of all of them together.
template <class Work>
void for_equal_parts(Index units, std::size_t steps, Work const& work) {
  if (steps < core::serial_steps) return work(Index{0}, units);
#pragma omp parallel
  {
    std::int64_t const part = omp_get_thread_num(), parts = omp_get_num_threads();
    work(static_cast<Index>(units * part / parts), static_cast<Index>(units * (part + 1) / parts));
  }
}

}  // namespace Tessera::sparse::detail
