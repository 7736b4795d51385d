#pragma once
/// \file
/// See halo_plan.hpp.
#include <algorithm>
#include <cstdint>
#include <numeric>

#include "comm/halo_plan.hpp"
#include "comm/transport/packed_buffers.hpp"
#include "comm/transport/peers.hpp"
#include "comm/transport/traffic_body.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"

namespace Tessera::comm {

/// Adds what came for one row, in the order of ranks.
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

/// Groups ascending indices by owner.
inline std::vector<Neighbour> by_owner(Distribution const& distribution,
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

template <class Space>
HaloPlan<Space>::HaloPlan(Space const& space, Distribution const& distribution,
                          std::vector<GlobalIndex> ghosts)
    : HaloPlan() {
  auto& state = *state_;
  if (distribution.comm().overlap() == Overlap::automatic) meet_peers(space, distribution.comm());
  state.distribution = distribution;
  state.receive_from = by_owner(distribution, ghosts);
  PackedBuffers wanted;
  for (auto const& [rank, begin, end] : state.receive_from) {
    write(wanted[rank], ghosts.data() + begin, end - begin);
  }
  state.ghosts = std::move(ghosts);

  std::vector<Index> rows;
  for (auto const& [rank, buffer] : distribution.comm().exchange(wanted)) {
    auto const begin = static_cast<Offset>(rows.size());
    for (auto const i : numbers_of<GlobalIndex>(buffer)) {
      TESSERA_EXPECT(distribution.owns(i));
      rows.push_back(static_cast<Index>(i - distribution.begin()));
    }
    state.send_to.push_back({rank, begin, static_cast<Offset>(rows.size())});
  }

  std::vector<Index> place(rows.size()), sent_row, first;
  std::iota(place.begin(), place.end(), 0);
  if (!std::is_sorted(rows.begin(), rows.end())) {  // it is when there is one neighbour
    std::stable_sort(place.begin(), place.end(), [&](Index a, Index b) { return rows[a] < rows[b]; });
  }
  for (std::size_t k = 0; k < place.size(); ++k) {
    if (k > 0 && rows[place[k]] == rows[place[k - 1]]) continue;
    sent_row.push_back(rows[place[k]]);
    first.push_back(static_cast<Index>(k));
  }
  if (!place.empty()) first.push_back(static_cast<Index>(place.size()));
  state.sent = rows.size();
  state.distinct = sent_row.size();
  auto& lists = rows;
  for (auto const* const more : {&place, &sent_row, &first})
    lists.insert(lists.end(), more->begin(), more->end());
  agree_on_errors(distribution.comm(), [&] {
    state.lists = core::to_space(space, lists);
    state.traffic.reserve(space, distribution.comm(), state.send_to, state.receive_from, sizeof(double));
    state.traffic.template buffer<double>(space, state.sent);
  });
}

template <class Space>
std::size_t HaloPlan<Space>::bytes() const {
  auto const& s = *state_;
  return s.ghosts.size() * sizeof(GlobalIndex) + s.lists.bytes() + s.traffic.bytes();
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
  if (s.send_to.empty() && s.receive_from.empty()) return s.distribution.comm().agree();
  s.traffic.start_rows(space, s.distribution.comm(), s.send_to, s.send_rows(), owned, s.receive_from, ghosts,
                       width);
}

template <class Space>
template <class T>
void HaloPlan<Space>::begin_add(Space const& space, Span<T const> ghosts, int width) const {
  auto& s = *state_;
  if (s.send_to.empty() && s.receive_from.empty()) return s.distribution.comm().agree();
  auto const packed = s.traffic.template buffer<T>(space, s.sent * width);
  s.traffic.start(space, s.distribution.comm(), s.receive_from, ghosts.data(), s.send_to, packed.data(),
                  width * sizeof(T));
}

template <class Space>
template <class T>
void HaloPlan<Space>::add_arrived(Space const& space, Span<T> owned, int width) const {
  auto& s = *state_;
  if (s.send_to.empty() && s.receive_from.empty()) return;
  Span<T const> const packed = s.traffic.template buffer<T>(space, s.sent * width);
  core::for_each(space, s.distinct, AddRows<T>{s.sent_row(), s.first(), s.place(), packed, owned, width});
}

}  // namespace Tessera::comm

// The types that travel, listed once for halo_plan.cpp and halo_plan.cu.
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
  TESSERA_HALO_EXCHANGE(Space, std::uint64_t) \
  TESSERA_HALO_EXCHANGE(Space, unsigned char)
