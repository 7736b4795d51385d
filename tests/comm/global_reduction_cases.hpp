#pragma once
/// \file
/// Sequences of reductions over the rows of all ranks, with exchanges in between.
#include <vector>

#include "cases.hpp"
#include "comm/global_reduction.hpp"

namespace Tessera::test {

struct UniformBody {
  GlobalIndex first;
  int seed;
  TESSERA_HD double operator()(Index i) const { return core::uniform(first + i, seed); }
};

/// Result of a reduction to the sum and the maximum.
struct SumAndLargest {
  double sum = 0, largest = 0;
};
struct PairBody {
  UniformBody of;
  TESSERA_HD SumAndLargest operator()(Index i) const { return {of(i), of(i)}; }
};
struct JoinPairs {
  TESSERA_HD SumAndLargest operator()(SumAndLargest const& a, SumAndLargest const& b) const {
    return {a.sum + b.sum, a.largest < b.largest ? b.largest : a.largest};
  }
};

/// Sums and pairs of `times` reductions; an exchange of ghosts precedes every third one.
template <class Space>
std::vector<double> reductions(Space const& space, comm::Distribution const& rows, int times) {
  auto const n = static_cast<std::size_t>(rows.local_size());
  std::vector<GlobalIndex> ghosts;
  for (GlobalIndex i = 0; i < rows.global_size(); i += 5) {
    if (!rows.owns(i)) ghosts.push_back(i);
  }
  comm::HaloPlan<Space> const plan(space, rows, ghosts);
  Array<double, Space> owned(space, n), arrived(space, ghosts.size()), sum(space, times);
  Array<SumAndLargest, Space> pair(space, times);
  core::fill(space, owned.span(), 2.0);
  comm::GlobalReduction<Space> global_reduction(space, rows.comm(), n);
  for (int k = 0; k < times; ++k) {
    if (k % 3 == 0) plan.exchange(space, Span<double const>(owned.view()), arrived.span());
    UniformBody const body{rows.begin(), k};
    global_reduction.template reduce<double>(
        core::Plus{}, core::StoreResult<double>{sum.data() + k}, [&](auto const& finish, auto& scratch) {
          core::reduce_into(space, n, body, core::Plus{}, 0.0, finish, scratch);
        });
    global_reduction.template reduce<SumAndLargest>(
        JoinPairs{}, core::StoreResult<SumAndLargest>{pair.data() + k},
        [&](auto const& finish, auto& scratch) {
          core::reduce_into(space, n, PairBody{body}, JoinPairs{}, SumAndLargest{}, finish, scratch);
        });
  }
  auto result = core::to_vector(space, sum.view());
  for (auto const& [total, largest] : core::to_vector(space, pair.view())) {
    result.push_back(total);
    result.push_back(largest);
  }
  return result;
}

}  // namespace Tessera::test
