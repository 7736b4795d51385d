#pragma once
/// \file
/// Rows shared out among the threads of the host: one stretch of rows for each thread, or blocks that threads
/// take as they come free.
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <utility>

#include "core/parallel.hpp"
#include "core/types.hpp"

namespace Tessera::sparse::detail {

/// The rows of a part of about equal work; offsets: prefix sums of the work.
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

/// Calls work(begin, end) for each thread's rows.
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

/// Calls work(begin, end) for each thread's share of equal units. steps: work of all units together.
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

namespace Tessera::sparse {

/// Each thread calls make_worker() once, and worker(begin, end) for each of its blocks of rows. If a thread
/// throws, this function throws the exception after all threads have ended.
template <class MakeWorker>
void for_row_blocks(Index rows, MakeWorker const& make_worker) {
  constexpr std::int64_t smallest = 16, largest = 1024, blocks_per_thread = 16;
  constexpr Index few_rows = 64;  // each takes half a microsecond or more
  std::int64_t const threads = omp_get_max_threads();
  auto const size = std::clamp(rows / (threads * blocks_per_thread), smallest, largest);
  auto const blocks = (rows + size - 1) / size;
  std::atomic<std::int64_t> next{0};
  std::exception_ptr failure;
  std::mutex mutex;
#pragma omp parallel if (rows >= few_rows)
  {
    try {
      auto worker = make_worker();
      for (auto b = next.fetch_add(1); b < blocks; b = next.fetch_add(1)) {
        worker(static_cast<Index>(b * size),
               static_cast<Index>(std::min<std::int64_t>(rows, (b + 1) * size)));
      }
    } catch (...) {
      std::lock_guard lock(mutex);
      failure = std::current_exception();
      next = blocks;
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace Tessera::sparse
