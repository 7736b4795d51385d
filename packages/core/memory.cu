#include <cuda_runtime.h>

#include <stdexcept>

#include "core/cuda_check.cuh"
#include "core/error.hpp"
#include "core/memory.hpp"
#include "core/parallel_cuda.cuh"

namespace Tessera::core {

MemoryCounter& memory_counter(Cuda const&) {
  static MemoryCounter device;
  return device;
}

namespace {

/// By default, the pool returns free memory to the driver at every synchronisation.
void keep_freed_memory(int device) {
  static thread_local int prepared = -1;
  if (prepared == device) return;
  cudaMemPool_t pool;
  TESSERA_CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
  unsigned long long threshold = ~0ull;
  TESSERA_CUDA_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  prepared = device;
}

/// Returns free memory of the pool to the driver: its pieces may be too small for a request.
void trim_pool(Cuda const& space) {
  cudaMemPool_t pool;
  TESSERA_CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, space.device));
  TESSERA_CUDA_CHECK(cudaStreamSynchronize(space.stream));
  TESSERA_CUDA_CHECK(cudaMemPoolTrimTo(pool, 0));
}

/// Number of living WithoutAllocations objects of this thread.
thread_local int allocation_bans = 0;

}  // namespace

template <>
void* allocate(Cuda const& space, std::size_t bytes) {
  if (bytes == 0) return nullptr;
  // The recorded graph would own the memory, and CUDA could not release the memory that it replaces.
  if (allocation_bans > 0)
    throw std::logic_error(message("work that is recorded for the GPU allocates ", bytes,
                                   " bytes, which must be allocated before (a defect of Tessera)"));
  keep_freed_memory(space.device);
  void* pointer = nullptr;
  bool const fails = memory_counter(space).fails_now();
  auto const take = [&] {
    return memory_counter(space).allows(bytes) && !fails ? cudaMallocAsync(&pointer, bytes, space.stream)
                                                         : cudaErrorMemoryAllocation;
  };
  auto status = take();
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // not sticky: the next call must not see it
    trim_pool(space);
    status = take();
  }
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw OutOfMemory(Cuda::name, bytes, memory_counter(space).use().in_use,
                      memory_counter(space).use().peak);
  }
  TESSERA_CUDA_CHECK(status);
  memory_counter(space).add(bytes);
  memory_counter(space).note_allocation();
  return pointer;
}

template <>
void release(Cuda const& space, void* pointer, std::size_t bytes) noexcept {
  if (pointer == nullptr) return;
  cudaFreeAsync(pointer, space.stream);
  memory_counter(space).remove(bytes);
}

WithoutAllocations::WithoutAllocations() {
  ++allocation_bans;
}
WithoutAllocations::~WithoutAllocations() {
  --allocation_bans;
}

void* detail::result_buffer() {
  static thread_local void* const memory = [] {  // never released, because CUDA may end first
    void* pointer = nullptr;
    TESSERA_CUDA_CHECK(cudaMallocHost(&pointer, detail::result_bytes));
    return pointer;
  }();
  return memory;
}

template <>
MemoryReuse<Cuda>::MemoryReuse(Cuda const&) {}
template <>
MemoryReuse<Cuda>::~MemoryReuse() {}

}  // namespace Tessera::core
