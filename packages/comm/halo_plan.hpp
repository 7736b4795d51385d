#pragma once
/// \file
/// Exchange plan of a distribution: this rank's ghosts, and the owned rows that other ranks need.
#include <cstdint>
#include <memory>
#include <vector>

#include "comm/distribution.hpp"
#include "comm/neighbour_exchange.hpp"
#include "core/array.hpp"

namespace Tessera::comm {

struct NoWork {
  void operator()() const {}
};

/// Bits whose sum is their union.
struct BitSet {
  std::uint64_t bits = 0;
  TESSERA_HD BitSet& operator+=(BitSet const& other) {
    bits |= other.bits;
    return *this;
  }
};

/// The neighbours of a rank, and the rows that it exchanges with each. Ghosts are numbered by ascending
/// global index, hence grouped by owner. Exchanges are collective among neighbours only; a rank without
/// neighbours returns at once. Copies share all data, so that one plan serves all matrices of a pattern.
///
/// An exchange has `width` values a row (row-major): 1 for vectors, m for near-nullspace rows. T: double,
/// float, Index, GlobalIndex, BitSet, std::uint64_t, unsigned char. An exchange allocates buffers only if a
/// row has more bytes than 8, than reserve() had, and than any exchange before. A plan and its copies run one
/// exchange at a time.
template <class Space>
class HaloPlan {
 public:
  HaloPlan() : state_(std::make_shared<State>()) {}
  /// ghosts: global indices that other ranks own, ascending, distinct. Collective.
  HaloPlan(Space const& space, Distribution const& distribution, std::vector<GlobalIndex> ghosts);
  /// The same for the ghosts that work() returns. Agrees on errors of work, for ranks that have agreed before
  /// and have done nothing since that can fail. total: a number of work(), unless null, which becomes its sum
  /// over all ranks. Collective.
  template <class Work>
  static HaloPlan after(Space const& space, Distribution const& distribution, Work const& work,
                        GlobalIndex* total = nullptr) {
    HaloPlan plan(nullptr);
    auto const make_ghosts = [&] {
      plan.state_ = std::make_shared<State>();
      plan.state_->ghosts = work();
    };
    using Make = decltype(make_ghosts);
    plan.connect(
        space, distribution, [](void const* it) { (*static_cast<Make*>(it))(); }, &make_ghosts, total);
    return plan;
  }
  /// Numbers columns only: exchanges do nothing, as where no rank has ghosts. Not collective.
  explicit HaloPlan(Distribution const& distribution, std::vector<GlobalIndex> ghosts = {}) : HaloPlan() {
    state_->distribution = distribution;
    ghosts.swap(state_->ghosts);
  }

  Distribution const& distribution() const { return state_->distribution; }
  std::vector<GlobalIndex> const& ghosts() const { return state_->ghosts; }
  Index ghost_count() const { return static_cast<Index>(state_->ghosts.size()); }

  using Neighbour = comm::Neighbour;
  /// Segments of the ghosts, by ascending owner.
  std::vector<Neighbour> const& receive_from() const { return state_->receive_from; }
  /// Segments of send_rows, by ascending receiver.
  std::vector<Neighbour> const& send_to() const { return state_->send_to; }
  /// Local rows that are sent; a row occurs once for each receiver.
  Span<Index const> send_rows() const { return state_->send_rows(); }
  std::size_t bytes() const;
  /// Allocates for exchanges of up to `element` bytes a row in both directions.
  void reserve(Space const& space, std::size_t element) const;
  /// Whether exchanges of `element` bytes a row only enqueue work (core/graph.hpp), after reserve() for that
  /// size.
  bool recordable(Space const& space, std::size_t element) const;
  /// Whether such an exchange is one launch, without overlapped work (neighbour_exchange.hpp).
  bool is_one_launch(Space const& space, std::size_t element) const {
    return NeighbourExchange<Space>::is_one_launch(space, state_->distribution.comm(), state_->send_to,
                                                   state_->receive_from, element);
  }

  /// ghosts[g * width + c] = owner's owned[row * width + c].
  template <class T>
  void exchange(Space const& space, Span<T const> owned, Span<T> ghosts, int width = 1) const {
    begin_exchange(space, owned, ghosts, width);
    end_exchange(space);
  }

  /// The same in two halves, with work on owned rows in between. begin_exchange may write ghosts; owned and
  /// ghosts must live until end_exchange.
  template <class T>
  void begin_exchange(Space const& space, Span<T const> owned, Span<T> ghosts, int width = 1) const;
  /// work needs no ghosts; the communicator's Overlap decides whether it runs before, during or after the
  /// wait.
  template <class Work = NoWork>
  void end_exchange(Space const& space, Work const& work = {}) const {
    if (state_->send_to.empty() && state_->receive_from.empty()) return work();
    state_->exchange.finish(space, work);
  }

  /// The transposed exchange: adds the ghost copies of a row on other ranks to owned[row], by ascending rank,
  /// so that sums are reproducible. T: double, float, Index, GlobalIndex, BitSet.
  template <class T>
  void add_from_ghosts(Space const& space, Span<T const> ghosts, Span<T> owned, int width = 1) const {
    begin_add(space, ghosts, width);
    end_add(space, owned, width);
  }

  /// The same in two halves; ghosts must live until end_add. work may write `owned`.
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
    /// send_rows; followed, unless they ascend, by their positions sorted by row: distinct row sent_row[r]
    /// has the positions place[first[r]] up to place[first[r + 1]], ascending.
    Array<Index, Space> lists;
    std::size_t sent = 0, distinct = 0;
    bool may_exchange = false;  ///< whether any rank may have ghosts
    NeighbourExchange<Space> exchange;
    Span<Index const> send_rows() const { return lists.view().part(0, sent); }
    Span<Index const> place() const { return lists.view().part(sent, sent); }
    Span<Index const> sent_row() const { return lists.view().part(2 * sent, distinct); }
    Span<Index const> first() const {
      return lists.view().part(2 * sent + distinct, distinct > 0 ? distinct + 1 : 0);
    }
  };
  explicit HaloPlan(std::nullptr_t) {}
  /// Sets all but the ghosts, which make(work) sets.
  void connect(Space const& space, Distribution const& distribution, void (*make)(void const*),
               void const* work, GlobalIndex* total);
  /// Whether this rank has no messages; then agrees on errors, as exchanges do.
  bool skips_exchange() const {
    bool const nothing = state_->send_to.empty() && state_->receive_from.empty();
    if (nothing && state_->may_exchange) state_->distribution.comm().agree();
    return nothing;
  }
  template <class T>
  void add_arrived(Space const& space, Span<T> owned, int width) const;

  std::shared_ptr<State> state_;
};

}  // namespace Tessera::comm
