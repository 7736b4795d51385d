#pragma once
/// \file
/// Aggregates across ranks: members travel to the rank of their aggregate's root, and home again.
#include <algorithm>
#include <utility>
#include <vector>

#include "aggregation/aggregates.hpp"
#include "comm/letters.hpp"
#include "galerkin/gather.hpp"

namespace Tessera::galerkin {

/// The members that this rank's aggregates have on other ranks, in the order of their global numbers, and
/// which of this rank's own vertices are away. All of it is as large as the surface between the ranks.
template <class Space>
struct Visitors {
  Index lower = 0;                            ///< how many come from lower ranks; they come first
  Array<Index, Space> aggregate;              ///< of each visitor, counted from this rank's first aggregate
  Array<double, Space> value;                 ///< visitors x width
  std::vector<std::pair<int, Index>> origin;  ///< rank and number of visitors, ascending ranks
  Array<Index, Space> departed;             ///< own vertices away, by owner of the aggregate, then ascending
  std::vector<std::pair<int, Index>> host;  ///< rank and number of the departed, ascending ranks
};

struct DepartsPredicate {
  Span<GlobalIndex const> aggregate;
  GlobalIndex begin, end;
  TESSERA_HD bool operator()(Index v) const {
    return aggregate[v] >= 0 && (aggregate[v] < begin || aggregate[v] >= end);
  }
};

/// The own vertices whose aggregate belongs to another rank, ascending.
template <class Space>
std::vector<Index> departing(Space const& space, comm::Distribution const& coarse,
                             Span<GlobalIndex const> aggregate) {
  if (coarse.comm().size() == 1) return {};
  Array<Index, Space> chosen(space, aggregate.size());
  auto const count = core::select(space, aggregate.size(),
                                  DepartsPredicate{aggregate, coarse.begin(), coarse.end()}, chosen.span());
  return core::to_vector(space, chosen.view().part(0, count));
}

/// Sends away and receives. values: width numbers a vertex. Collective.
template <class Space>
Visitors<Space> receive_visitors(Space const& space, aggregation::Aggregates<Space> const& aggregates,
                                 Span<double const> values, int width) {
  Visitors<Space> visitors;
  auto const& coarse = aggregates.coarse;
  if (coarse.comm().size() == 1) return visitors;

  auto const away = departing(space, coarse, aggregates.aggregate.view());
  auto const away_in = core::to_space(space, away);
  auto const aggregate = gathered(space, away_in.view(), aggregates.aggregate.view(), 1);
  auto const value = gathered(space, away_in.view(), values, width);
  std::map<int, std::vector<Index>> by_host;
  for (std::size_t i = 0; i < away.size(); ++i) {
    by_host[coarse.owner(aggregate[i])].push_back(static_cast<Index>(i));
  }
  comm::Letters letters;
  std::vector<Index> departed;
  for (auto const& [rank, list] : by_host) {
    auto& letter = letters[rank];
    auto const count = static_cast<Offset>(list.size());
    comm::write(letter, &count, 1);
    for (Index const i : list) comm::write(letter, &aggregate[i], 1);
    for (Index const i : list) comm::write(letter, value.data() + static_cast<Offset>(i) * width, width);
    for (Index const i : list) departed.push_back(away[i]);
    visitors.host.emplace_back(rank, static_cast<Index>(count));
  }
  visitors.departed = core::to_space(space, departed);

  std::vector<Index> guest_aggregate;
  std::vector<double> guest_value;
  for (auto const& [rank, letter] : coarse.comm().exchange(letters)) {
    comm::LetterReader reader(letter);
    auto const count = reader.read<Offset>();
    std::vector<GlobalIndex> global;
    reader.read(global, count);
    for (auto const g : global) guest_aggregate.push_back(static_cast<Index>(g - coarse.begin()));
    reader.read(guest_value, count * width);
    visitors.origin.emplace_back(rank, static_cast<Index>(count));
    if (rank < coarse.comm().rank()) visitors.lower += static_cast<Index>(count);
  }
  visitors.aggregate = core::to_space(space, guest_aggregate);
  visitors.value = core::to_space(space, guest_value);
  return visitors;
}

/// The visitors' values go home into the rows of the departed. Collective.
template <class Space>
void send_home(Space const& space, comm::Communicator const& comm, Visitors<Space> const& visitors, int width,
               Span<double> values) {
  if (comm.size() == 1) return;
  auto const value = core::to_vector(space, visitors.value.view());
  comm::Letters letters;
  std::size_t at = 0;
  for (auto const& [rank, count] : visitors.origin) {
    auto const size = static_cast<std::size_t>(count) * width;
    comm::write(letters[rank], value.data() + at, size);
    at += size;
  }
  auto const arrived = comm.exchange(letters);
  std::vector<double> home;
  for (auto const& [rank, count] : visitors.host) {
    comm::LetterReader(arrived.at(rank)).read(home, static_cast<std::size_t>(count) * width);
  }
  auto const buffer = core::to_space(space, home);
  core::for_each(space, visitors.departed.size(),
                 ScatterRowsBody{visitors.departed.view(), buffer.view(), values, width});
}

}  // namespace Tessera::galerkin
