#pragma once
/// \file
/// Blocks of rows handed to threads as they come free, each thread with tables of its own.
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "core/types.hpp"

namespace Tessera::sparse {

/// make_worker() is called once by each thread; worker(begin, end) for each block of rows. What a thread
/// throws (out of memory, say) is thrown here when all are done.
template <class MakeWorker>
void for_row_blocks(Index rows, MakeWorker const& make_worker) {
  constexpr std::int64_t smallest = 16, largest = 1024, blocks_per_thread = 16;
  constexpr Index few_rows = 64;  // of half a microsecond or more each
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
