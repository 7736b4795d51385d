#pragma once
/// \file
/// Messages between processes whose GPUs write into each other's memory (peers.hpp). All work is enqueued;
/// the host does not wait. Messages between two ranks are taken in the order in which they were put.
#include <cstddef>
#include <vector>

#include "comm/communicator.hpp"
#include "core/space.hpp"
#include "core/span.hpp"

namespace Tessera::comm {

/// Whether a message of this size between this rank and another goes through peer memory; both have the same
/// answer.
inline bool can_exchange_with_peer(Host const&, Communicator const&, int, std::size_t) {
  return false;
}
bool can_exchange_with_peer(Cuda const& space, Communicator const& comm, int rank, std::size_t bytes);

/// Whether all of these segments go through peer memory or NCCL, so that a graph can record them.
inline bool can_record_exchange(Host const&, Communicator const&, std::vector<Neighbour> const& all,
                                std::size_t) {
  return all.empty();
}
bool can_record_exchange(Cuda const& space, Communicator const& comm, std::vector<Neighbour> const& all,
                         std::size_t element);

/// Sends segments of source, with elements of `element` bytes, to ranks with can_exchange_with_peer.
inline void put(Host const&, Communicator const&, std::vector<Neighbour> const&, char const*, std::size_t) {}
void put(Cuda const& space, Communicator const& comm, std::vector<Neighbour> const& to, char const* source,
         std::size_t element);

/// Values to send: row list[k] of owned for each k, with `width` elements of 1, 4 or 8 bytes a row.
struct RowsToSend {
  Span<Index const> list;
  void const* owned;
  std::size_t element;
  int width;
};

/// Sends segments of rows.
inline void put_rows(Host const&, Communicator const&, std::vector<Neighbour> const&, RowsToSend const&) {}
void put_rows(Cuda const& space, Communicator const& comm, std::vector<Neighbour> const& to,
              RowsToSend const& rows);

/// Receives segments into target.
inline void take(Host const&, Communicator const&, std::vector<Neighbour> const&, char*, std::size_t) {}
void take(Cuda const& space, Communicator const& comm, std::vector<Neighbour> const& from, char* target,
          std::size_t element);

/// Whether one launch can send to and receive from these ranks, which all have can_exchange_with_peer;
/// otherwise use put() and take().
inline bool can_swap(Host const&, Communicator const&, std::vector<Neighbour> const&,
                     std::vector<Neighbour> const&) {
  return false;
}
bool can_swap(Cuda const& space, Communicator const& comm, std::vector<Neighbour> const& to,
              std::vector<Neighbour> const& from);

/// put(), or put_rows() if source is null, and take() in one launch. Between GPUs of one host, a launch takes
/// as long as a message.
inline void swap(Host const&, Communicator const&, std::vector<Neighbour> const&, char const*,
                 RowsToSend const&, std::vector<Neighbour> const&, char*, std::size_t) {}
void swap(Cuda const& space, Communicator const& comm, std::vector<Neighbour> const& to, char const* source,
          RowsToSend const& rows, std::vector<Neighbour> const& from, char* target, std::size_t element);

}  // namespace Tessera::comm
