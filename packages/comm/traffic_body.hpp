#pragma once
/// \file
/// See traffic.hpp.
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
  comm_ = &comm;
  send_ = &send;
  element_ = element;
  target_ = static_cast<char*>(target);
  target_bytes_ = bytes(receive);
  requests_.clear();
  auto* const in = incoming_.to_receive(space, target_, target_bytes_);
  for (auto const& [rank, begin, end] : receive) {
    if (rank == comm.rank()) {
      from_self_ = in + begin * element;
    } else {
      post_receive(comm, rank, MessageTag::halo, in + begin * element, (end - begin) * element, requests_);
    }
  }
  outgoing_.pack(space, static_cast<char const*>(source), bytes(send));
  if (outgoing_.ready()) post_sends();
}

template <class Space>
void Traffic<Space>::post_sends() {
  auto const* const out = outgoing_.packed();
  for (auto const& [rank, begin, end] : *send_) {
    if (rank == comm_->rank()) {
      outgoing_.copy(out + begin * element_, from_self_, (end - begin) * element_);
    } else {
      post_send(*comm_, rank, MessageTag::halo, out + begin * element_, (end - begin) * element_, requests_);
    }
  }
  send_ = nullptr;
}

template <class Space>
void Traffic<Space>::finish(Space const& space) {
  if (send_ != nullptr) post_sends();
  wait_for_all(requests_);
  incoming_.arrived(space, target_, target_bytes_);
}

}  // namespace Tessera::comm
