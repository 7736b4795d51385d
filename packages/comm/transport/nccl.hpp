#pragma once
/// \file
/// Messages between GPUs that do not reach each other's memory, by NVIDIA's NCCL; docs/decisions/0011.
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "comm/transport/neighbour.hpp"
#include "core/space.hpp"

namespace Tessera::comm {

/// NCCL's communicator of a set of processes, with a stream of its own, so that the space goes on with other
/// work while messages travel. Everything is enqueued and can be recorded in a graph. Exchanges run in the
/// order in which they start, which is the same on all processes.
class Nccl {
 public:
  /// Of all ranks of comm, made once for the same processes; null where it cannot be had on one of them, or
  /// where two share a device, which NCCL refuses. reason: then why, on this rank or another. Collective.
  /// TESSERA_NCCL=0 in the environment of one says no.
  static std::shared_ptr<Nccl> of(Cuda const& space, Communicator const& comm, std::string& reason);

  Nccl(Nccl const&) = delete;
  Nccl& operator=(Nccl const&) = delete;
  ~Nccl();

  /// Stretches of source to ranks, and of target from ranks, behind all that the space has been given.
  void exchange(Cuda const& space, std::vector<Neighbour> const& to, char const* source,
                std::vector<Neighbour> const& from, char* target, std::size_t element);
  /// What the space is given from now on finds target complete.
  void wait(Cuda const& space);
  /// Such as 2.28.9.
  static std::string version();

 private:
  struct State;
  explicit Nccl(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// What Traffic calls for any space. A message of so many bytes goes this way where the communicator has an
// Nccl, which all ranks know alike.
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
