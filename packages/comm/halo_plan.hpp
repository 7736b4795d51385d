#pragma once
/// \file
/// Which values of other ranks this rank needs (its ghosts), and which of its own the others need.
#include <memory>
#include <vector>

#include "comm/distribution.hpp"
#include "comm/traffic.hpp"
#include "core/array.hpp"

namespace Tessera::comm {

struct NoWork {
  void operator()() const {}
};

/// The neighbours of a rank and what goes between them. Ghosts are numbered by ascending global index, hence
/// grouped by owner. Exchanges are collective among neighbours only; a rank without any returns at once.
/// Copies share everything, so a plan serves all matrices of one pattern.
///
/// Values come `width` at a time (row-major): width 1 for vectors, m for near-nullspace rows. T: double,
/// float, Index, GlobalIndex, std::uint64_t, unsigned char. An exchange of more bytes a row than 8, than
/// reserve() was told and than any before allocates buffers; no other allocates. One exchange at a time per
/// plan and its copies.
template <class Space>
class HaloPlan {
 public:
  HaloPlan() : state_(std::make_shared<State>()) {}
  /// Collective. ghosts: global indices this rank does not own, ascending, distinct.
  HaloPlan(Space const& space, Distribution const& distribution, std::vector<GlobalIndex> ghosts);

  Distribution const& distribution() const { return state_->distribution; }
  std::vector<GlobalIndex> const& ghosts() const { return state_->ghosts; }
  Index ghost_count() const { return static_cast<Index>(state_->ghosts.size()); }

  using Neighbour = comm::Neighbour;
  /// Stretches of the ghosts, by ascending owner.
  std::vector<Neighbour> const& receive_from() const { return state_->receive_from; }
  /// Stretches of send_rows, by ascending receiver.
  std::vector<Neighbour> const& send_to() const { return state_->send_to; }
  /// Local rows that are sent; a row comes once for each receiver.
  Span<Index const> send_rows() const { return state_->send_rows(); }
  std::size_t bytes() const;
  /// So that exchanges of up to so many bytes a row, either way, allocate nothing.
  void reserve(Space const& space, std::size_t element) const;
  /// Whether exchanges of elements of so many bytes do nothing but enqueue (core/graph.hpp), where reserve()
  /// has been called with as many.
  bool recordable(Space const& space, std::size_t element) const;
  /// Whether such exchanges are one launch, with no work beside them (traffic.hpp).
  bool is_one_launch(Space const& space, std::size_t element) const {
    return Traffic<Space>::is_one_launch(space, state_->distribution.comm(), state_->send_to,
                                         state_->receive_from, element);
  }

  /// ghosts[g * width + c] = owner's owned[row * width + c].
  template <class T>
  void exchange(Space const& space, Span<T const> owned, Span<T> ghosts, int width = 1) const {
    begin_exchange(space, owned, ghosts, width);
    end_exchange(space);
  }

  /// The same in two halves, so that work on owned rows goes on in between. ghosts is written, and both must
  /// stay, until the end.
  template <class T>
  void begin_exchange(Space const& space, Span<T const> owned, Span<T> ghosts, int width = 1) const;
  /// work needs no ghosts; the communicator's Overlap says whether it comes before, beside or behind the
  /// wait.
  template <class Work = NoWork>
  void end_exchange(Space const& space, Work const& work = {}) const {
    if (state_->send_to.empty() && state_->receive_from.empty()) return work();
    state_->traffic.finish(space, work);
  }

  /// The transposed exchange: owned[row] += every ghost copy of it on other ranks, by ascending rank, so that
  /// sums are reproducible. T: double, float, Index, GlobalIndex.
  template <class T>
  void add_from_ghosts(Space const& space, Span<T const> ghosts, Span<T> owned, int width = 1) const {
    begin_add(space, ghosts, width);
    end_add(space, owned, width);
  }

  /// In two halves; ghosts must stay until the end. work may write what is added to.
  template <class T>
  void begin_add(Space const& space, Span<T const> ghosts, int width = 1) const;
  template <class T, class Work = NoWork>
  void end_add(Space const& space, Span<T> owned, int width = 1, Work const& work = {}) const {
    end_exchange(space, work);
    add_arrived(space, owned, width);
  }

 private:
  struct State {
    Distribution distribution;
    std::vector<GlobalIndex> ghosts;
    std::vector<comm::Neighbour> receive_from, send_to;
    /// send_rows, and behind them their places by row, unless they ascend: sent_row[r], of `distinct`, stands
    /// at place[first[r]] up to place[first[r + 1]], ascending.
    Array<Index, Space> lists;
    std::size_t sent = 0, distinct = 0;
    Traffic<Space> traffic;
    Span<Index const> send_rows() const { return lists.view().part(0, sent); }
    Span<Index const> place() const { return lists.view().part(sent, sent); }
    Span<Index const> sent_row() const { return lists.view().part(2 * sent, distinct); }
    Span<Index const> first() const {
      return lists.view().part(2 * sent + distinct, distinct > 0 ? distinct + 1 : 0);
    }
  };
  template <class T>
  void add_arrived(Space const& space, Span<T> owned, int width) const;

  std::shared_ptr<State> state_;
};

}  // namespace Tessera::comm
