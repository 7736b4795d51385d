#pragma once
/// \file
/// Exchange of whole rows between ranks.
#include <memory>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/neighbour_exchange.hpp"

namespace Tessera::comm {

/// Consecutive segments of rows from 0 on; row r begins at entry first[r].
struct RowSegments {
  std::vector<Neighbour> const& rows;
  Span<Offset const> first;
};

/// Entries of rows that this rank sends and receives, in one segment for each rank. A first exchange has
/// columns and values, later exchanges have values only. Owns the buffers.
template <class Space>
class RowExchange {
 public:
  RowExchange() : exchange_(std::make_shared<NeighbourExchange<Space>>()) {}
  /// Shares the buffers of another exchange.
  explicit RowExchange(std::shared_ptr<NeighbourExchange<Space>> exchange) : exchange_(std::move(exchange)) {}

  /// Sets the entries that the rows have; waits once for the space.
  void set_segments(Space const& space, RowSegments const& sent, RowSegments const& received);
  /// Sets the segments of entries, each list from 0 on.
  void set_segments(std::vector<Neighbour> sent, std::vector<Neighbour> received) {
    sent_ = std::move(sent);
    received_ = std::move(received);
  }

  std::size_t sent() const { return size(sent_); }
  std::size_t received() const { return size(received_); }
  /// Index of the first sent entry in the numbering of first[] of set_segments().
  Offset first_sent() const { return first_sent_; }
  /// Segments of received entries, in rank order.
  std::vector<Neighbour> const& received_from() const { return received_; }
  /// Buffer for one number of each sent entry.
  template <class T>
  Span<T> packed(Space const& space) {
    return exchange_->template buffer<T>(space, sent());
  }

  /// Exchanges global columns and values. work(), which needs neither, runs while values travel. Ranks agree
  /// on errors before the first message. Collective.
  template <class T, class Work>
  void exchange(Space const& space, Communicator const& comm, GlobalIndex const* columns,
                GlobalIndex* arrived_columns, T const* values, T* arrived_values, Work const& work) {
    start(space, comm, columns, arrived_columns);
    exchange_->finish(space);
    static_assert(sizeof(T) <= sizeof(GlobalIndex));  // so that the second exchange allocates nothing
    NoErrorSync const scope(comm);
    start(space, comm, values, arrived_values);
    work();
    exchange_->finish(space);
  }
  /// Starts an exchange of one number of each entry. `sent` must not change before finish(). Collective.
  template <class T>
  void start(Space const& space, Communicator const& comm, T const* sent, T* arrived) {
    exchange_->start(space, comm, sent_, sent, received_, arrived, sizeof(T));
  }
  void finish(Space const& space) { exchange_->finish(space); }

  std::size_t bytes() const { return exchange_->bytes(); }

 private:
  static std::size_t size(std::vector<Neighbour> const& segments) {
    return segments.empty() ? 0 : static_cast<std::size_t>(segments.back().end);
  }

  Offset first_sent_ = 0;
  std::vector<Neighbour> sent_, received_;
  std::shared_ptr<NeighbourExchange<Space>> exchange_;
};

}  // namespace Tessera::comm
