#pragma once
/// \file
/// Redistribution of rows: small levels are gathered onto fewer ranks.
#include <algorithm>

#include "comm/dist_csr.hpp"

namespace Tessera::comm {

/// Moves all rows of a rank to the first rank of its group (ranks group * k to group * k + group - 1), so
/// that the global numbering stays. All members except from() and to() are collective. A move allocates only
/// if a row has more bytes than 8 and than any move before.
template <class Space>
class Redistribution {
 public:
  Redistribution() = default;
  /// group >= 1. Collective.
  Redistribution(Space const& space, Distribution const& from, int group);

  /// See HaloPlan::recordable.
  bool recordable(Space const& space, std::size_t element) const {
    return can_record_exchange(space, from_.comm(), down_, element) &&
           can_record_exchange(space, from_.comm(), up_, element);
  }

  int group() const { return group_; }
  Distribution const& from() const { return from_; }
  Distribution const& to() const { return to_; }

  /// Moves owned values of `from` (width values a row) to owned values of `to`, and back. T: double, float,
  /// Index, GlobalIndex.
  template <class T>
  void forward(Space const& space, Span<T const> source, Span<T> target, int width = 1) const {
    move(space, down_, source.data(), up_, target.data(), width * sizeof(T));
  }
  template <class T>
  void backward(Space const& space, Span<T const> source, Span<T> target, int width = 1) const {
    move(space, up_, source.data(), down_, target.data(), width * sizeof(T));
  }

  /// The square matrix A, distributed as `from`, with rows and columns distributed as `to`. Entries keep
  /// their order.
  template <class T>
  DistCsr<T, Space> matrix(Space const& space, DistCsr<T, Space> const& A) const;
  /// Takes new values of A on the same pattern into moved = matrix(A).
  template <class T>
  void refresh(Space const& space, DistCsr<T, Space> const& A, DistCsr<T, Space>& moved) const;

 private:
  int root() const { return from_.comm().rank() / group_ * group_; }
  int group_end() const { return std::min(root() + group_, from_.comm().size()); }
  void move(Space const& space, std::vector<Neighbour> const& send, void const* source,
            std::vector<Neighbour> const& receive, void* target, std::size_t element) const {
    exchange_->start(space, from_.comm(), send, source, receive, target, element);
    exchange_->finish(space);
  }
  /// Segments of a move of counts[r] items from each rank r: to the root, and on a root from its members in
  /// rank order.
  struct Sides {
    std::vector<Neighbour> down, up;
    Offset received = 0;
  };
  Sides sides(std::vector<GlobalIndex> const& counts) const;
  std::vector<GlobalIndex> ghosts_of_group(std::vector<GlobalIndex> all) const;

  Distribution from_, to_;
  int group_ = 1;
  std::vector<Neighbour> down_;  ///< segment of this rank to its root
  std::vector<Neighbour> up_;    ///< segments of a root from its members
  std::shared_ptr<NeighbourExchange<Space>> exchange_;
};

}  // namespace Tessera::comm
