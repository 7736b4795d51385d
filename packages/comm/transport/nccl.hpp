#pragma once
/// \file
/// Messages by NVIDIA's NCCL between GPUs that do not reach each other's memory; docs/decisions/0011.
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "core/space.hpp"

namespace Tessera::comm {

/// NCCL's communicator of a set of processes, with its own stream, so that work of the space overlaps with
/// messages. All work is enqueued, and a graph can record it. Exchanges run in the order of their starts,
/// which is the same on all processes.
class Nccl {
 public:
  /// The communicator of all ranks of comm, created once for the same processes. Null if one rank has no NCCL
  /// or has TESSERA_NCCL=0 in its environment, or if two ranks share a device, which NCCL rejects. reason:
  /// why it is null. Collective.
  static std::shared_ptr<Nccl> of(Cuda const& space, Communicator const& comm, std::string& reason);

  Nccl(Nccl const&) = delete;
  Nccl& operator=(Nccl const&) = delete;
  ~Nccl();

  /// Sends segments of source to ranks, and receives segments of target, after all earlier work of the space.
  void exchange(Cuda const& space, std::vector<Neighbour> const& to, char const* source,
                std::vector<Neighbour> const& from, char* target, std::size_t element);
  /// Later work of the space waits until target is complete.
  void wait(Cuda const& space);
  /// NCCL's version, such as 2.28.9.
  static std::string version();

 private:
  struct State;
  explicit Nccl(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// The functions that the exchange calls for any space. A message of any size goes by NCCL if the communicator
// has an Nccl, which is the same on all ranks.
inline bool can_exchange_by_nccl(Host const&, Communicator const&, std::size_t) {
  return false;
}
bool can_exchange_by_nccl(Cuda const& space, Communicator const& comm, std::size_t bytes);
inline void start_nccl(Host const&, Communicator const&, std::vector<Neighbour> const&, char const*,
                       std::vector<Neighbour> const&, char*, std::size_t) {}
void start_nccl(Cuda const& space, Communicator const& comm, std::vector<Neighbour> const& to,
                char const* source, std::vector<Neighbour> const& from, char* target, std::size_t element);
inline void finish_nccl(Host const&, Communicator const&) {}
void finish_nccl(Cuda const& space, Communicator const& comm);

}  // namespace Tessera::comm
