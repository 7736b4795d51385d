#pragma once
/// \file
/// What goes over the wire between neighbours, whatever it means.
#include <cstddef>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/transport/communication_thread.hpp"
#include "comm/transport/nccl.hpp"
#include "comm/transport/peer_exchange.hpp"
#include "comm/transport/staging.hpp"
#include "core/array.hpp"

namespace Tessera::comm {

/// One exchange of stretches under way: between GPUs where both ranks reach each other, by NCCL where there
/// is one, else by MPI. Where all of it goes between such GPUs, finish() does it in one launch, before other
/// work: it takes a few microseconds, and to share out rows by what they need takes more.
/// Buffers and requests are kept, so that a second exchange of no more bytes allocates nothing.
template <class Space>
class Traffic {
 public:
  /// So that exchanges of these stretches, either way, and of elements no larger than this allocate nothing.
  void reserve(Space const& space, Communicator const& comm, std::vector<Neighbour> const& some,
               std::vector<Neighbour> const& others, std::size_t element) {
    set_out(space, comm, some, others, nullptr, element);
    set_out(space, comm, others, some, nullptr, element);
  }
  /// Receives are posted first. send, and source and target, which hold elements of `element` bytes, stay as
  /// they are until finish; neighbours ascend, and so do their stretches, from 0 on. This rank may be its own
  /// neighbour. On CUDA, work that is given to the space now runs while source comes to the host. One
  /// exchange of a communicator at a time.
  void start(Space const& space, Communicator const& comm, std::vector<Neighbour> const& send,
             void const* source, std::vector<Neighbour> const& receive, void* target, std::size_t element);
  /// The same with source[k] = owned[rows[k]], of `width` values of T each; owned, too, stays.
  template <class T>
  void start_rows(Space const& space, Communicator const& comm, std::vector<Neighbour> const& send,
                  Span<Index const> rows, Span<T const> owned, std::vector<Neighbour> const& receive,
                  Span<T> target, int width);
  /// Target is complete (on CUDA: in the order of the space's stream).
  void finish(Space const& space);
  /// The same with work, which has no need of target and calls no MPI, where the communicator's Overlap has
  /// it.
  template <class Work>
  void finish(Space const& space, Work const& work);

  /// Room for what is packed before it is sent, or unpacked when it has come.
  template <class T>
  Span<T> buffer(Space const& space, std::size_t size) {
    return {static_cast<T*>(reserved(space, size * sizeof(T))), size};
  }
  /// Whether an exchange would be one launch, with no work beside it.
  static bool is_one_launch(Space const& space, Communicator const& comm, std::vector<Neighbour> const& send,
                            std::vector<Neighbour> const& receive, std::size_t element) {
    Routes to, from;
    to.find(space, comm, send, element);
    from.find(space, comm, receive, element);
    return can_swap(space, comm, to, from);
  }
  std::size_t bytes() const { return buffer_.bytes() + outgoing_.bytes() + incoming_.bytes(); }

 private:
  /// Who gets, or sends, a stretch, by how it travels.
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
  void* reserved(Space const& space, std::size_t bytes);
  /// Takes note of what travels, and how, and has room for it.
  void set_out(Space const& space, Communicator const& comm, std::vector<Neighbour> const& send,
               std::vector<Neighbour> const& receive, void* target, std::size_t element);
  /// What does not go to peers.
  void start_others(Space const& space);
  void post_sends();

  Array<char, Space> buffer_;
  Staging<Space> outgoing_, incoming_;
  std::vector<MPI_Request> requests_;
  Communicator const* comm_ = nullptr;
  Routes send_, receive_;
  bool posted_ = true;  ///< what goes by MPI
  bool swaps_ = false;  ///< all of it in one launch, in finish()
  RowsToSend rows_{};
  std::size_t element_ = 0;
  char const* source_ = nullptr;
  char* target_ = nullptr;
};

template <class Space>
template <class Work>
void Traffic<Space>::finish(Space const& space, Work const& work) {
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
