#pragma once
/// \file
/// What the steps of a K-cycle work with on a level.
#include "comm/over_ranks.hpp"

namespace Tessera::multigrid {

/// In the memory of the space: x = first * c + second * d, with c and d from a cycle each.
struct StepLengths {
  double first, second;
  double energy;       ///< (c, A c)
  bool second_wanted;  ///< the first step has left more than a quarter of ||b||
};

template <class T, class Space>
struct TwoSteps {
  Array<T, Space> c, v;  ///< v = A c
  Array<StepLengths, Space> lengths;
  comm::OverRanks<Space> over_ranks;

  /// n: rows of this rank. comm: of the ranks that are to learn of the sums.
  TwoSteps(Space const& space, comm::Communicator const& comm, std::size_t n)
      : c(space, n), v(space, n), lengths(space, 1), over_ranks(space, comm, n) {}
  std::size_t bytes() const { return c.bytes() + v.bytes() + lengths.bytes() + over_ranks.bytes(); }
};

}  // namespace Tessera::multigrid
