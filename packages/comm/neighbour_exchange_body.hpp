#pragma once
/// \file
/// Routes, start and completion of an exchange between neighbours.
#include <utility>

#include "comm/neighbour_exchange.hpp"
#include "comm/transport/messages.hpp"
#include "core/parallel.hpp"

namespace Tessera::comm {

template <class Space>
void* NeighbourExchange<Space>::reserve_buffer(Space const& space, std::size_t bytes) {
  if (buffer_.size() < bytes) buffer_ = Array<char, Space>(space, bytes);
  return buffer_.data();
}

template <class Space>
void NeighbourExchange<Space>::Routes::find(Space const& space, Communicator const& comm,
                                            std::vector<Neighbour> const& all, std::size_t element) {
  for (auto* const route : {&peers, &nccl, &mpi}) {
    route->clear();
    route->reserve(all.size());  // the transport depends on the size
  }
  self = {-1, 0, 0};
  for (auto const& segment : all) {
    auto const bytes = static_cast<std::size_t>(segment.end - segment.begin) * element;
    if (bytes == 0) continue;
    if (segment.rank == comm.rank()) {
      self = segment;
    } else if (can_exchange_with_peer(space, comm, segment.rank, bytes)) {
      peers.push_back(segment);
    } else if (can_exchange_by_nccl(space, comm, bytes)) {
      nccl.push_back(segment);
    } else {
      mpi.push_back(segment);
    }
  }
}

template <class Space>
void NeighbourExchange<Space>::start(Space const& space, Communicator const& comm,
                                     std::vector<Neighbour> const& send, void const* source,
                                     std::vector<Neighbour> const& receive, void* target,
                                     std::size_t element) {
  prepare(space, comm, send, receive, target, element);
  comm.agree();
  source_ = static_cast<char const*>(source);
  if (!swaps_) put(space, comm, send_.peers, source_, element);
  start_nccl_and_mpi(space);
}

template <class Space>
template <class T>
void NeighbourExchange<Space>::start_rows(Space const& space, Communicator const& comm,
                                          std::vector<Neighbour> const& send, Span<Index const> rows,
                                          Span<T const> owned, std::vector<Neighbour> const& receive,
                                          Span<T> target, int width) {
  prepare(space, comm, send, receive, target.data(), width * sizeof(T));
  bool const packs = !send_.mpi.empty() || !send_.nccl.empty() || send_.self.rank >= 0;
  auto const packed = buffer<T>(space, packs ? rows.size() * width : 0);
  comm.agree();
  rows_ = {rows, owned.data(), sizeof(T), width};
  if (!swaps_) put_rows(space, comm, send_.peers, rows_);
  source_ = nullptr;
  if (packs) {
    core::gather_rows(space, rows, owned.data(), packed.data(), width);
    source_ = reinterpret_cast<char const*>(packed.data());
  }
  start_nccl_and_mpi(space);
}

template <class Space>
void NeighbourExchange<Space>::prepare(Space const& space, Communicator const& comm,
                                       std::vector<Neighbour> const& send,
                                       std::vector<Neighbour> const& receive, void* target,
                                       std::size_t element) {
  comm_ = &comm;
  element_ = element;
  target_ = static_cast<char*>(target);
  send_.find(space, comm, send, element);
  receive_.find(space, comm, receive, element);
  swaps_ = can_swap(space, comm, send_, receive_);
  outgoing_.reserve(send_.mpi_bytes(element));
  incoming_.reserve(receive_.mpi_bytes(element));
  std::size_t messages = 0;
  for (auto const* const all : {&send_.mpi, &receive_.mpi}) {
    for (auto const& [rank, begin, end] : *all) messages += messages_of((end - begin) * element);
  }
  requests_.clear();
  requests_.reserve(messages);
}

template <class Space>
void NeighbourExchange<Space>::start_nccl_and_mpi(Space const& space) {
  start_nccl(space, *comm_, send_.nccl, source_, receive_.nccl, target_, element_);
  if (!receive_.mpi.empty()) {
    auto* const in = incoming_.receive_buffer(space, target_, receive_.mpi_bytes(element_));
    for (auto const& [rank, begin, end] : receive_.mpi)
      post_receive(*comm_, rank, MessageTag::halo, in + begin * element_, (end - begin) * element_,
                   requests_);
  }
  posted_ = send_.mpi.empty();
  if (posted_) return;
  outgoing_.pack(space, source_, send_.mpi_bytes(element_));
  if (outgoing_.ready()) post_sends();
}

template <class Space>
void NeighbourExchange<Space>::post_sends() {
  auto const* const out = outgoing_.packed();
  for (auto const& [rank, begin, end] : send_.mpi)
    post_send(*comm_, rank, MessageTag::halo, out + begin * element_, (end - begin) * element_, requests_);
  posted_ = true;
}

template <class Space>
void NeighbourExchange<Space>::finish(Space const& space) {
  if (swaps_) {
    swap(space, *comm_, send_.peers, source_, rows_, receive_.peers, target_, element_);
  } else {
    if (!posted_) post_sends();
    wait_for_all(requests_);
    // Segments by MPI come first: the copy to the space covers all bytes between them.
    if (!receive_.mpi.empty()) incoming_.arrived(space, target_, receive_.mpi_bytes(element_));
    take(space, *comm_, receive_.peers, target_, element_);
    if (!send_.nccl.empty() || !receive_.nccl.empty()) finish_nccl(space, *comm_);
  }
  if (send_.self.rank < 0) return;
  auto const& [from, to] = std::pair(send_.self, receive_.self);
  auto const bytes = static_cast<std::size_t>(from.end - from.begin) * element_;
  core::copy(space, Span<char const>(source_ + from.begin * element_, bytes), space,
             Span<char>(target_ + to.begin * element_, bytes));
}

}  // namespace Tessera::comm
