#pragma once
/// \file
/// Links between processes of one host that write into each other's GPU memory; docs/decisions/0011.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "comm/transport/nccl.hpp"
#include "core/space.hpp"

namespace Tessera::comm {

/// Flags that one process writes into the memory of another. Each flag has its own cache line.
struct PeerFlags {
  alignas(128) std::uint64_t arrived;  ///< messages that the other process has put into this process' slots
  alignas(128) std::uint64_t taken;    ///< messages that the other process has taken out of its slots
  alignas(128) std::uint64_t test_word;
};

/// Counters of a link in the memory of the process' own GPU, so that kernels need no number from the host.
struct PeerCounters {
  std::uint64_t put, taken;                ///< messages
  unsigned blocks_putting, blocks_taking;  ///< blocks of the running kernel that are done
};

/// Both directions between this process and another, as kernels use them. Messages alternate between the
/// slots, and are taken in the order in which they were put.
struct PeerBuffers {
  static constexpr int slots = 2;
  static constexpr std::size_t slot_bytes = std::size_t{8} << 20;

  PeerFlags* mine;    ///< flags of this process, written by the other process
  PeerFlags* theirs;  ///< flags of the other process
  char* in;           ///< slots of this process, filled by the other process
  char* out;          ///< slots of the other process
  PeerCounters* counters;
};

/// The buffers of a link, and the host's counts.
struct Link {
  PeerBuffers buffers;
  /// Both processes share one GPU, which runs them in turns. A kernel that waits for the other process would
  /// use up its turn; so the stream waits, for counts on the host.
  bool one_device;
  std::uint64_t put = 0, taken = 0;  ///< enqueued messages
};

/// Links of this rank with ranks of a communicator. A link belongs to two processes, not to a communicator,
/// and lives as long as they do.
class Peers {
 public:
  /// Links processes of a host that have no link yet, if CUDA allows it. TESSERA_PEER_GPUS=0 in the
  /// environment of one of two processes prevents their link. Collective.
  Peers(Cuda const& space, Communicator const& comm);

  /// The link with a rank; null: none.
  Link* link(int rank) const { return links_[rank]; }
  /// Number of ranks with a link to this rank.
  int count() const;
  /// Whether every rank has links with all other ranks, on distinct devices; the same on all ranks.
  bool complete() const { return complete_; }
  /// NCCL for ranks without a link; null: not available, or not needed.
  Nccl* nccl() const { return nccl_.get(); }
  /// Error of CUDA or NCCL; empty if there was none.
  std::string const& failure() const { return failure_; }

 private:
  std::vector<Link*> links_;
  bool complete_ = false;
  std::shared_ptr<Nccl> nccl_;
  std::string failure_;
};

/// Gives the communicator its peers, unless it has them. Collective.
inline void connect_peers(Host const&, Communicator const&) {}
void connect_peers(Cuda const& space, Communicator const& comm);

/// Whether messages between all ranks need no host, so that a graph can record them; the same on all ranks.
inline bool ranks_reach_each_other(Host const&, Communicator const&) {
  return false;
}
bool ranks_reach_each_other(Cuda const& space, Communicator const& comm);

/// The links with all ranks, by rank (with an empty link to this rank), if all ranks have links with each
/// other on distinct devices; otherwise no links. The same on all ranks.
inline std::vector<PeerBuffers> links_of_all(Host const&, Communicator const&) {
  return {};
}
std::vector<PeerBuffers> links_of_all(Cuda const& space, Communicator const& comm);

}  // namespace Tessera::comm
