#pragma once
/// \file
/// Preconditioners of a small problem that are made, refreshed and applied again and again.
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "fsai/fsai.hpp"
#include "multigrid/held.hpp"
#include "multigrid/levels/bootstrap.hpp"
#include "multigrid/systems.hpp"

namespace Tessera::test {

/// Several levels of it, on fewer and fewer ranks.
inline multigrid::Parameters small_levels() {
  multigrid::Parameters parameters;
  parameters.coarse_max_size = 6;
  parameters.rows_per_rank = 20;
  return parameters;
}
inline multigrid::Parameters with_k_cycles() {
  auto parameters = small_levels();
  parameters.coarsening = multigrid::CoarseningType::unsmoothed;
  parameters.cycle = multigrid::CycleType::K;
  return parameters;
}
inline multigrid::Parameters with_matchings() {
  auto parameters = small_levels();
  parameters.aggregation.scheme = aggregation::AggregationScheme::matching;
  return parameters;
}
inline multigrid::Parameters with_components() {
  auto parameters = with_matchings();
  parameters.bootstrap = {2, 0.001, 1};
  return parameters;
}

template <class Space>
comm::DistCsr<double, Space> grid_on(Space const& space, double diagonal) {
  auto grid = oracle::laplace(8, 8);
  for (Index i = 0; i < grid.rows; ++i) {
    for (Offset k = grid.offsets[i]; k < grid.offsets[i + 1]; ++k)
      if (grid.column[k] == i) grid.value[k] = diagonal;
  }
  auto A = distribute(grid, share(world(), grid.rows));
  if constexpr (std::is_same_v<Space, Host>) {
    return A;
  } else {
    return comm::copied(Host{}, A, space);
  }
}

template <class Operator, class Space>
void live(Operator M, Space const& space, comm::DistCsr<double, Space> const& A) {
  auto const b = core::to_space(space, std::vector<double>(A.local.rows, 1.0));
  Array<double, Space> x(space, b.size());
  for (int k = 0; k < 3; ++k) {
    M.apply(b.view(), x.span());
    if (k < 2) M.refresh(A);
  }
  M.report();
}

template <class Space>
struct Lives {
  Space space;

  template <class Operator = multigrid::Hierarchy<float, Space>>
  void expect_no_leaks(int times, multigrid::Parameters const& parameters) const {
    expect_nothing_is_left(space, times, [&] {
      auto const A = grid_on(space, 4.0);
      live(Operator(space, A, node_ids_on(space, A.rows), {}, parameters), space, A);
    });
  }
  void expect_no_leaks_of_fsai(int times) const {
    expect_nothing_is_left(space, times, [&] {
      auto const A = grid_on(space, 4.0);
      live(fsai::Fsai<float, Space>(space, A, {}), space, A);
    });
  }
  void expect_no_leaks_of_setups_that_fail(int times) const {
    expect_nothing_is_left(space, times, [&] {
      auto const A = grid_on(space, 0.0);
      EXPECT_THROW(
          (multigrid::Hierarchy<float, Space>(space, A, node_ids_on(space, A.rows), {}, small_levels())),
          core::NumericalError);
    });
  }
};

}  // namespace Tessera::test
