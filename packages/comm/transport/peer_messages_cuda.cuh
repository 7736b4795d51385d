#pragma once
/// \file
/// Device functions by which blocks put messages into a peer's memory, and take messages of a peer
/// (peers.hpp).
#include <cuda/atomic>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "comm/transport/peers.hpp"
#include "core/types.hpp"

namespace Tessera::comm::peer {

using SystemFlag = cuda::atomic_ref<std::uint64_t, cuda::thread_scope_system>;
using DeviceCount = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

/// Source or destination of one message in this process' memory.
struct Segment {
  PeerBuffers buffers;
  char* data;
  std::size_t bytes;
};

struct PeerLaunch {
  static constexpr int threads = 512;
  static constexpr unsigned max_blocks = 64;
  static constexpr std::size_t bytes_a_block = 4096;
  /// Number of blocks for a message of this size.
  static unsigned blocks(std::size_t bytes) {
    auto const needed = 1 + (std::max(bytes, std::size_t{1}) - 1) / bytes_a_block;
    return static_cast<unsigned>(std::min<std::size_t>(needed, max_blocks));
  }
};

/// One of the blocks that serve a message.
struct MessagePart {
  unsigned block, blocks;
  __device__ std::size_t first() const { return static_cast<std::size_t>(block) * blockDim.x + threadIdx.x; }
  __device__ std::size_t stride() const { return static_cast<std::size_t>(blocks) * blockDim.x; }
};

/// Waits until the other process has counted to `count`.
__device__ inline void wait_for(std::uint64_t& flag, std::uint64_t count) {
  if (threadIdx.x == 0) {
    while (SystemFlag(flag).load(cuda::memory_order_acquire) < count) {
    }
  }
  __syncthreads();
}

/// The last block that arrives sets the counter and signals the other process. Earlier writes of all threads
/// are then visible to the other process: each block releases them to the last block, which releases all.
__device__ inline void report(MessagePart const& part, unsigned& blocks, std::uint64_t& counter,
                              std::uint64_t& flag, std::uint64_t count) {
  __syncthreads();
  if (threadIdx.x != 0) return;
  DeviceCount const done(blocks);
  if (part.blocks > 1 && done.fetch_add(1, cuda::memory_order_acq_rel) != part.blocks - 1) return;
  done.store(0, cuda::memory_order_relaxed);
  counter = count;
  SystemFlag(flag).store(count, cuda::memory_order_release);
}

template <class Word>
__device__ void copy_words(MessagePart const& part, char const* from, char* to, std::size_t bytes) {
  for (auto i = part.first(); i < bytes / sizeof(Word); i += part.stride())
    reinterpret_cast<Word*>(to)[i] = __ldcg(reinterpret_cast<Word const*>(from) + i);
}

/// Copies in the widest words that divide both addresses and the size.
__device__ inline void copy(MessagePart const& part, char const* from, char* to, std::size_t bytes) {
  auto const bits = reinterpret_cast<std::uintptr_t>(from) | reinterpret_cast<std::uintptr_t>(to) | bytes;
  if (bits % sizeof(uint4) == 0) return copy_words<uint4>(part, from, to, bytes);
  if (bits % sizeof(unsigned long long) == 0) return copy_words<unsigned long long>(part, from, to, bytes);
  if (bits % sizeof(unsigned) == 0) return copy_words<unsigned>(part, from, to, bytes);
  copy_words<unsigned char>(part, from, to, bytes);
}

/// Content of a message: the data of the segment.
struct Copy {
  __device__ void operator()(MessagePart const& part, Segment const& segment, char* to) const {
    copy(part, segment.data, to, segment.bytes);
  }
};

/// Content of a message: values of rows of `owned`, whose indices are the data of the segment.
template <class Word>
struct Gather {
  Word const* owned;
  int width;
  __device__ void operator()(MessagePart const& part, Segment const& segment, char* to) const {
    auto const* const rows = reinterpret_cast<Index const*>(segment.data);
    auto const words = static_cast<unsigned>(segment.bytes / sizeof(Index)) * width;
    auto const stride = static_cast<unsigned>(part.stride());
    for (auto i = static_cast<unsigned>(part.first()); i < words; i += stride) {
      auto const row = static_cast<Offset>(rows[i / width]);
      reinterpret_cast<Word*>(to)[i] = owned[row * width + i % width];
    }
  }
};

template <class Message>
__device__ void put_segment(MessagePart const& part, Segment const& segment, Message const& message) {
  auto const& buffers = segment.buffers;
  auto& counters = *buffers.counters;
  auto const number = *const_cast<std::uint64_t volatile*>(&counters.put);
  // The message before the last one of this slot must have been taken.
  if (number >= PeerBuffers::slots) wait_for(buffers.mine->taken, number + 1 - PeerBuffers::slots);
  message(part, segment, buffers.out + number % PeerBuffers::slots * PeerBuffers::slot_bytes);
  report(part, counters.blocks_putting, counters.put, buffers.theirs->arrived, number + 1);
}

__device__ inline void take_segment(MessagePart const& part, Segment const& segment) {
  auto const& [buffers, data, bytes] = segment;
  auto& counters = *buffers.counters;
  auto const number = *const_cast<std::uint64_t volatile*>(&counters.taken);
  wait_for(buffers.mine->arrived, number + 1);
  copy(part, buffers.in + number % PeerBuffers::slots * PeerBuffers::slot_bytes, data, bytes);
  report(part, counters.blocks_taking, counters.taken, buffers.theirs->taken, number + 1);
}

}  // namespace Tessera::comm::peer
