#pragma once
/// \file
/// Rows that travel whole between ranks.
#include <memory>
#include <utility>
#include <vector>

#include "comm/no_error_sync.hpp"
#include "comm/traffic.hpp"

namespace Tessera::comm {

/// Stretches of rows side by side from 0 on; row r begins at entry first[r].
struct RowStretches {
  std::vector<Neighbour> const& rows;
  Span<Offset const> first;
};

/// The entries of rows that this rank gives to others and gets from them, each rank's side by side: first
/// their columns and values, then values as often as there are new ones. Holds the buffers.
template <class Space>
class RowExchange {
 public:
  RowExchange() : traffic_(std::make_shared<Traffic<Space>>()) {}
  /// With the buffers of others' exchanges.
  explicit RowExchange(std::shared_ptr<Traffic<Space>> traffic) : traffic_(std::move(traffic)) {}

  /// Says which entries travel; by one wait.
  void lay_out(Space const& space, RowStretches const& given, RowStretches const& arriving);
  /// The same by stretches of entries, from 0 on.
  void lay_out(std::vector<Neighbour> given, std::vector<Neighbour> arriving) {
    given_ = std::move(given);
    arriving_ = std::move(arriving);
  }

  std::size_t given() const { return size(given_); }
  std::size_t arriving() const { return size(arriving_); }
  /// Where the entries that are given begin among those that first[] of lay_out() counts.
  Offset first_given() const { return first_given_; }
  /// Whose entries arrive, in this order.
  std::vector<Neighbour> const& arriving_from() const { return arriving_; }
  /// Room for numbers of the entries that are given.
  template <class T>
  Span<T> packed(Space const& space) {
    return traffic_->template buffer<T>(space, given());
  }

  /// Global columns and values; work(), which needs neither, while values travel. Ranks agree before the
  /// first message that none has failed. Collective.
  template <class T, class Work>
  void bring(Space const& space, Communicator const& comm, GlobalIndex const* columns,
             GlobalIndex* arrived_columns, T const* values, T* arrived_values, Work const& work) {
    start(space, comm, columns, arrived_columns);
    traffic_->finish(space);
    static_assert(sizeof(T) <= sizeof(GlobalIndex));  // so that nothing more is allocated
    NoErrorSync const agreed(comm);
    start(space, comm, values, arrived_values);
    work();
    traffic_->finish(space);
  }
  /// A number of each entry. What is given stays as it is until finish(). Collective.
  template <class T>
  void start(Space const& space, Communicator const& comm, T const* given, T* arrived) {
    traffic_->start(space, comm, given_, given, arriving_, arrived, sizeof(T));
  }
  void finish(Space const& space) { traffic_->finish(space); }

  std::size_t bytes() const { return traffic_->bytes(); }

 private:
  static std::size_t size(std::vector<Neighbour> const& stretches) {
    return stretches.empty() ? 0 : static_cast<std::size_t>(stretches.back().end);
  }

  Offset first_given_ = 0;
  std::vector<Neighbour> given_, arriving_;
  std::shared_ptr<Traffic<Space>> traffic_;
};

}  // namespace Tessera::comm
