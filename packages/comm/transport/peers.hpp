#pragma once
/// \file
/// Processes of one host that write into each other's GPU memory; docs/decisions/0011 says why and how.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "comm/transport/nccl.hpp"
#include "core/space.hpp"

namespace Tessera::comm {

/// What one process tells another by writing into its memory. Each on a line of its own.
struct PeerFlags {
  alignas(128) std::uint64_t arrived;  ///< messages that the other has put into this process' slots
  alignas(128) std::uint64_t taken;    ///< messages of this process that the other has taken out of its slots
  alignas(128) std::uint64_t greeting;
};

/// What a process counts of a link, in its own GPU's memory, so that kernels need no number from the host.
struct PeerCounters {
  std::uint64_t put, taken;                ///< messages
  unsigned blocks_putting, blocks_taking;  ///< of the kernel under way, that are done
};

/// Both directions between this process and another as kernels see them. Messages lie in the slots by turns,
/// and are taken in the order in which they were put.
struct PeerBuffers {
  static constexpr int slots = 2;
  static constexpr std::size_t slot_bytes = std::size_t{8} << 20;

  PeerFlags* mine;    ///< the other writes these
  PeerFlags* theirs;  ///< of the other
  char* in;           ///< this process' slots, which the other fills
  char* out;          ///< the other's
  PeerCounters* counters;
};

/// The buffers of a link and what the host knows of them.
struct Link {
  PeerBuffers buffers;
  /// The processes take turns on one GPU: a kernel that waited for the other would use up its turn, so the
  /// stream waits, for counts that the host knows.
  bool one_device;
  std::uint64_t put = 0, taken = 0;  ///< messages of which the space has been told
};

/// Which ranks of a communicator this one is linked with. A link belongs to two processes, not to a
/// communicator, and lives as long as they do.
class Peers {
 public:
  /// Links processes of a host with each other that are not yet, where CUDA allows it. Collective.
  /// TESSERA_PEER_GPUS=0 in the environment of either process leaves two unlinked.
  Peers(Cuda const& space, Communicator const& comm);

  /// Null: none.
  Link* link(int rank) const { return links_[rank]; }
  /// Ranks that are linked with this one.
  int count() const;
  /// Whether every rank is linked with every other, on other devices; the same on all.
  bool complete() const { return complete_; }
  /// For ranks that are not linked; null: none, or not needed.
  Nccl* nccl() const { return nccl_.get(); }
  /// What CUDA, or NCCL, said where it refused; empty when it did not.
  std::string const& failure() const { return failure_; }

 private:
  std::vector<Link*> links_;
  bool complete_ = false;
  std::shared_ptr<Nccl> nccl_;
  std::string failure_;
};

/// Gives the communicator its peers. Collective; nothing happens when it has them.
inline void connect_peers(Host const&, Communicator const&) {}
void connect_peers(Cuda const& space, Communicator const& comm);

/// Whether messages between all ranks need no host, and can be recorded in a graph; the same on all.
inline bool ranks_reach_each_other(Host const&, Communicator const&) {
  return false;
}
bool ranks_reach_each_other(Cuda const& space, Communicator const& comm);

/// The links with all ranks, by rank (that with itself is empty), where each is linked with each, on devices
/// of their own; else none. The same on all.
inline std::vector<PeerBuffers> links_of_all(Host const&, Communicator const&) {
  return {};
}
std::vector<PeerBuffers> links_of_all(Cuda const& space, Communicator const& comm);

}  // namespace Tessera::comm
