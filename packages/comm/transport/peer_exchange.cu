#include "comm/transport/peer_exchange.hpp"

#include <cuda.h>
#include <cuda/atomic>

#include <algorithm>
#include <array>

#include "comm/transport/nccl.hpp"
#include "comm/transport/peers.hpp"
#include "core/cuda_check.cuh"

namespace Tessera::comm {
namespace {

using SystemFlag = cuda::atomic_ref<std::uint64_t, cuda::thread_scope_system>;

/// Where one message comes from or goes to in this process' memory.
struct Stretch {
  PeerBuffers buffers;
  char* data;
  std::size_t bytes;
};

/// What one kernel sees to, stretch blockIdx.y by gridDim.x blocks.
struct Batch {
  static constexpr int most = 8;
  Stretch stretch[most];
};

struct PeerLaunch {
  static constexpr int threads = 512;
  static constexpr unsigned most_blocks = 64;
  static constexpr std::size_t bytes_a_block = 16384;
};

/// Waits until the other process has counted up to `count`.
__device__ void wait_for(std::uint64_t& flag, std::uint64_t count) {
  if (threadIdx.x == 0) {
    while (SystemFlag(flag).load(cuda::memory_order_acquire) < count) {
    }
  }
  __syncthreads();
}

/// In the last block that comes here: sets counter and tells the other process. What the kernel's threads
/// have done before is then done for the other.
__device__ void report(unsigned& blocks, std::uint64_t& counter, std::uint64_t& flag, std::uint64_t count) {
  __syncthreads();
  if (threadIdx.x != 0) return;
  __threadfence_system();
  if (atomicAdd(&blocks, 1u) != gridDim.x - 1) return;
  blocks = 0;
  counter = count;
  __threadfence_system();
  SystemFlag(flag).store(count, cuda::memory_order_release);
}

template <class Word>
__device__ void copy_words(char const* from, char* to, std::size_t bytes) {
  auto const stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (auto i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < bytes / sizeof(Word);
       i += stride)
    reinterpret_cast<Word*>(to)[i] = __ldcg(reinterpret_cast<Word const*>(from) + i);
}

/// What a message consists of: the stretch's data as they are.
template <class Word>
struct Copy {
  __device__ void operator()(Stretch const& stretch, char* to) const {
    copy_words<Word>(stretch.data, to, stretch.bytes);
  }
};

/// The stretch's data are the numbers of rows of owned.
template <class Word>
struct Gather {
  Word const* owned;
  int width;
  __device__ void operator()(Stretch const& stretch, char* to) const {
    auto const* const rows = reinterpret_cast<Index const*>(stretch.data);
    auto const words = static_cast<unsigned>(stretch.bytes / sizeof(Index)) * width;
    for (auto i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x) {
      auto const row = static_cast<Offset>(rows[i / width]);
      reinterpret_cast<Word*>(to)[i] = owned[row * width + i % width];
    }
  }
};

template <class Message>
__global__ void __launch_bounds__(PeerLaunch::threads) put_kernel(Batch batch, Message message) {
  auto const& stretch = batch.stretch[blockIdx.y];
  auto const& buffers = stretch.buffers;
  auto& counters = *buffers.counters;
  auto const number = *const_cast<std::uint64_t volatile*>(&counters.put);
  // The slot's last message but one must have been taken.
  if (number >= PeerBuffers::slots) wait_for(buffers.mine->taken, number + 1 - PeerBuffers::slots);
  message(stretch, buffers.out + number % PeerBuffers::slots * PeerBuffers::slot_bytes);
  report(counters.blocks_putting, counters.put, buffers.theirs->arrived, number + 1);
}

template <class Word>
__global__ void __launch_bounds__(PeerLaunch::threads) take_kernel(Batch batch) {
  auto const& [buffers, data, bytes] = batch.stretch[blockIdx.y];
  auto& counters = *buffers.counters;
  auto const number = *const_cast<std::uint64_t volatile*>(&counters.taken);
  wait_for(buffers.mine->arrived, number + 1);
  copy_words<Word>(buffers.in + number % PeerBuffers::slots * PeerBuffers::slot_bytes, data, bytes);
  report(counters.blocks_taking, counters.taken, buffers.theirs->taken, number + 1);
}

Link* link_to(Communicator const& comm, int rank) {
  auto const& peers = comm.peers();
  return peers ? peers->link(rank) : nullptr;
}

/// cuStreamWaitValue64; null where the driver has none.
auto stream_wait_value() {
  using Function = CUresult (*)(CUstream, CUdeviceptr, cuuint64_t, unsigned);
  static auto const function = [] {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result{};
#if CUDART_VERSION >= 12050
    auto const status =
        cudaGetDriverEntryPointByVersion("cuStreamWaitValue64", &found, 12000, cudaEnableDefault, &result);
#else
    auto const status = cudaGetDriverEntryPoint("cuStreamWaitValue64", &found, cudaEnableDefault, &result);
#endif
    if (status != cudaSuccess) cudaGetLastError();
    return reinterpret_cast<Function>(status == cudaSuccess ? found : nullptr);
  }();
  return function;
}

/// Before a kernel that would wait for the other process, where both share a device.
void wait_in_stream(Cuda const& space, std::uint64_t* flag, std::uint64_t count) {
  auto const status =
      stream_wait_value()(space.stream, reinterpret_cast<CUdeviceptr>(flag), count, CU_STREAM_WAIT_VALUE_GEQ);
  if (status != CUDA_SUCCESS)
    throw std::runtime_error(core::message("cuStreamWaitValue64 failed with CUDA's error ", int(status)));
}

/// The widest word that all stretches consist of.
std::size_t word_of(Batch const& batch, int count) {
  std::size_t bits = 16;
  for (int k = 0; k < count; ++k)
    bits |= reinterpret_cast<std::uintptr_t>(batch.stretch[k].data) | batch.stretch[k].bytes;
  return bits & (~bits + 1);
}

/// Calls launch(kernel's grid, batch, word) for all stretches, some at a time.
template <class Launch>
void in_batches(Communicator const& comm, std::vector<Neighbour> const& neighbours, char* data,
                std::size_t element, Launch const& launch) {
  Batch batch{};
  int count = 0;
  for (std::size_t k = 0; k < neighbours.size(); ++k) {
    auto const& [rank, begin, end] = neighbours[k];
    batch.stretch[count++] = {link_to(comm, rank)->buffers, data + begin * element, (end - begin) * element};
    if (count < Batch::most && k + 1 < neighbours.size()) continue;
    std::size_t longest = 0;
    for (int l = 0; l < count; ++l) longest = std::max(longest, batch.stretch[l].bytes);
    auto const blocks =
        std::min<std::size_t>(1 + (longest - 1) / PeerLaunch::bytes_a_block, PeerLaunch::most_blocks);
    launch(dim3(static_cast<unsigned>(blocks), static_cast<unsigned>(count)), batch, word_of(batch, count));
    TESSERA_CUDA_CHECK(cudaGetLastError());
    count = 0;
  }
}

/// Calls run with a value of the word's type.
template <class Run>
void with_word(std::size_t word, Run const& run) {
  if (word >= sizeof(uint4)) return run(uint4{});
  if (word >= sizeof(std::uint64_t)) return run(static_cast<unsigned long long>(0));
  if (word >= sizeof(unsigned)) return run(0u);
  run(static_cast<unsigned char>(0));
}

/// Keeps account of messages that are about to be put.
void before_put(Cuda const& space, Communicator const& comm, std::vector<Neighbour> const& to) {
  for (auto const& neighbour : to) {
    auto& link = *link_to(comm, neighbour.rank);
    ++link.put;
    if (link.one_device && link.put > PeerBuffers::slots)
      wait_in_stream(space, &link.buffers.mine->taken, link.put - PeerBuffers::slots);
  }
}

}  // namespace

bool can_exchange_with_peer(Cuda const&, Communicator const& comm, int rank, std::size_t bytes) {
  return 0 < bytes && bytes <= PeerBuffers::slot_bytes && link_to(comm, rank) != nullptr;
}

bool can_record_exchange(Cuda const& space, Communicator const& comm, std::vector<Neighbour> const& all,
                         std::size_t element) {
  return std::all_of(all.begin(), all.end(), [&](Neighbour const& n) {
    auto const bytes = static_cast<std::size_t>(n.end - n.begin) * element;
    if (n.rank == comm.rank() || bytes == 0) return true;
    if (!can_exchange_with_peer(space, comm, n.rank, bytes)) return can_exchange_by_nccl(space, comm, bytes);
    return !link_to(comm, n.rank)->one_device;
  });
}

void put(Cuda const& space, Communicator const& comm, std::vector<Neighbour> const& to, char const* source,
         std::size_t element) {
  before_put(space, comm, to);
  // put_kernel only reads from there.
  auto* const data = const_cast<char*>(source);
  in_batches(comm, to, data, element, [&](dim3 grid, Batch const& batch, std::size_t word) {
    with_word(word, [&](auto zero) {
      using Word = decltype(zero);
      put_kernel<<<grid, PeerLaunch::threads, 0, space.stream>>>(batch, Copy<Word>{});
    });
  });
}

void put_rows(Cuda const& space, Communicator const& comm, std::vector<Neighbour> const& to,
              Span<Index const> rows, void const* owned, std::size_t element, int width) {
  before_put(space, comm, to);
  // Stretches of the list: what a message begins with is told by where it begins there.
  auto* const list = reinterpret_cast<char*>(const_cast<Index*>(rows.data()));
  in_batches(comm, to, list, sizeof(Index), [&](dim3 grid, Batch const& batch, std::size_t) {
    with_word(element, [&](auto zero) {
      using Word = decltype(zero);
      put_kernel<<<grid, PeerLaunch::threads, 0, space.stream>>>(
          batch, Gather<Word>{static_cast<Word const*>(owned), width});
    });
  });
}

void take(Cuda const& space, Communicator const& comm, std::vector<Neighbour> const& from, char* target,
          std::size_t element) {
  for (auto const& neighbour : from) {
    auto& link = *link_to(comm, neighbour.rank);
    ++link.taken;
    if (link.one_device) wait_in_stream(space, &link.buffers.mine->arrived, link.taken);
  }
  in_batches(comm, from, target, element, [&](dim3 grid, Batch const& batch, std::size_t word) {
    with_word(word, [&](auto zero) {
      take_kernel<decltype(zero)><<<grid, PeerLaunch::threads, 0, space.stream>>>(batch);
    });
  });
}

}  // namespace Tessera::comm
