#include <cuda_runtime.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/block_plan.hpp"
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

/// A piece of memory, and the places of blocks in it.
struct PlannedMemory {
  char* begin = nullptr;
  std::size_t bytes = 0;
  BlockPlan plan;

  bool has(void const* pointer) const {
    auto const* const at = static_cast<char const*>(pointer);
    return std::less_equal<>{}(begin, at) && std::less<>{}(at, begin + bytes);
  }
};

/// The planned memory of all KeptMemory objects. The mutex guards the plans, because a block may be released
/// by another thread than its allocator.
struct AllPlanned {
  std::mutex mutex;
  std::vector<PlannedMemory*> all;
};
AllPlanned& planned_memory() {
  static auto& one = *new AllPlanned;  // never destroyed: static objects release arrays after main
  return one;
}
thread_local PlannedMemory* running = nullptr;  ///< the memory of this thread's current run

/// Number of living WithoutAllocations objects of this thread.
thread_local int allocation_bans = 0;

void* from_pool(Cuda const& space, std::size_t bytes) {
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

void to_pool(Cuda const& space, void* pointer, std::size_t bytes) noexcept {
  cudaFreeAsync(pointer, space.stream);
  memory_counter(space).remove(bytes);
}

}  // namespace

template <>
void* allocate(Cuda const& space, std::size_t bytes) {
  if (bytes == 0) return nullptr;
  // The recorded graph would own the memory, and CUDA could not release the memory that it replaces.
  if (allocation_bans > 0)
    throw std::logic_error(message("work that is recorded for the GPU allocates ", bytes,
                                   " bytes, which must be allocated before (a defect of Tessera)"));
  if (running == nullptr) return from_pool(space, bytes);
  auto& mutex = planned_memory().mutex;
  void* pointer = nullptr;
  {
    std::lock_guard const lock(mutex);
    if (auto const place = running->plan.place(bytes)) pointer = running->begin + *place;
  }
  if (pointer == nullptr) pointer = from_pool(space, bytes);
  std::lock_guard const lock(mutex);
  running->plan.record_allocation(pointer, bytes);
  return pointer;
}

template <>
void release(Cuda const& space, void* pointer, std::size_t bytes) noexcept {
  if (pointer == nullptr) return;
  {
    auto& planned = planned_memory();
    std::lock_guard const lock(planned.mutex);
    if (running != nullptr) running->plan.record_release(pointer);
    for (auto* memory : planned.all) {
      if (memory->has(pointer))
        return memory->plan.vacate(static_cast<std::size_t>(static_cast<char*>(pointer) - memory->begin));
    }
  }
  to_pool(space, pointer, bytes);
}

template <>
struct KeptMemory<Cuda>::State : PlannedMemory {
  Cuda space;
  std::size_t missing = 0;

  void release_piece() {
    if (begin != nullptr) to_pool(space, begin, bytes);
    begin = nullptr;
    bytes = 0;
  }
  void renew_plan() {
    if (plan.any_in_use()) return;
    release_piece();
    missing = 0;
    auto const needed = plan.assign_places();
    if (needed == 0) return;
    try {
      begin = static_cast<char*>(from_pool(space, needed));
      bytes = needed;
    } catch (OutOfMemory const&) {
      plan = {};
      missing = needed;
    }
  }
};

template <>
KeptMemory<Cuda>::KeptMemory(Cuda const& space) : state_(std::make_unique<State>()) {
  state_->space = space;
  auto& planned = planned_memory();
  std::lock_guard const lock(planned.mutex);
  planned.all.push_back(state_.get());
}

template <>
KeptMemory<Cuda>::~KeptMemory() {
  auto& planned = planned_memory();
  std::lock_guard const lock(planned.mutex);
  planned.all.erase(std::find(planned.all.begin(), planned.all.end(), state_.get()));
  state_->release_piece();
}

template <>
void KeptMemory<Cuda>::run(std::function<void()> const& work) {
  auto& mutex = planned_memory().mutex;
  {
    std::lock_guard const lock(mutex);
    state_->plan.begin();
  }
  struct Run {
    PlannedMemory* before;
    explicit Run(PlannedMemory* now) : before(std::exchange(running, now)) {}
    ~Run() { running = before; }
  };
  {
    Run const run(state_.get());
    work();
  }
  std::lock_guard const lock(mutex);
  if (!state_->plan.complete()) state_->renew_plan();
}

template <>
std::size_t KeptMemory<Cuda>::bytes() const {
  return state_->bytes;
}

template <>
std::size_t KeptMemory<Cuda>::missing() const {
  return state_->missing;
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
