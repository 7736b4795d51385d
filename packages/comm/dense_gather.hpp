#pragma once
/// \file
/// Small distributed matrices and vectors whole on one rank, for the coarsest level.
#include <vector>

#include "comm/dist_csr.hpp"

namespace Tessera::comm {

/// A as a dense n x n array, column-major (n = A.rows.global_size(), a thousand or so), on rank `root`; empty
/// on the others. Collective.
template <class Space>
std::vector<double> gather_dense(Space const& space, DistCsr<double, Space> const& A, int root = 0);

/// Moves vectors of one distribution to one rank and back; allocates nothing but at construction.
/// T: double, float.
template <class T, class Space>
class VectorGather {
 public:
  VectorGather() = default;
  VectorGather(Space const& space, Distribution const& distribution, int root = 0);

  int root() const { return root_; }
  bool is_root() const { return distribution_.comm().rank() == root_; }
  /// The owned values of every rank to `whole` on the root (global_size() values, in host memory; elsewhere
  /// untouched). Collective.
  void gather(Space const& space, Span<T const> owned, Span<T> whole);
  /// Back. Collective.
  void scatter(Space const& space, Span<T const> whole, Span<T> owned);

 private:
  Distribution distribution_;
  int root_ = 0;
  std::vector<int> counts_, starts_;  ///< of each rank, on the root
  Staging<Space> staging_;
};

}  // namespace Tessera::comm
