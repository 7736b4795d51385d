#pragma once
/// \file
/// Exchange of whole rows between ranks, and the rows of a distributed matrix that other ranks own.
#include <memory>
#include <utility>
#include <vector>

#include "comm/dist_csr.hpp"
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

/// B's owned rows, followed by the rows of B for the ghosts of a halo plan over B's row distribution. Columns
/// have one numbering: B's owned columns, then the ghosts of `columns`. These are B's own ghosts and the
/// ghosts of the received rows, ascending.
template <class T, class Space>
struct ExtendedRows {
  sparse::Csr<T, Space> local;  ///< B's owned rows, then the ghost rows; entries in the owner's order
  HaloPlan<Space> columns;
  Array<Index, Space> column_of;  ///< column here of each local column of B

  /// Exchange of the values, and the first packed entry of each row of halo.send_rows(), with the end.
  RowExchange<Space> entries;
  Array<Offset, Space> send_first;
  /// The pattern of the ghost rows: first entry of each row, with the end, and local columns.
  Array<Offset, Space> ghost_first;
  Array<Index, Space> ghost_column;

  /// Makes a plan for exchanges of `columns`, which numbers the columns only before. Collective.
  void connect_columns(Space const& space) {
    columns = HaloPlan<Space>(space, columns.distribution(), columns.ghosts());
  }
  /// Frees `local`, which is almost a copy of B; refresh_extended_rows rebuilds it.
  void release_rows() { local.offsets = {}, local.column = {}, local.value = {}; }
  std::size_t bytes() const {
    return local.bytes() + columns.bytes() + column_of.bytes() + send_first.bytes() + entries.bytes() +
           ghost_first.bytes() + ghost_column.bytes();
  }
};

/// Fetches the rows of the ghosts of `halo`, whose distribution is B.rows. Collective.
template <class T, class Space>
ExtendedRows<T, Space> extend_rows(Space const& space, DistCsr<T, Space> const& B,
                                   HaloPlan<Space> const& halo);

/// Takes new values of B on the same pattern. Exchanges values only; allocates no memory that stays, except
/// for rows that release_rows() has freed. Collective.
template <class T, class Space>
void refresh_extended_rows(Space const& space, DistCsr<T, Space> const& B, HaloPlan<Space> const& halo,
                           ExtendedRows<T, Space>& extended);

}  // namespace Tessera::comm
