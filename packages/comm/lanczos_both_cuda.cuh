#pragma once
/// \file
/// Two runs of Lanczos on CUDA, for A and for A_F, whose steps share their passes; see
/// lanczos_resident_cuda.cuh.
#include "comm/lanczos_both.hpp"
#include "comm/lanczos_resident_cuda.cuh"

namespace Tessera::comm {

template <class Body>
struct BodyOfBoth {
  Body of_A, of_filtered;
  TESSERA_HD auto loaded() const {
    return BodyOfBoth{core::detail::loaded(of_A, 0), core::detail::loaded(of_filtered, 0)};
  }
  TESSERA_HD Both operator()(Index i) const { return {of_A(i), of_filtered(i)}; }
};

template <class Finish>
struct FinishBoth {
  Finish of_A, of_filtered;
  TESSERA_HD void operator()(Both const& total) const {
    of_A(total.of_A);
    of_filtered(total.of_filtered);
  }
  TESSERA_HD void operator()(BothAndBound const& total) const {
    of_A(total.both.of_A);
    of_filtered(DotAndBound{total.both.of_filtered, total.bound});
  }
};

/// What an entry adds to A u and to A_F u_filtered, and to the bound's sum.
template <class Sums>
struct ProductsOfBoth {
  double const* u;
  FilteredProduct filtered;
  __device__ Sums term(Index i, Offset k, double a, Index c) const {
    Both const both{a * u[c], filtered.term(i, k, a, c)};
    if constexpr (std::is_same_v<Sums, Both>) {
      return both;
    } else {
      return {both, fabs(filtered.entry(i, k, a, c))};
    }
  }
};

template <class Sums>
struct StoreBoth {
  ResidentOperator of_A, of_filtered;
  Sums* terms;
  __device__ void operator()(Index row, Both const& sums) const {
    terms[row] = {of_A.finish(row, sums.of_A, 0).dot, of_filtered.finish(row, sums.of_filtered, 0).dot};
  }
  __device__ void operator()(Index row, BothAndBound const& sums) const {
    auto const filtered = of_filtered.finish(row, sums.both.of_filtered, sums.bound);
    terms[row] = {{of_A.finish(row, sums.both.of_A, 0).dot, filtered.dot}, filtered.bound};
  }
};

inline TwoRuns run_both(Cuda const& space, DistCsr<double, Cuda> const& A, Span<double const> diagonal,
                        double known_bound, Span<double const> filtered_diagonal, Filter const& filter,
                        Span<VertexId const> row_ids, int steps, int seed) {
  if (A.rows.comm().size() > 1 || steps < 1)
    return run_both<Cuda>(space, A, diagonal, known_bound, filtered_diagonal, filter, row_ids, steps, seed);
  auto const n = static_cast<std::size_t>(A.local.rows);
  auto const size = LanczosScalars::size(steps);
  Array<double, Cuda> numbers(space, 2 * size), u(space, 2 * n), w(space, 2 * n), terms(space, 3 * n);
  core::ReduceScratch<Cuda> scratch(space, n, sizeof(BothAndBound));
  LanczosScalars const scalars{numbers.data(), steps}, filtered_scalars{numbers.data() + size, steps};
  auto const reduce = [&](auto const& body, auto identity, auto const& finish) {
    core::reduce_into(space, n, body, JoinBoth{}, identity, finish, scratch);
  };
  auto const first = [n](Array<double, Cuda>& both) { return both.span().part(0, n); };
  auto const second = [n](Array<double, Cuda>& both) { return both.span().part(n, n); };

  reduce(BodyOfBoth<StartVector>{{row_ids, diagonal, seed, first(u), first(w)},
                                 {row_ids, filtered_diagonal, seed, second(u), second(w)}},
         Both{}, FinishBoth<FinishStart>{{scalars}, {filtered_scalars}});
  for (int step = 0; step < steps; ++step) {
    auto const apply = [&](auto sums) {
      using Sums = decltype(sums);
      ResidentOperator const of_A{{A.local.view(), {}, diagonal, first(u), {}, first(w), 0, 0, false},
                                  scalars.at},
          of_filtered{{A.local.view(), filter, filtered_diagonal, second(u), {}, second(w), 0, 0, false},
                      filtered_scalars.at};
      auto* const rows = reinterpret_cast<Sums*>(terms.data());
      sparse::for_each_row_product(
          space, A.local.view(),
          ProductsOfBoth<Sums>{u.data(), {u.data() + n, filtered_diagonal.data(), filter}},
          StoreBoth<Sums>{of_A, of_filtered, rows});
      reduce(core::fixed_tree::Load<Sums>{rows}, Sums{},
             FinishBoth<FinishApply>{{scalars, step}, {filtered_scalars, step}});
    };
    if (step == 0) {
      apply(BothAndBound{});
    } else {
      apply(Both{});
    }
    reduce(BodyOfBoth<ResidentOrthogonalise>{{{diagonal, first(u), first(w), 0}, scalars.at},
                                             {{filtered_diagonal, second(u), second(w), 0},
                                              filtered_scalars.at}},
           Both{}, FinishBoth<FinishOrthogonalise>{{scalars, step}, {filtered_scalars, step}});
    std::swap(u, w);
  }
  auto const found = core::to_vector(space, numbers.view());
  return {run_of(found.data(), steps, known_bound), run_of(found.data() + size, steps, -1.0)};
}

}  // namespace Tessera::comm
