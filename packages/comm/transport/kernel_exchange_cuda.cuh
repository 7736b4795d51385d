#pragma once
/// \file
/// See kernel_exchange.hpp.
#include <cooperative_groups.h>

#include "comm/transport/kernel_exchange.hpp"
#include "comm/transport/peer_join_cuda.cuh"
#include "comm/transport/peer_messages_cuda.cuh"
#include "core/error.hpp"

namespace Tessera::comm {

/// Called by all blocks, in the same order on all ranks.
template <>
struct KernelExchange<Cuda> {
  using Word = unsigned long long;
  static constexpr int most = 8;        ///< ranks, and neighbours
  static constexpr int most_steps = 4;  ///< that read ghosts

  int rank, ranks, puts, takes;
  unsigned blocks;  ///< that see to messages
  PeerBuffers links[most];
  peer::Stretch out[most], in[most];  ///< out: of the list of rows
  Index first_ghost[most];            ///< of each of `in`
  Word* words[most_steps];            ///< what step s reads: owned ones, then ghosts
  Index owned;

  template <class T>
  void reads(int step, T* array, Index own) {
    static_assert(sizeof(T) == sizeof(Word));
    TESSERA_EXPECT(step < most_steps);
    words[step] = reinterpret_cast<Word*>(array);
    owned = own;
  }
  /// Whether it is true on a rank. answer: on the device, written by nobody else.
  template <class Grid>
  __device__ bool any(Grid const& grid, bool here, Index* answer) const {
    if (grid.thread_rank() == 0) {
      auto const either = [](Word a, Word b) { return a | b; };
      *answer = static_cast<Index>(joined_over_peers<Word>(links, rank, ranks, here ? 1 : 0, either));
    }
    grid.sync();
    return *static_cast<Index const volatile*>(answer) != 0;
  }
  /// Fetches the ghosts that a step reads.
  template <class Grid>
  __device__ void before(Grid const& grid, int step) const {
    if (blockIdx.x < blocks) {
      peer::OfBlocks const part{blockIdx.x, gridDim.x < blocks ? gridDim.x : blocks};
      for (int k = 0; k < puts; ++k) peer::put_stretch(part, out[k], peer::Gather<Word>{words[step], 1});
      for (int k = 0; k < takes; ++k) {
        auto stretch = in[k];
        stretch.data = reinterpret_cast<char*>(words[step] + owned + first_ghost[k]);
        peer::take_stretch(part, stretch);
      }
    }
    grid.sync();
  }
};

std::optional<KernelExchange<Cuda>> kernel_exchange(Cuda const& space, Communicator const& comm,
                                                    std::vector<Neighbour> const& to, Span<Index const> rows,
                                                    std::vector<Neighbour> const& from);

}  // namespace Tessera::comm
