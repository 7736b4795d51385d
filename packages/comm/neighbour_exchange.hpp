#pragma once
/// \file
/// Exchange of segments of bytes between neighbours, by peer memory, NCCL or MPI.
#include <cstddef>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/transport/messages.hpp"
#include "comm/transport/nccl.hpp"
#include "comm/transport/peer_exchange.hpp"
#include "comm/transport/staging.hpp"
#include "core/array.hpp"

namespace Tessera::comm {

/// One exchange of segments. GPUs that reach each other's memory use it; other GPUs use NCCL if there is one,
/// and all other messages use MPI. If all segments go through peer memory, finish() does the exchange in one
/// launch before any overlapped work: the launch takes a few microseconds, less than splitting rows into
/// interior and boundary rows. Buffers and requests stay allocated, so that an exchange of no more bytes
/// allocates nothing.
template <class Space>
class NeighbourExchange {
 public:
  /// Allocates for exchanges of these segments in both directions, of elements of at most `element` bytes.
  void reserve(Space const& space, Communicator const& comm, std::vector<Neighbour> const& some,
               std::vector<Neighbour> const& other, std::size_t element) {
    prepare(space, comm, some, other, nullptr, element);
    prepare(space, comm, other, some, nullptr, element);
  }
  /// Starts an exchange; receives are posted first. send, source and target, with elements of `element`
  /// bytes, must not change before finish(). Neighbours ascend, and so do their segments, from 0 on. This
  /// rank may be its own neighbour. On CUDA, later work of the space overlaps with the copy of source to the
  /// host. A communicator runs one exchange at a time.
  void start(Space const& space, Communicator const& comm, std::vector<Neighbour> const& send,
             void const* source, std::vector<Neighbour> const& receive, void* target, std::size_t element);
  /// The same with source[k] = owned[rows[k]], of `width` values of T each; owned must not change, either.
  template <class T>
  void start_rows(Space const& space, Communicator const& comm, std::vector<Neighbour> const& send,
                  Span<Index const> rows, Span<T const> owned, std::vector<Neighbour> const& receive,
                  Span<T> target, int width);
  /// Completes target (on CUDA in the order of the space's stream).
  void finish(Space const& space);
  /// The same with overlapped work, which does not read target and does not call MPI; the communicator's
  /// Overlap decides when it runs.
  template <class Work>
  void finish(Space const& space, Work const& work);

  /// Buffer for data that are packed before they are sent, or unpacked after they are received.
  template <class T>
  Span<T> buffer(Space const& space, std::size_t size) {
    return {static_cast<T*>(reserve_buffer(space, size * sizeof(T))), size};
  }
  /// Whether an exchange would be one launch, without overlapped work.
  static bool is_one_launch(Space const& space, Communicator const& comm, std::vector<Neighbour> const& send,
                            std::vector<Neighbour> const& receive, std::size_t element) {
    Routes to, from;
    to.find(space, comm, send, element);
    from.find(space, comm, receive, element);
    return can_swap(space, comm, to, from);
  }
  std::size_t bytes() const { return buffer_.bytes() + outgoing_.bytes() + incoming_.bytes(); }

 private:
  /// Receivers or senders of segments, by transport.
  struct Routes {
    std::vector<Neighbour> peers, nccl, mpi;
    Neighbour self{-1, 0, 0};
    void find(Space const& space, Communicator const& comm, std::vector<Neighbour> const& all,
              std::size_t element);
    bool only_peers() const { return nccl.empty() && mpi.empty(); }
    std::size_t mpi_bytes(std::size_t element) const {
      return mpi.empty() ? 0 : static_cast<std::size_t>(mpi.back().end) * element;
    }
  };
  static bool can_swap(Space const& space, Communicator const& comm, Routes const& to, Routes const& from) {
    return comm.overlap() == Overlap::automatic && to.only_peers() && from.only_peers() &&
           comm::can_swap(space, comm, to.peers, from.peers);
  }
  void* reserve_buffer(Space const& space, std::size_t bytes);
  /// Sets the segments and transports of an exchange, and allocates buffers.
  void prepare(Space const& space, Communicator const& comm, std::vector<Neighbour> const& send,
               std::vector<Neighbour> const& receive, void* target, std::size_t element);
  /// Starts the messages by NCCL and MPI.
  void start_nccl_and_mpi(Space const& space);
  void post_sends();

  Array<char, Space> buffer_;
  Staging<Space> outgoing_, incoming_;
  std::vector<MPI_Request> requests_;
  Communicator const* comm_ = nullptr;
  Routes send_, receive_;
  bool posted_ = true;  ///< the sends by MPI
  bool swaps_ = false;  ///< finish() does the whole exchange in one launch
  RowsToSend rows_{};
  std::size_t element_ = 0;
  char const* source_ = nullptr;
  char* target_ = nullptr;
};

template <class Space>
template <class Work>
void NeighbourExchange<Space>::finish(Space const& space, Work const& work) {
  if (comm_->overlap() == Overlap::none || swaps_) {
    finish(space);
    return work();
  }
  if (comm_->overlap() == Overlap::task) {
    if (!posted_) post_sends();
    CommunicationThread::Driving const driving(*comm_->communication_thread(), requests_);
    work();
  } else {
    work();
  }
  finish(space);
}

}  // namespace Tessera::comm
