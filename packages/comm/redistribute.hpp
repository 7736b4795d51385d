#pragma once
/// \file
/// Moves rows between ranks: small levels are gathered onto fewer of them.
#include "comm/dist_csr.hpp"

namespace Tessera::comm {

/// Every rank's rows go whole to one other rank; the global numbering stays as it is when targets ascend with
/// ranks.
template <class Space>
class Redistribution {
 public:
  Redistribution() = default;
  /// Collective. target(rank) = rank / group * group: the first of each group of ranks takes all of the
  /// group's rows.
  Redistribution(Space const& space, Distribution const& from, int group);

  Distribution const& from() const { return from_; }
  Distribution const& to() const { return to_; }

  /// Owned values of `from` (width a row) to owned values of `to`, and back. T: double, float, Index,
  /// GlobalIndex.
  template <class T>
  void forward(Space const& space, Span<T const> source, Span<T> target, int width = 1) const;
  template <class T>
  void backward(Space const& space, Span<T const> source, Span<T> target, int width = 1) const;

  /// The square matrix A (rows and columns distributed as from) with rows and columns distributed as to.
  template <class T>
  DistCsr<T, Space> matrix(Space const& space, DistCsr<T, Space> const& A) const;
  /// New values of A, same pattern, into moved = matrix(A).
  template <class T>
  void refresh(Space const& space, DistCsr<T, Space> const& A, DistCsr<T, Space>& moved) const;

 private:
  Distribution from_, to_;
};

}  // namespace Tessera::comm
