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

/// Runs x <- x - B A x on A x = 0, from a start that depends only on the rows' ids. Powers of I - B A amplify
/// its slowest modes. If B is symmetric, the factor of a sweep in the A norm, ||x|| = sqrt((x, A x)), grows
/// monotonically to the spectral radius.
template <class Space>
class SlowError {
 public:
  /// nullspace: the near-nullspace of a hierarchy. Its vectors with zero energy are projected out of the
  /// error, because no B reduces them and none needs to. Collective.
  SlowError(Space const& space, comm::DistCsr<double, Space> const& A, Span<VertexId const> ids,
            NearNullspace const& nullspace, int equations)
      : space_(space),
        A_(A),
        row_ids_(row_ids(space, ids, equations)),
        w_(space, A.local.rows),
        Aw_(space, A.local.rows),
        correction_(space, A.local.rows) {
    start();
    mean_eigenvalue_ = energy() / dot(w_, w_);
    int const vectors = nullspace.vectors > 0 ? nullspace.vectors : equations;
    auto const coordinates = coordinates_on(space, nullspace, w_.size() / equations);
    auto const all = near_nullspace_on(space, nullspace, w_.size(), equations, coordinates.view());
    for (int which = 0; which < vectors; ++which) {
      core::for_each(space, w_.size(), CopyVector{all.data(), vectors, which, w_.data()});
      double const square = dot(w_, w_);
      if (!(std::abs(energy()) <= null_energy * mean_eigenvalue_ * square) || square == 0) continue;
      combine(1 / std::sqrt(square), w_, 0, w_, w_);
      null_vectors_.push_back(std::exchange(w_, Array<double, Space>(space, A.local.rows)));
    }
  }

  /// apply(r, x): x = B r; must not fail. Returns the factor of the last sweep, 0 if the error is 0. After
  /// the call vector() is the error, with a norm in [1, 2). An unknown nullspace, such as the constants of
  /// disconnected components, grows relative to the rest, because no B reduces it. If it dominates, vector()
  /// is the last correction B A x, which contains no nullspace. Sweeps end before the rest is only rounding
  /// errors; then reached_rounding(). Collective. \throws core::NumericalError if B gives a number that is
  /// not finite
  template <class Apply>
  double measure(int sweeps, Apply const& apply) {
    start();
    project_out_nullspace();
    positive_ = true;
    reached_rounding_ = false;
    double rate = factor(), reduced = 1;
    for (int sweep = 0; sweep < sweeps && rate > 0 && !reached_rounding_; ++sweep) {
      comm::without_error_sync(A_.rows.comm(), [&] { apply(Aw_.view(), correction_.span()); });
      positive_ = positive_ && !(dot(Aw_, correction_) <= 0);
      reduced = std::sqrt(dot(correction_, correction_) / dot(w_, w_));
      combine(1, w_, -1, correction_, w_);
      project_out_nullspace();
      double const before = rate;
      rate = factor();
      reached_rounding_ = rate > 0 && norm_ * norm_ <= null_energy * mean_eigenvalue_ * dot(w_, w_);
      if (reached_rounding_ && sweep > 0) rate = before;
      positive_ = positive_ && !(rate > 1);
    }
    if (reduced < least_reduced_part * (1 - rate)) use_correction();
    return rate;
  }
  /// Whether the last measure() is consistent with a positive definite B whose I - B A is a product E^T ...
  /// E: (r, B r) > 0, and the error does not grow.
  bool found_positive() const { return positive_; }
  bool reached_rounding() const { return reached_rounding_; }
  Span<double const> vector() const { return w_.view(); }

 private:
  static constexpr double null_energy = 1e-13;
  /// A sweep removes the part 1 - rate of a slow error. If it removes less than this fraction of 1 - rate, no
  /// sweep reduces most of x. On nine connected matrices the fraction is 0.4 and more.
  static constexpr double least_reduced_part = 0.1;
  using Vector = Array<double, Space>;

  void start() { core::for_each(space_, w_.size(), StartError{row_ids_.data(), w_.data()}); }
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
  void project_out_nullspace() {
    for (auto const& v : null_vectors_) combine(1, w_, -dot(v, w_), v, w_);
  }
  void use_correction() {
    std::swap(w_, correction_);
    project_out_nullspace();
    factor();
  }
  double energy() {
    comm::multiply(space_, A_, w_.view(), Aw_.span());
    return dot(w_, Aw_);
  }
  /// The A norm relative to the previous one; 0 if the error is 0. Scales w by a power of two, which changes
  /// no digit of later results.
  double factor() {
    double const square = energy();
    if (!std::isfinite(square))
      throw core::NumericalError(
          "the bootstrap's iteration has met a number that is not finite, because the hierarchies that it "
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
  Array<VertexId, Space> row_ids_;
  Vector w_, Aw_, correction_;
  double norm_ = 1;             ///< of w
  double mean_eigenvalue_ = 0;  ///< approximate mean of the eigenvalues of A
  bool positive_ = true, reached_rounding_ = false;
  std::vector<Vector> null_vectors_;  ///< of length 1
};

}  // namespace Tessera::multigrid
