#pragma once
/// \file
/// See traffic.hpp.
#include <algorithm>

#include "comm/message.hpp"
#include "comm/traffic.hpp"

namespace Tessera::comm {

template <class Space>
void* Traffic<Space>::reserved(Space const& space, std::size_t bytes) {
  if (buffer_.size() < bytes) buffer_ = Array<char, Space>(space, bytes);
  return buffer_.data();
}

template <class Space>
void Traffic<Space>::start(Space const& space, Communicator const& comm, std::vector<Neighbour> const& send,
                           void const* source, std::vector<Neighbour> const& receive, void* target,
                           std::size_t element) {
  auto const bytes = [&](std::vector<Neighbour> const& neighbours) {
    return neighbours.empty() ? std::size_t{0} : static_cast<std::size_t>(neighbours.back().end) * element;
  };
  target_ = static_cast<char*>(target);
  target_bytes_ = bytes(receive);
  requests_.clear();
  Offset from_self = -1;
  auto* const in = incoming_.to_receive(target_, target_bytes_);
  for (auto const& [rank, begin, end] : receive) {
    if (rank == comm.rank()) {
      from_self = begin;
    } else {
      post_receive(comm, rank, MessageTag::halo, in + begin * element, (end - begin) * element, requests_);
    }
  }
  auto const* const out = outgoing_.to_send(space, static_cast<char const*>(source), bytes(send));
  for (auto const& [rank, begin, end] : send) {
    if (rank == comm.rank()) {
      std::copy(out + begin * element, out + end * element, in + from_self * element);
    } else {
      post_send(comm, rank, MessageTag::halo, out + begin * element, (end - begin) * element, requests_);
    }
  }
}

template <class Space>
void Traffic<Space>::finish(Space const& space) {
  wait_for_all(requests_);
  incoming_.arrived(space, target_, target_bytes_);
}

}  // namespace Tessera::comm
