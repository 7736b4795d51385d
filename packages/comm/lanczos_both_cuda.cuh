#pragma once
/// \file
/// Two runs of Lanczos on CUDA, for A and for A_F, whose steps share their passes; see
/// lanczos_resident_cuda.cuh.
#include "comm/lanczos_both.hpp"
#include "comm/lanczos_resident_cuda.cuh"

namespace Tessera::comm {

struct ResidentStartBoth {
  StartVector of_A, of_filtered;
  TESSERA_HD Both operator()(Index i) const { return {of_A(i), of_filtered(i)}; }
};
struct ResidentOrthogonaliseBoth {
  ResidentOrthogonalise of_A, of_filtered;
  struct Fetched {
    Orthogonalise::Fetched of_A, of_filtered;
  };
  TESSERA_HD ResidentOrthogonaliseBoth loaded() const { return {of_A.loaded(), of_filtered.loaded()}; }
  TESSERA_HD Fetched fetch(Index i) const { return {of_A.fetch(i), of_filtered.fetch(i)}; }
  TESSERA_HD Both operator()(Index i, Fetched const& here) const {
    return {of_A(i, here.of_A), of_filtered(i, here.of_filtered)};
  }
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
  FilteredProduct of_A, filtered;  ///< the first without a filter
  __device__ Sums term(Index i, Offset k, double a, Index c) const {
    Both const both{of_A.term(i, k, a, c), filtered.term(i, k, a, c)};
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

/// Enqueues both runs; scalars: where they leave their numbers.
inline void go_both(Cuda const& space, sparse::CsrView<double> A, Span<double const> diagonal,
                    Span<double const> filtered_diagonal, Filter const& filter, Span<VertexId const> row_ids,
                    int seed, Entries const& entries, LanczosScalars const& scalars,
                    LanczosScalars const& filtered_scalars) {
  auto const n = static_cast<std::size_t>(A.rows);
  Array<double, Cuda> u(space, 2 * n), w(space, 2 * n), terms(space, 3 * n);
  core::ReduceScratch<Cuda> scratch(space, n, sizeof(BothAndBound));
  auto const reduce = [&](auto const& body, auto identity, auto const& finish) {
    core::reduce_into(space, n, body, JoinBoth{}, identity, finish, scratch);
  };
  auto const first = [n](Array<double, Cuda>& both) { return both.span().part(0, n); };
  auto const second = [n](Array<double, Cuda>& both) { return both.span().part(n, n); };

  reduce(ResidentStartBoth{{row_ids, diagonal, seed, first(u), first(w)},
                           {row_ids, filtered_diagonal, seed, second(u), second(w)}},
         Both{}, FinishBoth<FinishStart>{{scalars}, {filtered_scalars}});
  for (int step = 0; step < scalars.steps; ++step) {
    auto const apply = [&](auto sums) {
      using Sums = decltype(sums);
      ResidentOperator const of_A{{A, {}, diagonal, first(u), {}, first(w), 0, 0, false}, scalars.at},
          of_filtered{{A, filter, filtered_diagonal, second(u), {}, second(w), 0, 0, false},
                      filtered_scalars.at};
      auto* const rows = reinterpret_cast<Sums*>(terms.data());
      ProductsOfBoth<Sums> products{{u.data(), nullptr, {}, entries.in_float},
                                    {u.data() + n, filtered_diagonal.data(), filter, entries.in_float}};
      StoreBoth<Sums> const store{of_A, of_filtered, rows};
      if (has_many_rows(entries.stored)) {
        products.filtered.filter.strong = entries.stored_strong;
        sparse::for_each_row_of_terms(space, entries.stored, A.offsets, products, store);
      } else {
        sparse::for_each_row_product(space, A, products, store);
      }
      reduce(core::fixed_tree::Load<Sums>{rows}, Sums{},
             FinishBoth<FinishApply>{{scalars, step}, {filtered_scalars, step}});
    };
    if (step == 0) {
      apply(BothAndBound{});
    } else {
      apply(Both{});
    }
    reduce(ResidentOrthogonaliseBoth{{{diagonal, first(u), first(w), 0}, scalars.at},
                                     {{filtered_diagonal, second(u), second(w), 0}, filtered_scalars.at}},
           Both{}, FinishBoth<FinishOrthogonalise>{{scalars, step}, {filtered_scalars, step}});
    std::swap(u, w);
  }
}

inline TwoRuns run_both(Cuda const& space, DistCsr<double, Cuda> const& A, Span<double const> diagonal,
                        double known_bound, Span<double const> filtered_diagonal, Filter const& filter,
                        Span<VertexId const> row_ids, int steps, int seed, Entries const& entries) {
  if (A.rows.comm().size() > 1 || steps < 1)
    return run_both<Cuda>(space, A, diagonal, known_bound, filtered_diagonal, filter, row_ids, steps, seed,
                          entries);
  auto const size = LanczosScalars::size(steps);
  Array<double, Cuda> numbers(space, 2 * size);
  go_both(space, A.local.view(), diagonal, filtered_diagonal, filter, row_ids, seed, entries,
          {numbers.data(), steps}, {numbers.data() + size, steps});
  auto const found = core::to_vector(space, numbers.view());
  return {run_of(found.data(), steps, known_bound), run_of(found.data() + size, steps, -1.0)};
}

inline void find_radii(Cuda const& space, DistCsr<double, Cuda> const& A, Span<double const> diagonal,
                       Span<double const> filtered_diagonal, Filter const& filter,
                       Span<VertexId const> row_ids, int steps, Entries const& entries,
                       RadiiOnSpace const& radii) {
  if (A.rows.comm().size() > 1 || steps < 1)
    return find_radii<Cuda>(space, A, diagonal, filtered_diagonal, filter, row_ids, steps, entries, radii);
  if (radii.of_filtered == nullptr)
    return ResidentLanczos(space, A, diagonal, {}, steps, 0, entries)
        .run_into(row_ids, radii.known_bound, radii.of_A);
  auto const size = LanczosScalars::size(steps);
  Array<double, Cuda> numbers(space, 2 * size);
  LanczosScalars const scalars{numbers.data(), steps}, filtered_scalars{numbers.data() + size, steps};
  go_both(space, A.local.view(), diagonal, filtered_diagonal, filter, row_ids, 0, entries, scalars,
          filtered_scalars);
  radius_kernel<<<2, radius_threads, 0, space.stream>>>({scalars, radii.known_bound, radii.of_A},
                                                        {filtered_scalars, nullptr, radii.of_filtered});
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

}  // namespace Tessera::comm
