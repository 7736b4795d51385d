#pragma once
/// \file
/// Construction, exchange and transposed exchange of a halo plan.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>

#include "comm/halo_plan.hpp"
#include "comm/neighbour_exchange_body.hpp"
#include "comm/transport/messages.hpp"
#include "comm/transport/peers.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"

namespace Tessera::comm {

/// Adds the received values of one row, by ascending rank.
template <class T>
struct AddRows {
  Span<Index const> sent_row, first, place;
  Span<T const> packed;
  Span<T> owned;
  int width;
  TESSERA_HD void operator()(Index r) const {
    auto const to = static_cast<Offset>(sent_row[r]) * width;
    for (int c = 0; c < width; ++c) {
      T sum = owned[to + c];
      for (Index k = first[r]; k < first[r + 1]; ++k) {
        sum += packed[static_cast<Offset>(place[k]) * width + c];
      }
      owned[to + c] = sum;
    }
  }
};

/// The same if each row is received once, in the order of rows.
template <class T>
struct AddDistinctRows {
  Span<Index const> rows;
  Span<T const> packed;
  Span<T> owned;
  int width;
  TESSERA_HD void operator()(Index k) const {
    auto const to = static_cast<Offset>(rows[k]) * width, from = static_cast<Offset>(k) * width;
    for (int c = 0; c < width; ++c) owned[to + c] += packed[from + c];
  }
};

/// Groups ascending indices by owner.
inline std::vector<Neighbour> group_by_owner(Distribution const& distribution,
                                             std::vector<GlobalIndex> const& indices) {
  std::vector<Neighbour> neighbours;
  for (std::size_t begin = 0; begin < indices.size();) {
    int const owner = distribution.owner(indices[begin]);
    auto const end = static_cast<std::size_t>(
        std::lower_bound(indices.begin() + begin, indices.end(), distribution.begin(owner + 1)) -
        indices.begin());
    neighbours.push_back({owner, static_cast<Offset>(begin), static_cast<Offset>(end)});
    begin = end;
  }
  return neighbours;
}

/// Sends segments of indices to their owners. Returns the indices that other ranks request from this rank, by
/// rank. counts: their number by rank; from: their segments; total_number: summed unless null. Collective.
inline std::vector<GlobalIndex> exchange_requests(Communicator const& comm,
                                                  std::vector<Neighbour> const& requested,
                                                  std::vector<GlobalIndex> const& indices,
                                                  GlobalIndex const* counts, std::vector<Neighbour>& from,
                                                  GlobalIndex* total_number) {
  GlobalIndex total = 0;
  for (int r = 0; r < comm.size(); ++r) {
    if (counts[r] > 0) from.push_back({r, total, total + counts[r]});
    total += counts[r];
  }
  std::vector<GlobalIndex> arrived(total);
  auto const bytes = [](Neighbour const& segment) {
    return (segment.end - segment.begin) * sizeof(GlobalIndex);
  };
  std::size_t messages = 0;
  for (auto const* const all : {&requested, &std::as_const(from)}) {
    for (auto const& segment : *all) messages += messages_of(bytes(segment));
  }
  std::vector<MPI_Request> requests;
  requests.reserve(messages);
  if (total_number == nullptr) {
    comm.agree();
  } else {
    *total_number = comm.sum(*total_number);
  }
  for (auto const& segment : from)
    post_receive(comm, segment.rank, MessageTag::packed, arrived.data() + segment.begin, bytes(segment),
                 requests);
  for (auto const& segment : requested)
    post_send(comm, segment.rank, MessageTag::packed, indices.data() + segment.begin, bytes(segment),
              requests);
  wait_for_all(requests);
  return arrived;
}

template <class Space>
HaloPlan<Space>::HaloPlan(Space const& space, Distribution const& distribution,
                          std::vector<GlobalIndex> ghosts)
    : HaloPlan(nullptr) {
  distribution.comm().agree();
  *this = after(space, distribution, [&] { return std::move(ghosts); });
}

template <class Space>
void HaloPlan<Space>::connect(Space const& space, Distribution const& distribution, void (*make)(void const*),
                              void const* work, GlobalIndex* total) {
  auto const& comm = distribution.comm();
  if (comm.overlap() == Overlap::automatic) connect_peers(space, comm);
  auto const* const counts = comm.all_to_all_of([&](GlobalIndex* sent) {
    make(work);
    state_->distribution = distribution;
    state_->may_exchange = true;
    state_->receive_from = group_by_owner(distribution, state_->ghosts);
    for (auto const& [rank, begin, end] : state_->receive_from) sent[rank] = end - begin;
  });
  auto& state = *state_;
  auto const requested =
      exchange_requests(comm, state.receive_from, state.ghosts, counts, state.send_to, total);
  std::vector<Index> rows(requested.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    TESSERA_EXPECT(distribution.owns(requested[k]));
    rows[k] = static_cast<Index>(requested[k] - distribution.begin());
  }
  state.sent = rows.size();
  // With one neighbour, each row is sent once, and rows ascend.
  if (std::adjacent_find(rows.begin(), rows.end(), std::greater_equal<>{}) != rows.end()) {
    std::vector<Index> place(rows.size()), sent_row, first;
    std::iota(place.begin(), place.end(), 0);
    std::stable_sort(place.begin(), place.end(), [&](Index a, Index b) { return rows[a] < rows[b]; });
    for (std::size_t k = 0; k < place.size(); ++k) {
      if (k > 0 && rows[place[k]] == rows[place[k - 1]]) continue;
      sent_row.push_back(rows[place[k]]);
      first.push_back(static_cast<Index>(k));
    }
    first.push_back(static_cast<Index>(place.size()));
    state.distinct = sent_row.size();
    for (auto const* const more : {&place, &sent_row, &first})
      rows.insert(rows.end(), more->begin(), more->end());
  }
  agree_on_errors(comm, [&] {
    state.lists = core::to_space(space, rows);
    reserve(space, sizeof(double));
  });
}

template <class Space>
void HaloPlan<Space>::reserve(Space const& space, std::size_t element) const {
  auto& s = *state_;
  if (s.send_to.empty() && s.receive_from.empty()) return;
  s.exchange.reserve(space, s.distribution.comm(), s.send_to, s.receive_from, element);
  s.exchange.template buffer<char>(space, s.sent * element);
}

template <class Space>
std::size_t HaloPlan<Space>::bytes() const {
  auto const& s = *state_;
  return s.ghosts.size() * sizeof(GlobalIndex) + s.lists.bytes() + s.exchange.bytes();
}

template <class Space>
bool HaloPlan<Space>::recordable(Space const& space, std::size_t element) const {
  auto const& comm = state_->distribution.comm();
  return can_record_exchange(space, comm, state_->send_to, element) &&
         can_record_exchange(space, comm, state_->receive_from, element);
}

template <class Space>
template <class T>
void HaloPlan<Space>::begin_exchange(Space const& space, Span<T const> owned, Span<T> ghosts,
                                     int width) const {
  auto& s = *state_;
  if (skips_exchange()) return;
  s.exchange.start_rows(space, s.distribution.comm(), s.send_to, s.send_rows(), owned, s.receive_from, ghosts,
                        width);
}

template <class Space>
template <class T>
void HaloPlan<Space>::begin_add(Space const& space, Span<T const> ghosts, int width) const {
  auto& s = *state_;
  if (skips_exchange()) return;
  auto const packed = s.exchange.template buffer<T>(space, s.sent * width);
  s.exchange.start(space, s.distribution.comm(), s.receive_from, ghosts.data(), s.send_to, packed.data(),
                   width * sizeof(T));
}

template <class Space>
template <class T>
void HaloPlan<Space>::add_arrived(Space const& space, Span<T> owned, int width) const {
  auto& s = *state_;
  if (s.send_to.empty() && s.receive_from.empty()) return;
  Span<T const> const packed = s.exchange.template buffer<T>(space, s.sent * width);
  if (s.distinct == 0)
    return core::for_each(space, s.sent, AddDistinctRows<T>{s.send_rows(), packed, owned, width});
  core::for_each(space, s.distinct, AddRows<T>{s.sent_row(), s.first(), s.place(), packed, owned, width});
}

}  // namespace Tessera::comm

// The exchanged types, for halo_plan.cpp.
#define TESSERA_HALO_EXCHANGE(Space, T) \
  template void HaloPlan<Space>::begin_exchange<T>(Space const&, Span<T const>, Span<T>, int) const;

#define TESSERA_HALO_ADD(Space, T)                                                     \
  TESSERA_HALO_EXCHANGE(Space, T)                                                      \
  template void HaloPlan<Space>::begin_add<T>(Space const&, Span<T const>, int) const; \
  template void HaloPlan<Space>::add_arrived<T>(Space const&, Span<T>, int) const;

#define TESSERA_HALO_INSTANCES(Space)         \
  template class HaloPlan<Space>;             \
  TESSERA_HALO_ADD(Space, double)             \
  TESSERA_HALO_ADD(Space, float)              \
  TESSERA_HALO_ADD(Space, Index)              \
  TESSERA_HALO_ADD(Space, GlobalIndex)        \
  TESSERA_HALO_ADD(Space, BitSet)             \
  TESSERA_HALO_EXCHANGE(Space, std::uint64_t) \
  TESSERA_HALO_EXCHANGE(Space, unsigned char)
