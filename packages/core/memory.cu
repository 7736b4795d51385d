#include <cuda_runtime.h>

#include "core/cuda_check.cuh"
#include "core/error.hpp"
#include "core/memory.hpp"
#include "core/memory_account.hpp"
#include "core/memory_counter.hpp"
#include "core/parallel_cuda.cuh"

namespace Tessera::core {
namespace {

MemoryCounter& counter() {
  static MemoryCounter device;
  return device;
}

/// The default pool gives memory back to the driver at every synchronisation unless told to keep it.
void keep_freed_memory(int device) {
  static thread_local int prepared = -1;
  if (prepared == device) return;
  cudaMemPool_t pool;
  TESSERA_CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
  unsigned long long threshold = ~0ull;
  TESSERA_CUDA_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  prepared = device;
}

/// What was freed and kept lies in pieces, which may be too small one by one.
void give_kept_memory_back(Cuda const& space) {
  cudaMemPool_t pool;
  TESSERA_CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, space.device));
  TESSERA_CUDA_CHECK(cudaStreamSynchronize(space.stream));
  TESSERA_CUDA_CHECK(cudaMemPoolTrimTo(pool, 0));
}

}  // namespace

template <>
void* allocate(Cuda const& space, std::size_t bytes) {
  if (bytes == 0) return nullptr;
  keep_freed_memory(space.device);
  void* pointer = nullptr;
  auto status =
      counter().allows(bytes) ? cudaMallocAsync(&pointer, bytes, space.stream) : cudaErrorMemoryAllocation;
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // not sticky: the next call must not see it
    give_kept_memory_back(space);
    if (counter().allows(bytes)) status = cudaMallocAsync(&pointer, bytes, space.stream);
  }
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw OutOfMemory(Cuda::name, bytes, counter().use().in_use, counter().use().peak);
  }
  TESSERA_CUDA_CHECK(status);
  counter().add(bytes);
  return pointer;
}

template <>
void release(Cuda const& space, void* pointer, std::size_t bytes) noexcept {
  if (pointer == nullptr) return;
  cudaFreeAsync(pointer, space.stream);
  counter().remove(bytes);
}

void* detail::mailbox() {
  static void* const memory = [] {
    void* pointer = nullptr;
    TESSERA_CUDA_CHECK(cudaMallocHost(&pointer, detail::mailbox_bytes));
    return pointer;
  }();
  return memory;
}

template <>
MemoryReuse<Cuda>::MemoryReuse(Cuda const&) {}
template <>
MemoryReuse<Cuda>::~MemoryReuse() {}

void count_memory(Cuda const&, std::size_t bytes) {
  counter().add(bytes);
}

template <>
void limit_memory(Cuda const&, std::size_t bytes) {
  counter().limit(bytes);
}

template <>
MemoryUse memory_use(Cuda const&) {
  return counter().use();
}

template <>
void reset_peak(Cuda const&) {
  counter().reset_peak();
}

}  // namespace Tessera::core
