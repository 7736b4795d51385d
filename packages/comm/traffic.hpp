#pragma once
/// \file
/// What goes over the wire between neighbours, whatever it means.
#include <cstddef>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/staging.hpp"
#include "core/array.hpp"

namespace Tessera::comm {

/// A stretch of a buffer that goes to, or comes from, one rank.
struct Neighbour {
  int rank;
  Offset begin, end;
};

/// One exchange of stretches under way. Buffers and requests are kept, so that a second exchange of no more
/// bytes allocates nothing.
template <class Space>
class Traffic {
 public:
  /// Receives are posted first. send, and source and target, which hold elements of `element` bytes, stay as
  /// they are until finish; neighbours ascend, and so do their stretches, from 0 on. This rank may be its own
  /// neighbour. On CUDA, work that is given to the space now runs while source comes to the host.
  void start(Space const& space, Communicator const& comm, std::vector<Neighbour> const& send,
             void const* source, std::vector<Neighbour> const& receive, void* target, std::size_t element);
  /// Target is complete (on CUDA: in the order of the space's stream).
  void finish(Space const& space);

  /// Room for what is packed before it is sent, or unpacked when it has come.
  template <class T>
  Span<T> buffer(Space const& space, std::size_t size) {
    return {static_cast<T*>(reserved(space, size * sizeof(T))), size};
  }
  std::size_t bytes() const { return buffer_.bytes() + outgoing_.bytes() + incoming_.bytes(); }

 private:
  void* reserved(Space const& space, std::size_t bytes);
  void post_sends();

  Array<char, Space> buffer_;
  Staging<Space> outgoing_, incoming_;
  std::vector<MPI_Request> requests_;
  Communicator const* comm_ = nullptr;
  std::vector<Neighbour> const* send_ = nullptr;  ///< null once posted
  std::size_t element_ = 0;
  char* target_ = nullptr;
  std::size_t target_bytes_ = 0;
  char* from_self_ = nullptr;  ///< where MPI would write what this rank sends to itself
};

}  // namespace Tessera::comm
