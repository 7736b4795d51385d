#pragma once
/// \file
/// Exchanges that a kernel makes by itself, all of whose blocks run at once, between GPUs that write into
/// each other's memory: no launch, and no host, comes between one and the next.
#include <optional>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/transport/neighbour.hpp"
#include "core/space.hpp"
#include "core/span.hpp"

namespace Tessera::comm {

/// What such a kernel is told (kernel_exchange_cuda.cuh); on the host there is none.
template <class Space>
struct KernelExchange {
  /// words: owned ones, then ghosts.
  template <class Word>
  void reads(int /*step*/, Word* /*words*/, Index /*owned*/) {}
};

/// Of words of 8 bytes: rows[begin..end) to each of `to`, ghosts from each of `from`, where all ranks can, on
/// devices of their own, and are few; else none, which may differ from rank to rank.
inline std::optional<KernelExchange<Host>> kernel_exchange(Host const&, Communicator const&,
                                                           std::vector<Neighbour> const&, Span<Index const>,
                                                           std::vector<Neighbour> const&) {
  return {};
}

}  // namespace Tessera::comm

#if defined(__CUDACC__)
#include "comm/transport/kernel_exchange_cuda.cuh"
#endif
