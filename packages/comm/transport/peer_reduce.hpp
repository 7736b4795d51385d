#pragma once
/// \file
/// End of a rank's reduction: combination with the parts of all other ranks, on CUDA through peer memory.
#include "comm/transport/peers.hpp"
#include "core/types.hpp"
#if defined(TESSERA_CUDA_UNIT)
#include <cuda/atomic>

#include <cstddef>
#include <cstdint>
#endif

namespace Tessera::comm {

#if defined(TESSERA_CUDA_UNIT)
namespace peer_reduce {

using Flag = cuda::atomic_ref<std::uint64_t, cuda::thread_scope_system>;

__device__ inline void wait_for(std::uint64_t& flag, std::uint64_t count) {
  while (Flag(flag).load(cuda::memory_order_acquire) < count) {
  }
}

/// Puts a message of one number, in the protocol of the kernels of peer_exchange.cu.
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
    reinterpret_cast<double*>(&number)[w] = __ldcg(from + w);  // bypasses the cache of this multiprocessor
  counters.taken = count + 1;
  Flag(link.theirs->taken).store(count + 1, cuda::memory_order_release);
  return number;
}

}  // namespace peer_reduce

/// Combines the numbers of all ranks by op in rank order, starting from T{}. link[r]: to rank r; this rank's
/// entry is not used. One thread of each rank calls this, while no other exchange of the space runs.
template <class T, class Op>
__device__ T reduce_over_peers(PeerBuffers const* link, int rank, int ranks, T const& mine, Op const& op) {
  for (int r = 0; r < ranks; ++r) {
    if (r != rank) peer_reduce::put(link[r], mine);
  }
  T total{};
  for (int r = 0; r < ranks; ++r) total = op(total, r == rank ? mine : peer_reduce::take<T>(link[r]));
  return total;
}
#endif

/// Peers combine the parts of all ranks at once, and call finish; other ranks store their part.
template <class Finish, class Op, class T>
struct CombineOrStore {
  Finish finish;
  Op op;
  PeerBuffers const* links;  ///< on the space, of all ranks; null unless all ranks are peers
  int rank, ranks;
  T* part;
  TESSERA_HD void operator()(T const& mine) const {
#if defined(TESSERA_CUDA_UNIT) && defined(__CUDA_ARCH__)
    if (links != nullptr) return finish(reduce_over_peers(links, rank, ranks, mine, op));
#endif
    *part = mine;
  }
};

}  // namespace Tessera::comm
