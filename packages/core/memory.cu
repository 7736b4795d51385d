#include <cuda_runtime.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <stdexcept>
#include <vector>

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

/// Small blocks that arrays have released, for later arrays on the same stream. Two calls of the pool take 2
/// to 3 us, half of a kernel's launch. Setups of small systems and on several GPUs wait for such calls.
class SpareBlocks {
 public:
  static constexpr std::size_t smallest = 512, largest = std::size_t{1} << 20;
  /// TESSERA_REUSE_BLOCKS=0: none, so that compute-sanitizer sees the bounds and the life of each array.
  static bool holds(std::size_t bytes) {
    static bool const reuse = [] {
      auto const* const value = std::getenv("TESSERA_REUSE_BLOCKS");
      return value == nullptr || std::strcmp(value, "0") != 0;
    }();
    return reuse && bytes <= largest;
  }
  static std::size_t rounded(std::size_t bytes) { return smallest << size_class(bytes); }

  /// A block of rounded(bytes); null if there is none.
  void* take(cudaStream_t stream, std::size_t bytes) {
    std::lock_guard const lock(mutex_);
    auto& blocks = of_stream_[stream][size_class(bytes)];
    if (blocks.empty()) return nullptr;
    auto* const pointer = blocks.back();
    blocks.pop_back();
    return pointer;
  }

  /// False without host memory for the list.
  bool keep(cudaStream_t stream, void* pointer, std::size_t bytes) noexcept try {
    std::lock_guard const lock(mutex_);
    of_stream_[stream][size_class(bytes)].push_back(pointer);
    return true;
  } catch (...) {
    return false;
  }

  /// Returns all blocks to the pool.
  void give_back() {
    std::lock_guard const lock(mutex_);
    for (auto& [stream, classes] : of_stream_) {
      for (auto& blocks : classes) {
        for (auto* const pointer : blocks) cudaFreeAsync(pointer, stream);
        blocks.clear();
      }
    }
  }

 private:
  /// The power of two by which to multiply the smallest block.
  static std::size_t size_class(std::size_t bytes) {
    std::size_t power = 0;
    while ((smallest << power) < bytes) ++power;
    return power;
  }

  std::mutex mutex_;
  std::map<cudaStream_t, std::array<std::vector<void*>, 12>> of_stream_;
};

SpareBlocks& spare_blocks() {
  static auto& blocks = *new SpareBlocks;  // never destroyed: CUDA may end first
  return blocks;
}

/// Returns free memory of the pool to the driver: its pieces may be too small for a request.
void trim_pool(Cuda const& space) {
  spare_blocks().give_back();
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
  auto& counter = memory_counter(space);
  bool const fails = counter.fails_now(), small = SpareBlocks::holds(bytes);
  void* pointer = nullptr;
  if (small && !fails && counter.allows(bytes)) pointer = spare_blocks().take(space.stream, bytes);
  if (pointer != nullptr) {
    counter.add(bytes);
    return pointer;
  }
  keep_freed_memory(space.device);
  auto const size = small ? SpareBlocks::rounded(bytes) : bytes;
  auto const take = [&] {
    return counter.allows(bytes) && !fails ? cudaMallocAsync(&pointer, size, space.stream)
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
    throw OutOfMemory(Cuda::name, bytes, counter.use().in_use, counter.use().peak);
  }
  TESSERA_CUDA_CHECK(status);
  counter.add(bytes);
  counter.note_allocation();
  return pointer;
}

template <>
void release(Cuda const& space, void* pointer, std::size_t bytes) noexcept {
  if (pointer == nullptr) return;
  if (!SpareBlocks::holds(bytes) || !spare_blocks().keep(space.stream, pointer, bytes))
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
