#pragma once
/// \file
/// Moves rows between ranks: small levels are gathered onto fewer of them.
#include "comm/dist_csr.hpp"

namespace Tessera::comm {

/// Every rank's rows go whole to the first rank of its group (ranks group * k up to group * k + group - 1),
/// so the global numbering stays as it is. All members but from and to are collective. An exchange of
/// more bytes a row than 8, and than any before, may allocate; no other does.
template <class Space>
class Redistribution {
 public:
  Redistribution() = default;
  /// group >= 1. Collective.
  Redistribution(Space const& space, Distribution const& from, int group);

  /// As HaloPlan's.
  bool recordable(Space const& space, std::size_t element) const {
    return can_record_exchange(space, from_.comm(), down_, element) &&
           can_record_exchange(space, from_.comm(), up_, element);
  }

  int group() const { return group_; }
  Distribution const& from() const { return from_; }
  Distribution const& to() const { return to_; }

  /// Owned values of `from` (width a row) to owned values of `to`, and back. T: double, float, Index,
  /// GlobalIndex.
  template <class T>
  void forward(Space const& space, Span<T const> source, Span<T> target, int width = 1) const {
    move(space, down_, source.data(), up_, target.data(), width * sizeof(T));
  }
  template <class T>
  void backward(Space const& space, Span<T const> source, Span<T> target, int width = 1) const {
    move(space, up_, source.data(), down_, target.data(), width * sizeof(T));
  }

  /// The square matrix A (rows and columns distributed as from) with rows and columns distributed as to.
  /// Entries keep their order.
  template <class T>
  DistCsr<T, Space> matrix(Space const& space, DistCsr<T, Space> const& A) const;
  /// New values of A, same pattern, into moved = matrix(A).
  template <class T>
  void refresh(Space const& space, DistCsr<T, Space> const& A, DistCsr<T, Space>& moved) const;

 private:
  int root() const { return from_.comm().rank() / group_ * group_; }
  int group_end() const;
  void move(Space const& space, std::vector<Neighbour> const& send, void const* source,
            std::vector<Neighbour> const& receive, void* target, std::size_t element) const {
    traffic_->start(space, from_.comm(), send, source, receive, target, element);
    traffic_->finish(space);
  }
  /// The two sides of moving things, so many of each rank, stretches that stand in rank order at the root.
  struct Sides {
    std::vector<Neighbour> down, up;
    Offset arriving = 0;
  };
  Sides sides(std::vector<GlobalIndex> const& counts) const;
  std::vector<GlobalIndex> ghosts_of_group(std::vector<GlobalIndex> const& mine) const;

  Distribution from_, to_;
  int group_ = 1;
  std::vector<Neighbour> down_, up_;  ///< what this rank gives to its root; what a root has of each
  std::shared_ptr<Traffic<Space>> traffic_;
};

}  // namespace Tessera::comm
