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
  static constexpr int scale = 0, previous = 1, factor = 2, norm = 3, pivot = 4, alpha = 5;
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

/// (u, u) and (s, u) with s = M^-1 A u.
struct LanczosDots {
  double uu = 0, su = 0;
  TESSERA_HD LanczosDots operator+(LanczosDots const& other) const { return {uu + other.uu, su + other.su}; }
};

/// After s = M^-1 A u: beta of the step before is the norm of u, and alpha is the Rayleigh quotient of u. So
/// one reduction a step suffices, and no difference of large numbers occurs. The last pivot of T - threshold
/// I is negative as long as all eigenvalues of the tridiagonal T are less than the threshold (Sylvester).
struct KeepStep {
  LanczosScalars scalars;
  int step;
  TESSERA_HD void operator()(LanczosDots const& dots) const {
    double* const at = scalars.at;
    double const norm = std::sqrt(dots.uu), scale = 1 / norm;
    double const beta = step > 0 ? norm : 0, before = step > 0 ? at[LanczosScalars::pivot] : -1;
    double const alpha = dots.su * scale * scale;
    if (step > 0) at[scalars.beta() + step - 1] = norm;
    if (step == 0) at[LanczosScalars::norm] = norm;
    at[LanczosScalars::previous] = step > 0 ? norm * at[LanczosScalars::scale] : 0;
    at[LanczosScalars::scale] = scale;
    at[LanczosScalars::alpha + step] = alpha;
    at[LanczosScalars::factor] = alpha * scale;
    at[LanczosScalars::pivot] = before < 0 ? alpha - scalars.threshold() - beta * beta / before : before;
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
///     start()                      u, and 0 as u_previous
///     apply(finish)                s = M^-1 A u, (u, u) and (s, u)
///     advance(scalars)             the next u, scale s - beta z_previous - alpha z
///     may_stop(scalars, step)      whether the host knows that the estimate has reached the threshold
template <class Space, class Operator>
void run_lanczos(Space const& space, LanczosScalars const& scalars, double invariant, Operator& op,
                 double* estimate) {
  op.start();
  for (int step = 0; step < scalars.steps; ++step) {
    op.apply(KeepStep{scalars, step});
    if (op.may_stop(scalars, step)) break;
    if (step + 1 < scalars.steps) op.advance(scalars);
  }
  core::for_each_group(space, 1, core::GroupShape<256>{}, FindRadius{scalars, invariant, estimate});
}

struct StartVector {
  Span<VertexId const> ids;
  Span<double const> diagonal;
  Span<double> u, previous;
  /// D^1/2 u is random. With a random u, one row with d_i = 1e27 would dominate (u, D u) and the first steps.
  TESSERA_HD void operator()(Index i) const {
    double const d = diagonal[i], random = core::uniform(ids[i], 0);
    u[i] = d != 0 ? random / sqrt(d) : 0;
    previous[i] = 0;
  }
};

/// Stores s_i, given the sum of row i times u.
struct StoreStep {
  Span<double const> diagonal;
  Span<double> s;
  TESSERA_HD void operator()(Index i, double sum) const {
    double const d = diagonal[i];
    s[i] = d != 0 ? sum / d : 0;
  }
};

struct DotsOfStep {
  Span<double const> diagonal, s, u;
  TESSERA_HD LanczosDots operator()(Index i) const {
    double const du = diagonal[i] * u[i];
    return {du * u[i], s[i] * du};
  }
};

struct NextVector {
  Span<double const> s, u;
  Span<double> previous;
  double const* scalars;
  TESSERA_HD void operator()(Index i) const {
    previous[i] = scalars[LanczosScalars::scale] * s[i] - scalars[LanczosScalars::previous] * previous[i] -
                  scalars[LanczosScalars::factor] * u[i];
  }
};

/// M = D, which needs neither square roots nor a vector D z.
template <class Space>
class ScaledByDiagonal {
 public:
  ScaledByDiagonal(Space const& space, comm::DistCsr<double, Space> const& A, Span<double const> diagonal,
                   Span<VertexId const> row_ids, Entries<Space> const& entries, int* check_step)
      : space_(space),
        A_(A),
        diagonal_(diagonal),
        row_ids_(row_ids),
        entries_(entries),
        check_step_(check_step == nullptr ? &own_check_step_ : check_step),
        checks_(A.rows.global_size() / A.rows.comm().size() >= min_rows_for_check),
        n_(diagonal.size()),
        u_(space, n_ + A.halo.ghost_count()),
        previous_(space, n_ + A.halo.ghost_count()),
        s_(space, n_),
        global_reduction_(space, ranks_with_rows(A.rows), n_) {
    bool const makes_chunks = !SpaceTraits::coalesces && entries.in_float && entries.stored == nullptr &&
                              A.local.rows >= min_rows_for_chunks;
    if (makes_chunks) chunks_ = sparse::to_sell<float>(space, A.local.view(), {32, 1});
  }

  void start() { core::for_each(space_, n_, StartVector{row_ids_, diagonal_, u_.span(), previous_.span()}); }
  template <class Finish>
  void apply(Finish const& finish) {
    A_.halo.exchange(space_, u_.view().part(0, n_), u_.span().part(n_, u_.size() - n_));
    StoreStep const store{diagonal_, s_.span()};
    DotsOfStep const dots{diagonal_, s_.view(), u_.view()};
    auto const reduce = [&](auto const& local) {
      global_reduction_.template reduce<LanczosDots>(core::Plus{}, finish, local);
    };
    auto const in_one_pass = [&](auto const& rows, auto const& term) {
      reduce([&](auto const& then, auto& scratch) {
        row_reduce_into(space_, rows, term, store, dots, core::Plus{}, LanczosDots{}, then, scratch);
      });
    };
    sparse::OneVector<double> const u{u_.data()};
    if (entries_.stored != nullptr) {
      // Without ghosts, all rows are in the first set.
      if (u_.size() == n_)
        return entries_.stored->visit_first([&](auto const& rows) { in_one_pass(rows, u); });
      auto const part = [&](auto const& rows) { row_reduce(space_, rows, u, store); };
      entries_.stored->visit_first(part);
      entries_.stored->visit_second(part);
      return reduce([&](auto const& then, auto& scratch) {
        core::reduce_into(space_, n_, dots, core::Plus{}, LanczosDots{}, then, scratch);
      });
    }
    if (chunks_.rows > 0) return in_one_pass(chunks_.view(), u);
    if (entries_.in_float)
      return in_one_pass(A_.local.view(), sparse::TimesRoundedEntries<double>{u_.data()});
    in_one_pass(A_.local.view(), u);
  }
  void advance(LanczosScalars const& scalars) {
    core::for_each(space_, n_, NextVector{s_.view(), u_.view(), previous_.span(), scalars.at});
    std::swap(u_, previous_);
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

  Space space_;
  comm::DistCsr<double, Space> const& A_;
  Span<double const> diagonal_;
  Span<VertexId const> row_ids_;
  Entries<Space> entries_;
  int own_check_step_ = 0;
  int* check_step_;
  bool checks_;
  std::size_t n_;
  Array<double, Space> u_, previous_, s_;
  comm::GlobalReduction<Space> global_reduction_;
  sparse::Sell<float, Space> chunks_;  ///< on a host, of the rounded entries; may be empty
};

template <class Space>
void spectral_radius(Space const& space, comm::DistCsr<double, Space> const& A, Span<double const> diagonal,
                     Span<VertexId const> row_ids, int steps, Entries<Space> const& entries, double* estimate,
                     GershgorinBound const& bound) {
  auto const pass = [&] { bound.find ? bound.find() : A.rows.comm().agree(); };
  bool const alone = A.rows.comm().size() == 1;
  if (alone) pass();  // before vectors are allocated, because the pass needs memory, too
  ScaledByDiagonal<Space> op(space, A, diagonal, row_ids, entries, bound.check_step);
  Array<double, Space> numbers(space, LanczosScalars::size(steps));
  if (!alone) pass();  // after all that can fail
  comm::NoErrorSync const agreed(A.rows.comm());
  run_lanczos(space, LanczosScalars{numbers.data(), steps, bound.bound, bound.safety}, 1e-13, op, estimate);
  if (!alone && A.rows.on_one_rank()) comm::share_from_owner(space, A.rows, estimate);
}

}  // namespace Tessera::krylov
