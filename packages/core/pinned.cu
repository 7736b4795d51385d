#include "core/pinned.hpp"

#include <cstring>
#include <thread>

#include "core/cuda_check.cuh"
#include "core/memory_account.hpp"

namespace Tessera::core {

void* allocate_pinned(Cuda const&, std::size_t bytes) {
  void* pointer = nullptr;
  auto const status = cudaMallocHost(&pointer, bytes);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // not sticky: the next call must not see it
    throw OutOfMemory("pinned host", bytes, 0, 0);
  }
  TESSERA_CUDA_CHECK(status);
  memory_counter(Cuda{}).note_allocation();
  std::memset(pointer, 0, bytes);
  return pointer;
}

void release_pinned(Cuda const&, void* pointer) noexcept {
  if (pointer != nullptr) cudaFreeHost(pointer);
}

void wait_until(Cuda const& space, std::int64_t const* counter, std::int64_t value) {
  constexpr int reads = 1000;  // between queries of the driver, which take some microseconds
  while (true) {
    for (int read = 0; read < reads; ++read) {
      if (observe(counter) >= value) return;
    }
    auto const status = cudaStreamQuery(space.stream);
    if (status == cudaErrorNotReady) {
      std::this_thread::yield();
      continue;
    }
    TESSERA_CUDA_CHECK(status);
    if (observe(counter) >= value) return;
    throw std::runtime_error("waited for work that was never enqueued on the GPU");
  }
}

}  // namespace Tessera::core
