#pragma once
/// \file
/// Two runs of Lanczos on CUDA, for A and for A_F, whose steps share their passes; see
/// lanczos_resident_cuda.cuh.
#include "comm/lanczos_both.hpp"
#include "comm/lanczos_resident_cuda.cuh"

namespace Tessera::comm {

/// OrthogonaliseBoth with its factors from the device.
struct ResidentOrthogonaliseBoth {
  OrthogonaliseBoth of;
  double const *scalars, *filtered_scalars;
  TESSERA_HD ResidentOrthogonaliseBoth loaded() const {
    auto body = *this;
    body.of.factor = {scalars[LanczosScalars::factor], filtered_scalars[LanczosScalars::factor]};
    return body;
  }
  TESSERA_HD OrthogonaliseBoth::Fetched fetch(Index i) const { return of.fetch(i); }
  TESSERA_HD Both operator()(Index i, OrthogonaliseBoth::Fetched const& here) const { return of(i, here); }
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

/// What an entry adds to A u and to A_F u_filtered, and to the bound's sum. One load brings both numbers of a
/// column: loads of single ones are what the second cache has no room for.
template <class Sums>
struct ProductsOfBoth {
  Both const* u;
  FilteredProduct filtered;  ///< its u is not looked at
  __device__ Sums term(Index i, Offset k, double a, Index c) const {
    auto const z = *reinterpret_cast<double2 const*>(u + c);
    double const rounded = filtered.rounded(a), kept = filtered.entry(i, k, a, c);
    Both const both{rounded * z.x, kept * z.y};
    if constexpr (std::is_same_v<Sums, Both>) {
      return both;
    } else {
      return {both, fabs(kept)};
    }
  }
};

template <class Sums>
struct StoreBoth {
  Span<double const> diagonal, filtered_diagonal;
  Both const* u;
  Both* previous;
  double const *scalars, *filtered_scalars;
  Sums* terms;

  __device__ static StepScales scales(double const* at) {
    return {at[LanczosScalars::scale], at[LanczosScalars::previous_scale]};
  }
  __device__ BothAndBound finish(Index row, Both const& sums, double absolute) const {
    Both const before = previous[row], z = u[row];
    Both w;
    auto const of_all = finish_row(scales(scalars), sums.of_A, 0, diagonal[row], z.of_A, before.of_A, w.of_A);
    auto const of_few = finish_row(scales(filtered_scalars), sums.of_filtered, absolute,
                                   filtered_diagonal[row], z.of_filtered, before.of_filtered, w.of_filtered);
    previous[row] = w;
    return {{of_all.dot, of_few.dot}, of_few.bound};
  }
  __device__ void operator()(Index row, Both const& sums) const { terms[row] = finish(row, sums, 0).both; }
  __device__ void operator()(Index row, BothAndBound const& sums) const {
    terms[row] = finish(row, sums.both, sums.bound);
  }
};

/// Enqueues both runs; scalars: where they leave their numbers.
inline void go_both(Cuda const& space, sparse::CsrView<double> A, Span<double const> diagonal,
                    Span<double const> filtered_diagonal, Filter const& filter, Span<VertexId const> row_ids,
                    int seed, Entries const& entries, LanczosScalars const& scalars,
                    LanczosScalars const& filtered_scalars) {
  auto const n = static_cast<std::size_t>(A.rows);
  Array<Both, Cuda> u(space, n), w(space, n);
  Array<double, Cuda> terms(space, 3 * n);
  core::ReduceScratch<Cuda> scratch(space, n, sizeof(BothAndBound));
  auto const reduce = [&](auto const& body, auto identity, auto const& finish) {
    core::reduce_into(space, n, body, JoinBoth{}, identity, finish, scratch);
  };

  reduce(StartBoth{row_ids, diagonal, filtered_diagonal, seed, u.data(), w.data()}, Both{},
         FinishBoth<FinishStart>{{scalars}, {filtered_scalars}});
  for (int step = 0; step < scalars.steps; ++step) {
    auto const apply = [&](auto sums) {
      using Sums = decltype(sums);
      auto* const rows = reinterpret_cast<Sums*>(terms.data());
      ProductsOfBoth<Sums> const products{u.data(),
                                          {nullptr, filtered_diagonal.data(), filter, entries.in_float}};
      StoreBoth<Sums> const store{diagonal,   filtered_diagonal,   u.data(), w.data(),
                                  scalars.at, filtered_scalars.at, rows};
      if (has_many_rows(entries.stored.first)) {
        sparse::for_each_row_of_terms(space, entries.stored.first, A.offsets, products, store);
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
    reduce(
        ResidentOrthogonaliseBoth{
            {diagonal, filtered_diagonal, u.data(), w.data(), {}}, scalars.at, filtered_scalars.at},
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
