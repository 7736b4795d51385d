#pragma once
/// \file
/// Lanczos with scalars on the space, so that nothing waits between the first pass and the last.
#include <cmath>
#include <utility>

#include "comm/communicator.hpp"
#include "comm/global_reduction.hpp"
#include "core/group.hpp"
#include "core/hash.hpp"
#include "krylov/lanczos.hpp"
#include "sparse/engine/row_reduce.hpp"
#include "sparse/tridiagonal.hpp"

namespace Tessera::krylov {

/// The scalars of a run, on the space; alpha and beta of each step come last. Vectors are stored unscaled: z
/// = scale u.
struct LanczosScalars {
  static constexpr int scale = 0, previous_scale = 1, factor = 2, norm = 3, pivot = 4, alpha = 5;
  double* at;
  int steps;
  double const* bound;  ///< GershgorinBound::bound
  double safety;
  TESSERA_HD static int size(int steps) { return alpha + 2 * steps; }
  TESSERA_HD int beta() const { return alpha + steps; }
  /// An estimate from here on is replaced by the bound.
  TESSERA_HD double threshold() const { return bound != nullptr ? *bound / safety : HUGE_VAL; }
  /// Whether an estimate has reached the threshold. Estimates grow from step to step.
  TESSERA_HD bool reached() const { return at[pivot] >= 0; }
};

/// After the start: (u, u).
struct KeepNorm {
  LanczosScalars scalars;
  TESSERA_HD void operator()(double square) const {
    double const norm = std::sqrt(square);
    scalars.at[LanczosScalars::norm] = norm;
    scalars.at[LanczosScalars::pivot] = -1;
    scalars.at[LanczosScalars::scale] = 1 / norm;
    scalars.at[LanczosScalars::previous_scale] = 0;
  }
};

/// After w = M^-1 A z - beta z_previous: (w, z). The last pivot of T - threshold I is negative as long as all
/// eigenvalues of the tridiagonal T are less than the threshold (Sylvester).
struct KeepAlpha {
  LanczosScalars scalars;
  int step;
  TESSERA_HD void operator()(double dot) const {
    scalars.at[LanczosScalars::alpha + step] = dot;
    scalars.at[LanczosScalars::factor] = dot * scalars.at[LanczosScalars::scale];
    double const beta = step > 0 ? scalars.at[scalars.beta() + step - 1] : 0;
    double& pivot = scalars.at[LanczosScalars::pivot];
    if (pivot < 0) pivot = dot - scalars.threshold() - beta * beta / pivot;
  }
};

/// After w -= alpha z: (w, w).
struct KeepBeta {
  LanczosScalars scalars;
  int step;
  TESSERA_HD void operator()(double square) const {
    double const beta = std::sqrt(square);
    scalars.at[scalars.beta() + step] = beta;
    scalars.at[LanczosScalars::previous_scale] = beta * scalars.at[LanczosScalars::scale];
    scalars.at[LanczosScalars::scale] = 1 / beta;
  }
};

/// The estimate of a run. If beta is at most `invariant` times the largest alpha, the vectors span an
/// invariant subspace, and later steps are rounding errors.
struct FindRadius {
  LanczosScalars scalars;
  double invariant;
  double* estimate;
  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index) const {
    if (scalars.reached()) {
      if (group.lane == 0) *estimate = *scalars.bound;
      return;
    }
    double const* const at = scalars.at;
    sparse::Tridiagonal T{at + LanczosScalars::alpha, at + scalars.beta(), 0};
    double poison = 0 * at[LanczosScalars::norm], largest = 0;
    for (bool more = at[LanczosScalars::norm] != 0; more && T.n < scalars.steps;) {
      double const alpha = T.alpha[T.n++];
      poison += 0 * alpha;
      largest = alpha > largest ? alpha : largest;
      if (T.n == scalars.steps) break;
      poison += 0 * T.beta[T.n - 1];
      more = T.beta[T.n - 1] > invariant * largest;
    }
    double const found = T.n == 0 || poison != 0 ? 0 : sparse::largest_eigenvalue(group, T);
    if (group.lane == 0) *estimate = found + poison;
  }
};

/// Runs Lanczos on M^-1 A, which is symmetric in the inner product (x, y) = x^T M y (Golub, Van Loan, Matrix
/// Computations, section 11.5.2). op enqueues passes, and passes sums over all ranks to finish:
///     start(finish)                    u, and (u, u)
///     apply(scalars, finish)           w = M^-1 A z - beta z_previous, stored over u_previous, and (w, z)
///     orthogonalise(scalars, finish)   w -= alpha z, which is the next u, and (w, w)
///     may_stop(scalars, step)          whether the host knows that the estimate has reached the threshold
template <class Space, class Operator>
void run_lanczos(Space const& space, LanczosScalars const& scalars, double invariant, Operator& op,
                 double* estimate) {
  int const steps = scalars.steps;
  op.start(KeepNorm{scalars});
  for (int step = 0; step < steps; ++step) {
    op.apply(scalars, KeepAlpha{scalars, step});
    if (op.may_stop(scalars, step)) break;
    if (step + 1 < steps) op.orthogonalise(scalars, KeepBeta{scalars, step});
  }
  core::for_each_group(space, 1, core::GroupShape<256>{}, FindRadius{scalars, invariant, estimate});
}

struct StartVector {
  Span<VertexId const> ids;
  Span<double const> diagonal;
  Span<double> u, previous;
  /// D^1/2 u is random. With a random u, one row with d_i = 1e27 would dominate (u, D u) and the first steps.
  TESSERA_HD double operator()(Index i) const {
    double const d = diagonal[i], random = core::uniform(ids[i], 0);
    u[i] = d != 0 ? random / sqrt(d) : 0;
    previous[i] = 0;
    return d * u[i] * u[i];
  }
};

/// Stores w_i, given the sum of row i times u.
struct StoreStep {
  Span<double const> diagonal;
  Span<double> previous;
  double const* scalars;
  double scale = 0, previous_scale = 0;
  TESSERA_HD StoreStep loaded() const {
    return {diagonal, previous, scalars, scalars[LanczosScalars::scale],
            scalars[LanczosScalars::previous_scale]};
  }
  TESSERA_HD void operator()(Index i, double sum) const {
    double const d = diagonal[i];
    previous[i] = d != 0 ? sum * scale / d - previous[i] * previous_scale : 0;
  }
};

struct DotOfStep {
  Span<double const> diagonal, w, u;
  double const* scalars;
  double scale = 0;
  TESSERA_HD DotOfStep loaded() const { return {diagonal, w, u, scalars, scalars[LanczosScalars::scale]}; }
  TESSERA_HD double operator()(Index i) const { return diagonal[i] * w[i] * (scale * u[i]); }
};

struct Orthogonalise {
  Span<double const> diagonal, u;
  Span<double> w;
  double const* scalars;
  double factor = 0;
  TESSERA_HD Orthogonalise loaded() const {
    return {diagonal, u, w, scalars, scalars[LanczosScalars::factor]};
  }
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

/// M = D, which needs neither square roots nor a vector D z.
template <class Space>
class ScaledByDiagonal {
 public:
  ScaledByDiagonal(Space const& space, comm::DistCsr<double, Space> const& A, Span<double const> diagonal,
                   Span<VertexId const> row_ids, Entries const& entries, int* check_step)
      : space_(space),
        A_(A),
        diagonal_(diagonal),
        row_ids_(row_ids),
        entries_(entries),
        check_step_(check_step == nullptr ? &own_check_step_ : check_step),
        checks_(A.rows.global_size() / A.rows.comm().size() >= min_rows_for_check),
        n_(diagonal.size()),
        u_(space, n_ + A.halo.ghost_count()),
        w_(space, n_ + A.halo.ghost_count()),
        global_reduction_(space, A.rows.comm(), n_) {
    auto const rows = A.local.rows;
    if (rows < min_rows_for_chunks || entries.stored.stored_rows != rows) entries_.stored = {};
    if (SpaceTraits::coalesces || !entries.in_float || rows < min_rows_for_chunks || entries_.stored.rows > 0)
      return;
    own_ = sparse::to_sell<float>(space, A.local.view(), {32, 1});
    entries_.stored = own_.view();
  }

  template <class Finish>
  void start(Finish const& finish) {
    reduce(StartVector{row_ids_, diagonal_, u_.span(), w_.span()}, finish);
  }
  template <class Finish>
  void apply(LanczosScalars const& scalars, Finish const& finish) {
    A_.halo.exchange(space_, u_.view().part(0, n_), u_.span().part(n_, u_.size() - n_));
    auto const pass = [&](auto const& rows, auto const& term) {
      global_reduction_.template reduce<double>(core::Plus{}, finish, [&](auto const& then, auto& scratch) {
        row_reduce_into(space_, rows, term, StoreStep{diagonal_, w_.span(), scalars.at},
                        DotOfStep{diagonal_, w_.view(), u_.view(), scalars.at}, core::Plus{}, 0.0, then,
                        scratch);
      });
    };
    sparse::OneVector<double> const u{u_.data()};
    if (entries_.stored.rows > 0) return pass(entries_.stored, u);
    if (entries_.in_float) return pass(A_.local.view(), sparse::TimesRoundedEntries<double>{u_.data()});
    pass(A_.local.view(), u);
  }
  template <class Finish>
  void orthogonalise(LanczosScalars const& scalars, Finish const& finish) {
    reduce(Orthogonalise{diagonal_, u_.view(), w_.span(), scalars.at}, finish);
    std::swap(u_, w_);
  }

  bool may_stop(LanczosScalars const& scalars, int step) {
    if (!SpaceTraits::asynchronous) return scalars.reached();
    int const done = step + 1;
    bool const is_time =
        *check_step_ == 0 ? done >= first_check && done + 2 <= scalars.steps : done == *check_step_;
    if (!checks_ || scalars.bound == nullptr || !is_time) return false;
    double pivot = -1;
    core::copy(space_, Span<double const>(scalars.at + LanczosScalars::pivot, 1), Host{},
               Span<double>(&pivot, 1));
    if (pivot >= 0) {
      *check_step_ = done;
      return true;
    }
    if (*check_step_ != 0) {
      *check_step_ = 0;  // the earlier run's step does not apply any more
    } else if (done + 2 == scalars.steps) {
      *check_step_ = GershgorinBound::never_check;
    }
    return false;
  }

 private:
  using SpaceTraits = core::SpaceTraits<Space>;
  /// The host waits for a space that runs ahead only if steps take longer than the wait: from this number of
  /// rows per rank, after this number of steps (4 suffice on a plane grid, 5 in space), and if two or more
  /// steps remain.
  static constexpr GlobalIndex min_rows_for_check = 1 << 18;
  static constexpr int first_check = 4;
  /// Number of rows from which chunks are faster. If one thread sums a row's terms one by one, chunks pay off
  /// within a run: making them takes as long as two or three steps save.
  static constexpr Index min_rows_for_chunks = 8192;

  template <class Body, class Finish>
  void reduce(Body const& body, Finish const& finish) {
    global_reduction_.template reduce<double>(core::Plus{}, finish, [&](auto const& then, auto& scratch) {
      core::reduce_into(space_, n_, body, core::Plus{}, 0.0, then, scratch);
    });
  }

  Space space_;
  comm::DistCsr<double, Space> const& A_;
  Span<double const> diagonal_;
  Span<VertexId const> row_ids_;
  Entries entries_;
  int own_check_step_ = 0;
  int* check_step_;
  bool checks_;
  std::size_t n_;
  Array<double, Space> u_, w_;
  comm::GlobalReduction<Space> global_reduction_;
  sparse::Sell<float, Space> own_;
};

template <class Space>
void spectral_radius(Space const& space, comm::DistCsr<double, Space> const& A, Span<double const> diagonal,
                     Span<VertexId const> row_ids, int steps, Entries const& entries, double* estimate,
                     GershgorinBound const& bound) {
  auto const pass = [&] { bound.find ? bound.find() : A.rows.comm().agree(); };
  bool const alone = A.rows.comm().size() == 1;
  if (alone) pass();  // before vectors are allocated, because the pass needs memory, too
  ScaledByDiagonal<Space> op(space, A, diagonal, row_ids, entries, bound.check_step);
  Array<double, Space> numbers(space, LanczosScalars::size(steps));
  if (!alone) pass();  // after all that can fail
  comm::NoErrorSync const agreed(A.rows.comm());
  run_lanczos(space, LanczosScalars{numbers.data(), steps, bound.bound, bound.safety}, 1e-13, op, estimate);
}

}  // namespace Tessera::krylov
