#pragma once
/// \file
/// What a reduction of one rank does at its end, where those of several are joined.
#include "comm/transport/peers.hpp"
#if defined(TESSERA_CUDA_UNIT)
#include "comm/transport/peer_join_cuda.cuh"
#endif

namespace Tessera::comm {

/// What becomes of this rank's part: peers join theirs with it at once, and finish; else it is stored.
template <class Finish, class Op, class T>
struct JoinOrStore {
  Finish finish;
  Op op;
  PeerBuffers const* links;  ///< on the space, of all ranks; null: not all are peers
  int rank, ranks;
  T* part;
  TESSERA_HD void operator()(T const& mine) const {
#if defined(TESSERA_CUDA_UNIT) && defined(__CUDA_ARCH__)
    if (links != nullptr) return finish(joined_over_peers(links, rank, ranks, mine, op));
#endif
    *part = mine;
  }
};

}  // namespace Tessera::comm
