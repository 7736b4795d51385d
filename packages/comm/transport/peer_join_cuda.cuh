#pragma once
/// \file
/// Numbers of all ranks joined by one thread of a kernel, between GPUs that write into each other's memory.
#include <cuda/atomic>

#include <cstddef>
#include <cstdint>

#include "comm/transport/peers.hpp"

namespace Tessera::comm {

namespace peer_join {

using Flag = cuda::atomic_ref<std::uint64_t, cuda::thread_scope_system>;

__device__ inline void wait_for(std::uint64_t& flag, std::uint64_t count) {
  while (Flag(flag).load(cuda::memory_order_acquire) < count) {
  }
}

/// A message of one number, as the kernels of peer_exchange.cu put and take them.
template <class T>
__device__ void put(PeerBuffers const& link, T const& number) {
  auto& counters = *link.counters;
  auto const count = counters.put;
  if (count >= PeerBuffers::slots) wait_for(link.mine->taken, count + 1 - PeerBuffers::slots);
  *reinterpret_cast<T*>(link.out + count % PeerBuffers::slots * PeerBuffers::slot_bytes) = number;
  counters.put = count + 1;
  Flag(link.theirs->arrived).store(count + 1, cuda::memory_order_release);
}

template <class T>
__device__ T take(PeerBuffers const& link) {
  static_assert(sizeof(T) % sizeof(double) == 0);
  auto& counters = *link.counters;
  auto const count = counters.taken;
  wait_for(link.mine->arrived, count + 1);
  auto const* const from =
      reinterpret_cast<double const*>(link.in + count % PeerBuffers::slots * PeerBuffers::slot_bytes);
  T number;
#pragma unroll
  for (std::size_t w = 0; w < sizeof(T) / sizeof(double); ++w)
    reinterpret_cast<double*>(&number)[w] = __ldcg(from + w);  // past this multiprocessor's own cache
  counters.taken = count + 1;
  Flag(link.theirs->taken).store(count + 1, cuda::memory_order_release);
  return number;
}

}  // namespace peer_join

/// op over the numbers of all ranks in their order, from T{} on. link[r]: to rank r; that of this rank is not
/// looked at. By one thread, while nothing else of the space exchanges; the other ranks do the same.
template <class T, class Op>
__device__ T joined_over_peers(PeerBuffers const* link, int rank, int ranks, T const& mine, Op const& op) {
  for (int r = 0; r < ranks; ++r) {
    if (r != rank) peer_join::put(link[r], mine);
  }
  T total{};
  for (int r = 0; r < ranks; ++r) total = op(total, r == rank ? mine : peer_join::take<T>(link[r]));
  return total;
}

}  // namespace Tessera::comm
