#pragma once
/// \file
/// The error that a stationary iteration reduces least.
#include <cmath>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/dist_csr.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "multigrid/node_data.hpp"
#include "sparse/columns.hpp"

namespace Tessera::multigrid {

struct StartError {
  VertexId const* ids;
  double* w;
  TESSERA_HD void operator()(Index i) const { w[i] = core::uniform(ids[i], 1); }
};

/// Runs x <- x - B A x on A x = 0 from a start that depends on the rows' ids alone. The powers of I - B A
/// bring out its slowest modes, and where B is symmetric the factor of a sweep in the A norm, ||x|| =
/// sqrt((x, A x)), never falls: it grows to the spectral radius.
template <class Space>
class SlowError {
 public:
  /// nullspace: as a hierarchy takes it. Such of its vectors as have no energy stay out of the error: no B
  /// reduces them, and none needs to. Collective.
  SlowError(Space const& space, comm::DistCsr<double, Space> const& A, Span<VertexId const> ids,
            NearNullspace const& nullspace, int equations)
      : space_(space),
        A_(A),
        names_(row_ids(space, ids, equations)),
        w_(space, A.local.rows),
        Aw_(space, A.local.rows),
        correction_(space, A.local.rows) {
    start();
    typical_ = energy() / dot(w_, w_);
    int const vectors = nullspace.vectors > 0 ? nullspace.vectors : equations;
    auto const coordinates = core::to_space(space, nullspace.coordinates);
    auto const all = near_nullspace_on(space, nullspace, w_.size(), equations, coordinates.view());
    for (int which = 0; which < vectors; ++which) {
      core::for_each(space, w_.size(), PickVector{all.data(), vectors, which, w_.data()});
      double const square = dot(w_, w_);
      if (!(std::abs(energy()) <= no_energy * typical_ * square) || square == 0) continue;
      combine(1 / std::sqrt(square), w_, 0, w_, w_);
      energyless_.push_back(std::exchange(w_, Array<double, Space>(space, A.local.rows)));
    }
  }

  /// apply(r, x): x = B r, which does not fail. Returns the factor of the last sweep, 0 where nothing is
  /// left; vector() is the error then, of a norm of at least 1 and below 2. A nullspace that is not known,
  /// such as the constants of loose parts, grows beside the rest, since no B reduces it. Where it hides the
  /// rest, vector() is the last correction B A x, which has nothing of it. Sweeps end before the rest is a
  /// rounding error, and the error is_lost(). Collective. \throws core::NumericalError where B gives a
  /// number that is not finite
  template <class Apply>
  double measure(int sweeps, Apply const& apply) {
    start();
    leave_out_nullspace();
    positive_ = true;
    lost_ = false;
    double rate = factor(), reduced = 1;
    for (int sweep = 0; sweep < sweeps && rate > 0 && !lost_; ++sweep) {
      comm::without_error_sync(A_.rows.comm(), [&] { apply(Aw_.view(), correction_.span()); });
      positive_ = positive_ && !(dot(Aw_, correction_) <= 0);
      reduced = std::sqrt(dot(correction_, correction_) / dot(w_, w_));
      combine(1, w_, -1, correction_, w_);
      leave_out_nullspace();
      double const before = rate;
      rate = factor();
      lost_ = rate > 0 && norm_ * norm_ <= no_energy * typical_ * dot(w_, w_);
      if (lost_ && sweep > 0) rate = before;
      positive_ = positive_ && !(rate > 1);
    }
    if (reduced < hidden * (1 - rate)) take_correction();
    return rate;
  }
  /// Whether the last measure() has met nothing that a positive definite B, I - B A of which is a product
  /// E^T ... E, does not give: (r, B r) that is not positive, or an error that grows.
  bool found_positive() const { return positive_; }
  bool is_lost() const { return lost_; }
  Span<double const> vector() const { return w_.view(); }

 private:
  static constexpr double no_energy = 1e-13;
  /// A sweep takes 1 - rate of a slow error away. Where it takes less than this part of that, most of x is
  /// what no sweep reduces. Nine matrices without loose parts have 0.4 and more.
  static constexpr double hidden = 0.1;
  using Vector = Array<double, Space>;

  void start() { core::for_each(space_, w_.size(), StartError{names_.data(), w_.data()}); }
  /// y = a u + b v
  void combine(double a, Vector const& u, double b, Vector const& v, Vector& y) {
    double const *const first = u.data(), *const second = v.data();
    double* const to = y.data();
    sparse::combine(space_, y.size(), {&a, 1}, {&first, 1}, {&b, 1}, {&second, 1}, {&to, 1});
  }
  double dot(Vector const& u, Vector const& v) const {
    double const *const first = u.data(), *const second = v.data();
    return A_.rows.comm().sum(sparse::dots(space_, u.size(), {&first, 1}, {&second, 1}).front());
  }
  void leave_out_nullspace() {
    for (auto const& v : energyless_) combine(1, w_, -dot(v, w_), v, w_);
  }
  void take_correction() {
    std::swap(w_, correction_);
    leave_out_nullspace();
    factor();
  }
  double energy() {
    comm::multiply(space_, A_, w_.view(), Aw_.span());
    return dot(w_, Aw_);
  }
  /// The norm over that of the last time; 0 where nothing is left. w is scaled by a power of two, which
  /// changes no digit of what comes of it.
  double factor() {
    double const square = energy();
    if (!std::isfinite(square))
      throw core::NumericalError(
          "the bootstrap's iteration has met a number that is not finite, since the hierarchies that it "
          "composes do not converge on their own; use a symmetric positive definite matrix, or `bootstrap: "
          "components` = 1");
    if (!(square > 0)) return 0;
    double const norm = std::sqrt(square), down = std::ldexp(1.0, -std::ilogb(norm));
    combine(down, w_, 0, w_, w_);
    combine(down, Aw_, 0, Aw_, Aw_);
    return norm / std::exchange(norm_, down * norm);
  }

  Space space_;
  comm::DistCsr<double, Space> const& A_;
  Array<VertexId, Space> names_;
  Vector w_, Aw_, correction_;
  double norm_ = 1;     ///< of w
  double typical_ = 0;  ///< about the eigenvalues' mean
  bool positive_ = true, lost_ = false;
  std::vector<Vector> energyless_;  ///< of length 1
};

}  // namespace Tessera::multigrid
