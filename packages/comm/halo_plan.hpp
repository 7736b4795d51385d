#pragma once
/// \file
/// Which values of other ranks this rank needs (its ghosts), and which of its own the others need.
#include <memory>
#include <vector>

#include "comm/distribution.hpp"
#include "core/array.hpp"

namespace Tessera::comm {

/// The neighbours of a rank and what goes between them. Ghosts are numbered by ascending global index, hence
/// grouped by owner. Exchanges are collective among neighbours only; a rank without any returns at once.
///
/// Values come `width` at a time (row-major): width 1 for vectors, m for near-nullspace rows. T: double,
/// float, Index, GlobalIndex, std::uint64_t, unsigned char.
template <class Space>
class HaloPlan {
 public:
  HaloPlan() = default;
  /// Collective. ghosts: global indices this rank does not own, ascending, distinct.
  HaloPlan(Space const& space, Distribution const& distribution, std::vector<GlobalIndex> ghosts);

  Distribution const& distribution() const { return distribution_; }
  std::vector<GlobalIndex> const& ghosts() const { return ghosts_; }
  Index ghost_count() const { return static_cast<Index>(ghosts_.size()); }

  struct Neighbour {
    int rank;
    Index begin, end;  ///< of the ghosts (receiving) or of send_rows (sending)
  };
  std::vector<Neighbour> const& receive_from() const { return receive_from_; }
  std::vector<Neighbour> const& send_to() const { return send_to_; }
  /// Local rows that are sent, grouped by receiver.
  Span<Index const> send_rows() const { return send_rows_.view(); }
  std::size_t bytes() const;

  /// ghosts[g * width + c] = owner's owned[row * width + c].
  template <class T>
  void exchange(Space const& space, Span<T const> owned, Span<T> ghosts, int width = 1) const;

  /// The same in two halves, so that work on owned rows goes on in between. One exchange at a time per plan.
  template <class T>
  void begin_exchange(Space const& space, Span<T const> owned, int width = 1) const;
  template <class T>
  void end_exchange(Space const& space, Span<T> ghosts, int width = 1) const;

 private:
  Distribution distribution_;
  std::vector<GlobalIndex> ghosts_;
  std::vector<Neighbour> receive_from_, send_to_;
  Array<Index, Space> send_rows_;
  struct Traffic;  ///< buffers and requests, kept between exchanges so that none allocates
  std::shared_ptr<Traffic> traffic_;
};

}  // namespace Tessera::comm
