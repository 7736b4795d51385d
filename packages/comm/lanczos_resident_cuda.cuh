#pragma once
/// \file
/// Lanczos on CUDA, of one rank or of ranks that reach each other: its scalars stay on the device, so that
/// nothing waits between the first pass and the last. Steps behind one that ended it do no harm; the host
/// leaves them out.
#include <cmath>
#include <utility>

#include "comm/gather_on_space.hpp"
#include "comm/lanczos_cuda.cuh"
#include "core/reduce_into.hpp"
#include "sparse/sell_terms_cuda.cuh"
#include "sparse/tridiagonal.hpp"

namespace Tessera::comm {

/// Where the scalars of run_lanczos lie on the device; alpha and beta of each step at the end.
struct LanczosScalars {
  static constexpr int scale = 0, previous_scale = 1, factor = 2, norm = 3, bound = 4, alpha = 5;
  double* at;
  int steps;
  TESSERA_HD static int size(int steps) { return alpha + 2 * steps; }
  TESSERA_HD static int beta(int steps) { return alpha + steps; }
};

struct FinishStart {
  LanczosScalars scalars;
  TESSERA_HD void operator()(double square) const {
    double const norm = std::sqrt(square);
    scalars.at[LanczosScalars::norm] = norm;
    scalars.at[LanczosScalars::scale] = 1 / norm;
    scalars.at[LanczosScalars::previous_scale] = 0;
    scalars.at[LanczosScalars::bound] = 0;
  }
};

struct FinishApply {
  LanczosScalars scalars;
  int step;
  TESSERA_HD void operator()(double dot) const {
    scalars.at[LanczosScalars::alpha + step] = dot;
    scalars.at[LanczosScalars::factor] = dot * scalars.at[LanczosScalars::scale];
  }
  TESSERA_HD void operator()(DotAndBound const& both) const {
    (*this)(both.dot);
    scalars.at[LanczosScalars::bound] = both.bound;
  }
};

struct FinishOrthogonalise {
  LanczosScalars scalars;
  int step;
  TESSERA_HD void operator()(double square) const {
    double const beta = std::sqrt(square);
    scalars.at[LanczosScalars::beta(scalars.steps) + step] = beta;
    scalars.at[LanczosScalars::previous_scale] = beta * scalars.at[LanczosScalars::scale];
    scalars.at[LanczosScalars::scale] = 1 / beta;
  }
};

/// Orthogonalise with its factor from the device.
struct ResidentOrthogonalise {
  Orthogonalise of;
  double const* scalars;
  TESSERA_HD ResidentOrthogonalise loaded() const {
    auto body = *this;
    body.of.factor = scalars[LanczosScalars::factor];
    return body;
  }
  TESSERA_HD Orthogonalise::Fetched fetch(Index i) const { return of.fetch(i); }
  TESSERA_HD double operator()(Index i, Orthogonalise::Fetched const& here) const { return of(i, here); }
};

/// ApplyOperator with its scales from the device.
struct ResidentOperator {
  ApplyOperator of;
  double const* scalars;
  TESSERA_HD ApplyOperator loaded() const {
    auto apply = of;
    apply.scale = scalars[LanczosScalars::scale];
    apply.previous_scale = scalars[LanczosScalars::previous_scale];
    return apply;
  }
  /// Returns what row adds to the reduction.
  TESSERA_HD DotAndBound finish(Index row, double sum, double absolute) const {
    return loaded().finish(row, sum, absolute);
  }
};

/// Rows from which on a thread takes a row of stored entries.
constexpr Index many_stored_rows = 8192;

inline bool has_many_rows(sparse::SellView<float> const& stored) {
  return stored.rows >= many_stored_rows && stored.chunk == sparse::SellProductShape::chunk &&
         stored.stored_rows == stored.rows;
}

/// A row of A itself by one thread: a short one, or a stored one; and what it adds, from what that has
/// written.
template <class Entry>
struct ApplyShortRow {
  ResidentOperator of;
  __device__ void operator()(Index i) const {
    sparse::OneVector<double> const u{of.of.u.data()};
    of.finish(i, sparse::detail::rounded_row_sum<8, Entry>(of.of.A, i, u), 0);
  }
};
struct ApplyStoredRow {
  ResidentOperator of;
  sparse::SellView<float> stored;
  __device__ void operator()(Index i) const {
    of.finish(i, sparse::detail::slot_sum(stored, i, sparse::OneVector<double>{of.of.u.data()}), 0);
  }
};
struct DotOfRow {
  Span<double const> diagonal, w, u;
  double const* scalars;
  double scale = 0;
  TESSERA_HD DotOfRow loaded() const { return {diagonal, w, u, scalars, scalars[LanczosScalars::scale]}; }
  TESSERA_HD double operator()(Index i) const { return diagonal[i] * w[i] * (scale * u[i]); }
};

/// What the steps have left in the scalars, on the host.
inline LanczosRun run_of(double const* numbers, int steps, double known_bound) {
  LanczosRun run;
  if (!(numbers[LanczosScalars::norm] > 0)) return run;
  run.bound = known_bound < 0 ? numbers[LanczosScalars::bound] : known_bound;
  for (int step = 0; step < steps; ++step) {
    double const beta = numbers[LanczosScalars::beta(steps) + step];
    if (!run.note(numbers[LanczosScalars::alpha + step], beta) || !(beta > 0)) break;
  }
  return run;
}

/// Where radius_kernel finds what a run has left, and where its result goes.
struct RadiusTask {
  LanczosScalars scalars;
  double const* known_bound;  ///< null: the run has found it
  SpectralRadius* result;
};

constexpr int radius_threads = 256;

/// What radius_of(run_of(...)) gives, by a block that looks at as many numbers at a time as it has threads;
/// an estimate that is not a number where that throws.
__device__ inline void find_radius(RadiusTask const& task) {
  double const* const at = task.scalars.at;
  int const steps = task.scalars.steps;
  SpectralRadius result;
  if (at[LanczosScalars::norm] > 0) {
    result.bound = task.known_bound != nullptr ? *task.known_bound : at[LanczosScalars::bound];
    sparse::Tridiagonal T{at + LanczosScalars::alpha, at + LanczosScalars::beta(steps), 0};
    double poison = 0;
    while (T.n < steps) {
      double const beta = T.beta[T.n];
      poison += 0 * T.alpha[T.n] + 0 * beta;
      ++T.n;
      if (!(beta > 1e-13 * result.bound) || !(beta > 0)) break;
    }
    double low = T.low(), high = T.high();
    for (bool narrower = poison == 0; narrower && low < high;) {
      double const begin = low, width = (high - low) / (radius_threads + 1);
      auto const point = [begin, width](int k) { return begin + width * (k + 1); };
      double const mine = point(static_cast<int>(threadIdx.x));
      bool const below = mine >= high || (mine > low && T.all_below(mine));
      int const first = __syncthreads_count(below ? 0 : 1);  // that is below
      narrower = false;
      if (first > 0 && point(first - 1) > low) low = point(first - 1), narrower = true;
      if (first < radius_threads && point(first) < high) high = point(first), narrower = true;
    }
    result.estimate = low + poison;
  }
  if (threadIdx.x == 0) *task.result = result;
}

__global__ void __launch_bounds__(radius_threads) radius_kernel(RadiusTask of_A, RadiusTask of_filtered) {
  find_radius(blockIdx.x == 0 ? of_A : of_filtered);
}

class ResidentLanczos {
 public:
  ResidentLanczos(Cuda const& space, DistCsr<double, Cuda> const& A, Span<double const> diagonal,
                  Filter const& filter, int steps, double known_bound, Entries const& entries)
      : space_(space),
        comm_(A.rows.comm()),
        halo_(A.halo),
        A_(A.local.view()),
        diagonal_(diagonal),
        filter_(filter),
        entries_(entries),
        known_bound_(known_bound),
        n_(static_cast<std::size_t>(A_.rows)),
        numbers_(space, LanczosScalars::size(steps)),
        u_(space, n_ + halo_.ghost_count()),
        w_(space, n_ + halo_.ghost_count()),
        scratch_(space, n_, sizeof(DotAndBound)),
        scalars_{numbers_.data(), steps} {
    if (comm_.size() > 1) gather_ = GatherOnSpace<Cuda>(space, comm_, sizeof(DotAndBound));
  }

  LanczosRun run(Span<VertexId const> row_ids, int seed) {
    go(row_ids, seed);
    return run_of(core::to_vector(space_, numbers_.view()).data(), scalars_.steps, known_bound_);
  }
  /// What the run comes to, on the space.
  void run_into(Span<VertexId const> row_ids, double const* known_bound, SpectralRadius* result) {
    go(row_ids, 0);
    radius_kernel<<<1, radius_threads, 0, space_.stream>>>({scalars_, known_bound, result}, {});
    TESSERA_CUDA_CHECK(cudaGetLastError());
  }

 private:
  void go(Span<VertexId const> row_ids, int seed) {
    reduce(core::NothingBefore{}, StartVector{row_ids, diagonal_, seed, u_.span(), w_.span()}, core::Plus{},
           0.0, FinishStart{scalars_});
    for (int step = 0; step < scalars_.steps; ++step) {
      halo_.exchange(space_, u_.view().part(0, n_), u_.span().part(n_, u_.size() - n_));
      apply(step);
      reduce(core::NothingBefore{}, ResidentOrthogonalise{{diagonal_, u_.view(), w_.span(), 0}, scalars_.at},
             core::Plus{}, 0.0, FinishOrthogonalise{scalars_, step});
      std::swap(u_, w_);
    }
  }

  /// Over the rows of all ranks.
  template <class Before, class Body, class Op, class T, class Finish>
  void reduce(Before const& before, Body const& body, Op const& op, T identity, Finish const& finish) {
    if (comm_.size() == 1) {
      core::reduce_into(space_, n_, before, body, op, identity, finish, scratch_);
    } else {
      reduce_into_over_ranks(space_, comm_, n_, before, body, op, identity, finish, scratch_, gather_);
    }
  }

  /// w = D^-1 A z - beta z_previous, and (w, z).
  void apply(int step) {
    ResidentOperator const of{
        {A_, filter_, diagonal_, u_.view(), {}, w_.span(), 0, 0, step == 0 && known_bound_ < 0}, scalars_.at};
    FinishApply const finish{scalars_, step};
    FilteredProduct const product{u_.data(), diagonal_.data(), filter_, entries_.in_float};
    DotOfRow const dot{diagonal_, w_.view(), u_.view(), scalars_.at};
    if (of.of.wants_bound) {
      Array<DotAndBound, Cuda> terms(space_, n_);
      sparse::for_each_row_product(space_, A_, ProductAndAbsolute{product},
                                   StoreTerms<ResidentOperator, DotAndBound>{of, terms.data()});
      reduce(core::NothingBefore{}, core::fixed_tree::Load<DotAndBound>{terms.data()}, JoinDotAndBound{},
             DotAndBound{}, finish);
    } else if (filter_.lumped.empty() && has_many_rows(entries_.stored.first) &&
               entries_.stored.first.in_order()) {
      reduce(ApplyStoredRow{of, entries_.stored.first}, dot, core::Plus{}, 0.0, finish);
    } else if (filter_.lumped.empty() && A_.value.size() <= 8 * n_) {
      if (entries_.in_float) {
        reduce(ApplyShortRow<float>{of}, dot, core::Plus{}, 0.0, finish);
      } else {
        reduce(ApplyShortRow<double>{of}, dot, core::Plus{}, 0.0, finish);
      }
    } else {
      if (terms_.empty()) terms_ = Array<double, Cuda>(space_, n_);
      sparse::for_each_row_product(space_, A_, product,
                                   StoreTerms<ResidentOperator, double>{of, terms_.data()});
      reduce(core::NothingBefore{}, core::fixed_tree::Load<double>{terms_.data()}, core::Plus{}, 0.0, finish);
    }
  }

  Cuda space_;
  Communicator comm_;
  HaloPlan<Cuda> halo_;
  sparse::CsrView<double> A_;
  Span<double const> diagonal_;
  Filter filter_;
  Entries entries_;
  double known_bound_;  ///< negative: the first pass brings it
  std::size_t n_;
  Array<double, Cuda> numbers_, u_, w_, terms_;
  core::ReduceScratch<Cuda> scratch_;
  LanczosScalars scalars_;
  GatherOnSpace<Cuda> gather_;  ///< only of several ranks
};

inline LanczosRun run_lanczos(Cuda const& space, DistCsr<double, Cuda> const& A, Span<double const> diagonal,
                              Span<VertexId const> row_ids, int steps, int seed, Filter const& filter,
                              double known_bound, Entries const& entries) {
  auto const& comm = A.rows.comm();
  bool const through_host = comm.size() > 1 && !ranks_reach_each_other(space, comm);
  if (through_host || steps < 1)
    return run_lanczos<Cuda>(space, A, diagonal, row_ids, steps, seed, filter, known_bound, entries);
  return ResidentLanczos(space, A, diagonal, filter, steps, known_bound, entries).run(row_ids, seed);
}

}  // namespace Tessera::comm
