#pragma once
/// \file
/// See lanczos.hpp.
#include <cmath>
#include <utility>

#include "comm/lanczos.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/parallel.hpp"
#include "core/prefetch.hpp"
#include "sparse/eigenvalue.hpp"

namespace Tessera::comm {

/// What one pass over the matrix brings.
struct DotAndBound {
  double dot = 0, bound = 0;
};

struct JoinDotAndBound {
  TESSERA_HD DotAndBound operator()(DotAndBound const& a, DotAndBound const& b) const {
    return {a.dot + b.dot, a.bound < b.bound ? b.bound : a.bound};
  }
};

struct StartVector {
  Span<VertexId const> ids;
  Span<double const> diagonal;
  int seed;
  Span<double> u, previous;
  TESSERA_HD double operator()(Index i) const {
    u[i] = core::uniform(ids[i], static_cast<std::uint64_t>(seed));
    previous[i] = 0;
    return diagonal[i] * u[i] * u[i];
  }
};

/// Of a step: the vectors' scales, the second includes beta.
struct StepScales {
  double scale, previous_scale;
};

/// w of a row of diagonal d, from the sums of its entries times u and of their absolute values; z and before:
/// the row's u and previous.
TESSERA_HD inline DotAndBound finish_row(StepScales const& scales, double sum, double absolute, double d,
                                         double z, double before, double& w) {
  bool const takes_part = d != 0;
  w = takes_part ? sum * scales.scale / d - before * scales.previous_scale : 0;
  return {d * w * (scales.scale * z), takes_part ? absolute / d : 0};
}

/// D^-1 A is symmetric in the inner product (x, y) = x^T D y, where Lanczos needs no square roots of D. Its
/// vectors are kept without their norms: z = scale u. This is w = D^-1 A z - beta z_previous, written over
/// previous, and (w, z).
struct ApplyOperator {
  sparse::CsrView<double> A;
  Filter filter;
  Span<double const> diagonal, u, ghosts;  ///< the ghosts lie behind u
  Span<double> previous;
  double scale, previous_scale;  ///< the second includes beta
  bool wants_bound;              ///< in the first step
  bool in_float = false;         ///< Entries'

  TESSERA_HD DotAndBound operator()(Index row) const {
    return in_float ? step<true, float>(row) : step<true, double>(row);
  }

  /// The bound is 0 unless it is wanted.
  // Pointers in local variables, since previous[row] might else change them, and prefetching, since rows end
  // too often for the hardware's: 25 ms became 10 for a million rows of 7 entries.
  template <bool with_bound, class Entry>
  TESSERA_HD DotAndBound step(Index row) const {
    auto const begin = A.offsets[row], end = A.offsets[row + 1];
    double const* const value = A.value.data();
    Index const* const column = A.column.data();
    double const* const x = u.data();
    double const d = diagonal[row];
    core::prefetch(value + begin + 256);
    core::prefetch(column + begin + 256);
    double sum = 0, absolute = 0;
    if (filter.lumped.empty() || filter.lumped[row] == 0) {
      for (Offset k = begin; k < end; ++k) {
        double const a = static_cast<Entry>(value[k]);
        sum += a * x[column[k]];
        if (with_bound) absolute += fabs(a);
      }
    } else {
      unsigned char const* const strong = filter.strong.data();
      for (Offset k = begin; k < end; ++k) {
        Index const c = column[k];
        // What is left out adds zero: no branch that nobody can foresee.
        double const kept = c == row ? 1.0 : static_cast<double>(strong[k]);
        double const a = static_cast<Entry>(c == row ? d : value[k]) * kept;
        sum += a * x[c];
        if (with_bound) absolute += fabs(a);
      }
    }
    return finish(row, sum, absolute, d, previous[row], x[row]);
  }

  TESSERA_HD DotAndBound finish(Index row, double sum, double absolute) const {
    return finish(row, sum, absolute, diagonal[row], previous[row], u[row]);
  }
  /// From the sums of the row's entries times u, and of their absolute values; d, before and z: the row's
  /// diagonal, previous and u.
  TESSERA_HD DotAndBound finish(Index row, double sum, double absolute, double d, double before,
                                double z) const {
    return finish_row({scale, previous_scale}, sum, absolute, d, z, before, previous[row]);
  }
};

template <class Entry>
struct DotOnly {
  ApplyOperator apply;
  TESSERA_HD double operator()(Index row) const { return apply.step<false, Entry>(row).dot; }
};

inline DotAndBound apply_operator(Host const& space, std::size_t n, ApplyOperator const& apply) {
  if (!apply.wants_bound && apply.in_float) return {core::sum(space, n, DotOnly<float>{apply}), 0};
  if (!apply.wants_bound) return {core::sum(space, n, DotOnly<double>{apply}), 0};
  return core::reduce(space, n, apply, JoinDotAndBound{}, DotAndBound{});
}
DotAndBound apply_operator(Cuda const& space, std::size_t n, ApplyOperator const& apply);

/// w -= alpha z, and (w, w).
struct Orthogonalise {
  Span<double const> diagonal, u;
  Span<double> w;
  double factor;  ///< alpha times the scale of u

  struct Fetched {
    double diagonal, u, w;
  };
  TESSERA_HD Fetched fetch(Index i) const { return {diagonal[i], u[i], w[i]}; }
  TESSERA_HD double operator()(Index i, Fetched const& here) const {
    double const result = here.w - factor * here.u;
    w[i] = result;
    return here.diagonal * result * result;
  }
  TESSERA_HD double operator()(Index i) const { return (*this)(i, fetch(i)); }
};

/// What the steps of Lanczos have brought.
struct LanczosRun {
  std::vector<double> alphas, betas;
  double bound = 0;

  /// Takes note of a step; whether another one makes sense.
  bool note(double alpha, double beta) {
    alphas.push_back(alpha);
    if (!std::isfinite(alpha) || !std::isfinite(beta)) {
      throw core::NumericalError(core::message(
          "the spectral radius of D^-1 A cannot be estimated (step ", alphas.size(), " of Lanczos gave ",
          alpha, " and ", beta,
          "): the matrix holds an entry that is not finite or a negative diagonal entry; use a ",
          "symmetric positive definite matrix"));
    }
    // An invariant subspace: what lies beyond is rounding errors.
    if (beta <= 1e-13 * bound) return false;
    betas.push_back(beta);
    return true;
  }
};

struct TwoRuns {
  LanczosRun of_A, of_filtered;
};

/// apply(operator): the sum over this rank's rows of what the operator gives, the bound in the first step
/// unless it is known.
template <class Space, class Apply>
LanczosRun run_steps(Space const& space, DistCsr<double, Space> const& A, Span<double const> diagonal,
                     Span<VertexId const> row_ids, int steps, int seed, Filter const& filter,
                     double known_bound, Entries const& entries, Apply const& apply) {
  auto const& comm = A.rows.comm();
  auto const n = static_cast<std::size_t>(A.rows.local_size());
  std::size_t const ghosts = A.halo.ghost_count();
  Array<double, Space> u(space, n + ghosts), w(space, n + ghosts);

  auto const start = StartVector{row_ids, diagonal, seed, u.span(), w.span()};
  double norm = std::sqrt(comm.sum(core::sum(space, n, start)));
  double beta = 0, scale = 1 / norm, previous_scale = 0;
  LanczosRun run;
  while (static_cast<int>(run.alphas.size()) < steps && norm > 0) {
    A.halo.exchange(space, u.view().part(0, n), u.span().part(n, ghosts));
    auto const local = apply(ApplyOperator{A.local.view(), filter, diagonal, u.view().part(0, n),
                                           u.view().part(n, ghosts), w.span(), scale, beta * previous_scale,
                                           run.alphas.empty() && known_bound < 0, entries.in_float});
    double const alpha = comm.sum(local.dot);
    if (run.alphas.empty()) run.bound = known_bound < 0 ? comm.max(local.bound) : known_bound;
    auto const orthogonalise = Orthogonalise{diagonal, u.view(), w.span(), alpha * scale};
    beta = norm = std::sqrt(comm.sum(core::sum(space, n, orthogonalise)));
    if (!run.note(alpha, beta)) break;
    previous_scale = scale;
    scale = 1 / beta;
    std::swap(u, w);
  }
  return run;
}

/// The host has its own for stored rows, CUDA for one rank, and for ranks that reach each other.
template <class Space>
LanczosRun run_lanczos(Space const& space, DistCsr<double, Space> const& A, Span<double const> diagonal,
                       Span<VertexId const> row_ids, int steps, int seed, Filter const& filter,
                       double known_bound, Entries const& entries) {
  auto const apply = [&](ApplyOperator const& of) { return apply_operator(space, diagonal.size(), of); };
  return run_steps(space, A, diagonal, row_ids, steps, seed, filter, known_bound, entries, apply);
}

inline SpectralRadius radius_of(LanczosRun run) {
  SpectralRadius result;
  result.bound = run.bound;
  if (run.alphas.empty()) return result;
  run.betas.resize(run.alphas.size() - 1);
  result.estimate = sparse::tridiagonal_max_eigenvalue(run.alphas, run.betas);
  return result;
}

template <class Space>
SpectralRadius spectral_radius(Space const& space, DistCsr<double, Space> const& A,
                               Span<double const> diagonal, Span<VertexId const> row_ids, int steps, int seed,
                               Filter const& filter, double known_bound, Entries const& entries) {
  return radius_of(run_lanczos(space, A, diagonal, row_ids, steps, seed, filter, known_bound, entries));
}

/// The host has its own for stored rows, CUDA for one rank.
template <class Space>
TwoRuns run_both(Space const& space, DistCsr<double, Space> const& A, Span<double const> diagonal,
                 double known_bound, Span<double const> filtered_diagonal, Filter const& filter,
                 Span<VertexId const> row_ids, int steps, int seed, Entries const& entries) {
  auto of_A = run_lanczos(space, A, diagonal, row_ids, steps, seed, {}, known_bound, entries);
  return {std::move(of_A),
          run_lanczos(space, A, filtered_diagonal, row_ids, steps, seed, filter, -1.0, entries)};
}

template <class Space>
TwoRadii spectral_radii(Space const& space, DistCsr<double, Space> const& A, Span<double const> diagonal,
                        double known_bound, Span<double const> filtered_diagonal, Filter const& filter,
                        Span<VertexId const> row_ids, int steps, int seed, Entries const& entries) {
  auto runs =
      run_both(space, A, diagonal, known_bound, filtered_diagonal, filter, row_ids, steps, seed, entries);
  return {radius_of(std::move(runs.of_A)), radius_of(std::move(runs.of_filtered))};
}

/// CUDA has its own for one rank.
template <class Space>
void find_radii(Space const& space, DistCsr<double, Space> const& A, Span<double const> diagonal,
                Span<double const> filtered_diagonal, Filter const& filter, Span<VertexId const> row_ids,
                int steps, Entries const& entries, RadiiOnSpace const& radii) {
  double known_bound = 0;
  core::copy_bytes(space, radii.known_bound, Host{}, &known_bound, sizeof known_bound);
  TwoRadii found;
  if (radii.of_filtered == nullptr) {
    found.of_A = spectral_radius(space, A, diagonal, row_ids, steps, 0, {}, known_bound, entries);
  } else {
    found = spectral_radii(space, A, diagonal, known_bound, filtered_diagonal, filter, row_ids, steps, 0,
                           entries);
    core::copy_bytes(Host{}, &found.of_filtered, space, radii.of_filtered, sizeof found.of_filtered);
  }
  core::copy_bytes(Host{}, &found.of_A, space, radii.of_A, sizeof found.of_A);
}

template <class Space>
void spectral_radii_into(Space const& space, DistCsr<double, Space> const& A, Span<double const> diagonal,
                         Span<double const> filtered_diagonal, Filter const& filter,
                         Span<VertexId const> row_ids, int steps, Entries const& entries,
                         RadiiOnSpace const& radii) {
  find_radii(space, A, diagonal, filtered_diagonal, filter, row_ids, steps, entries, radii);
}

}  // namespace Tessera::comm
