#pragma once
/// \file
/// Lanczos whose scalars stay on the space, so that nothing waits between the first pass and the last.
#include <cmath>
#include <utility>

#include "comm/communicator.hpp"
#include "comm/over_ranks.hpp"
#include "core/group.hpp"
#include "core/hash.hpp"
#include "krylov/lanczos.hpp"
#include "sparse/engine/row_reduce.hpp"
#include "sparse/tridiagonal.hpp"

namespace Tessera::krylov {

/// Where the scalars of a run lie on the space; alpha and beta of each step at the end. The vectors are kept
/// without their norms: z = scale u.
struct LanczosScalars {
  static constexpr int scale = 0, previous_scale = 1, factor = 2, norm = 3, pivot = 4, alpha = 5;
  double* at;
  int steps;
  double const* bound;  ///< as in GershgorinBound
  double safety;
  TESSERA_HD static int size(int steps) { return alpha + 2 * steps; }
  TESSERA_HD int beta() const { return alpha + steps; }
  TESSERA_HD double enough() const { return bound != nullptr ? *bound / safety : HUGE_VAL; }
  /// Whether an estimate has been `enough`. They grow from step to step.
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

/// After w = M^-1 A z - beta z_previous: (w, z). The last pivot of T - enough I is negative as long as all
/// eigenvalues of the tridiagonal T are less than enough (Sylvester).
struct KeepAlpha {
  LanczosScalars scalars;
  int step;
  TESSERA_HD void operator()(double dot) const {
    scalars.at[LanczosScalars::alpha + step] = dot;
    scalars.at[LanczosScalars::factor] = dot * scalars.at[LanczosScalars::scale];
    double const beta = step > 0 ? scalars.at[scalars.beta() + step - 1] : 0;
    double& pivot = scalars.at[LanczosScalars::pivot];
    if (pivot < 0) pivot = dot - scalars.enough() - beta * beta / pivot;
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

/// What a run comes to. Where beta is at most `invariant` times the largest alpha, the vectors span an
/// invariant subspace, and what lies beyond is rounding errors.
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
/// Computations, section 11.5.2). op enqueues passes, and hands sums over all ranks to finish:
///     start(finish)                    u, and (u, u)
///     apply(scalars, finish)           w = M^-1 A z - beta z_previous in place of u_previous, and (w, z)
///     orthogonalise(scalars, finish)   w -= alpha z, which is the next u, and (w, w)
///     enough(scalars, step)            whether the estimate is known to be enough
template <class Space, class Operator>
void run_lanczos(Space const& space, LanczosScalars const& scalars, double invariant, Operator& op,
                 double* estimate) {
  int const steps = scalars.steps;
  op.start(KeepNorm{scalars});
  for (int step = 0; step < steps; ++step) {
    op.apply(scalars, KeepAlpha{scalars, step});
    if (op.enough(scalars, step)) break;
    if (step + 1 < steps) op.orthogonalise(scalars, KeepBeta{scalars, step});
  }
  core::for_each_group(space, 1, core::GroupShape<256>{}, FindRadius{scalars, invariant, estimate});
}

struct StartVector {
  Span<VertexId const> ids;
  Span<double const> diagonal;
  Span<double> u, previous;
  /// D^1/2 u is what is random: else one row of 1e27 would be all that (u, D u) and the first steps see.
  TESSERA_HD double operator()(Index i) const {
    double const d = diagonal[i], random = core::uniform(ids[i], 0);
    u[i] = d != 0 ? random / sqrt(d) : 0;
    previous[i] = 0;
    return d * u[i] * u[i];
  }
};

/// w of a row, from the sum of its entries times u.
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

/// M = D, which needs no square roots, nor D times a vector beside it.
template <class Space>
class ScaledByDiagonal {
 public:
  ScaledByDiagonal(Space const& space, comm::DistCsr<double, Space> const& A, Span<double const> diagonal,
                   Span<VertexId const> row_ids, Entries const& entries, int* look)
      : space_(space),
        A_(A),
        diagonal_(diagonal),
        row_ids_(row_ids),
        entries_(entries),
        look_(look == nullptr ? &own_look_ : look),
        probe_(A.rows.global_size() / A.rows.comm().size() >= worth_a_look),
        n_(diagonal.size()),
        u_(space, n_ + A.halo.ghost_count()),
        w_(space, n_ + A.halo.ghost_count()),
        over_ranks_(space, A.rows.comm(), n_) {
    auto const rows = A.local.rows;
    if (rows < worth_storing || entries.stored.stored_rows != rows) entries_.stored = {};
    if (SpaceTraits::coalesces || !entries.in_float || rows < worth_storing || entries_.stored.rows > 0)
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
      over_ranks_.template reduce<double>(core::Plus{}, finish, [&](auto const& then, auto& scratch) {
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

  bool enough(LanczosScalars const& scalars, int step) {
    if (!SpaceTraits::runs_ahead) return scalars.reached();
    int const done = step + 1;
    bool const is_time = *look_ == 0 ? done >= first_look && done + 2 <= scalars.steps : done == *look_;
    if (!probe_ || scalars.bound == nullptr || !is_time) return false;
    double pivot = -1;
    core::copy(space_, Span<double const>(scalars.at + LanczosScalars::pivot, 1), Host{},
               Span<double>(&pivot, 1));
    if (pivot >= 0) {
      *look_ = done;
      return true;
    }
    if (*look_ != 0) {
      *look_ = 0;  // not as it was
    } else if (done + 2 == scalars.steps) {
      *look_ = GershgorinBound::never_look;
    }
    return false;
  }

 private:
  using SpaceTraits = core::SpaceTraits<Space>;
  /// A space that runs ahead is waited for only where steps take longer than that: on so many rows a rank,
  /// behind so many steps (4 are enough on a plane grid, 5 in space), and with two or more to come.
  static constexpr GlobalIndex worth_a_look = 1 << 18;
  static constexpr int first_look = 4;
  /// Rows from which on chunks are faster. Where one thread adds up a row's terms one after the other, it is
  /// worth making chunks for the time of a run: that takes as long as two or three steps save.
  static constexpr Index worth_storing = 8192;

  template <class Body, class Finish>
  void reduce(Body const& body, Finish const& finish) {
    over_ranks_.template reduce<double>(core::Plus{}, finish, [&](auto const& then, auto& scratch) {
      core::reduce_into(space_, n_, body, core::Plus{}, 0.0, then, scratch);
    });
  }

  Space space_;
  comm::DistCsr<double, Space> const& A_;
  Span<double const> diagonal_;
  Span<VertexId const> row_ids_;
  Entries entries_;
  int own_look_ = 0;
  int* look_;
  bool probe_;
  std::size_t n_;
  Array<double, Space> u_, w_;
  comm::OverRanks<Space> over_ranks_;
  sparse::Sell<float, Space> own_;
};

template <class Space>
void spectral_radius(Space const& space, comm::DistCsr<double, Space> const& A, Span<double const> diagonal,
                     Span<VertexId const> row_ids, int steps, Entries const& entries, double* estimate,
                     GershgorinBound const& sums) {
  auto const pass = [&] { sums.find ? sums.find() : A.rows.comm().agree(); };
  bool const alone = A.rows.comm().size() == 1;
  if (alone) pass();  // before there are vectors, since it needs memory itself
  ScaledByDiagonal<Space> op(space, A, diagonal, row_ids, entries, sums.look);
  Array<double, Space> numbers(space, LanczosScalars::size(steps));
  if (!alone) pass();  // behind all that can fail
  comm::NoErrorSync const agreed(A.rows.comm());
  run_lanczos(space, LanczosScalars{numbers.data(), steps, sums.bound, sums.safety}, 1e-13, op, estimate);
}

}  // namespace Tessera::krylov
