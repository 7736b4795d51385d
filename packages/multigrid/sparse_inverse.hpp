#pragma once
/// \file
/// The factored sparse approximate inverse of a level, in place of D^-1 in its smoother.
#include <cmath>

#include "comm/archive.hpp"
#include "fsai/fsai.hpp"

namespace Tessera::multigrid {

/// What a level's sparse inverse is told besides fsai::Parameters.
struct SparseInverseParameters {
  comm::StorageParameters storage;
  int eigenvalue_steps = 7;        ///< of Lanczos
  double eigenvalue_safety = 1.1;  ///< factor on its estimate
};

/// M^-1 = G^T G with rho, an estimate of the largest eigenvalue of M^-1 A, which is that of G A G^T.
template <class T, class Space>
class SparseInverse {
 public:
  /// Collective. \throws as fsai::Fsai does
  SparseInverse(Space const& space, comm::DistCsr<double, Space> const& A, fsai::Parameters const& parameters,
                SparseInverseParameters const& how);

  /// What was saved.
  SparseInverse(Space const& space, comm::DistCsr<double, Space> const& A, fsai::Parameters const& parameters,
                SparseInverseParameters const& how, core::Archive& saved)
      : inverse_(space, A, parameters, how.storage, saved),
        steps_(how.eigenvalue_steps),
        safety_(how.eigenvalue_safety) {
    saved(rho_);
    comm::require_alike(saved, A.rows.comm(), rho_);
    saved.require(std::isfinite(rho_) && rho_ >= 0, "an eigenvalue is ", rho_);
  }
  void save(core::Archive& file) {
    auto& [inverse, steps, safety, rho] = *this;  // steps and safety: the list's
    inverse.save(file);
    file(rho);
  }

  void refresh(Space const& space, comm::DistCsr<double, Space> const& A);

  /// x = M^-1 b, which differ; X: T, or a row of a block. Collective among neighbours.
  template <class X>
  void apply(Span<X const> b, Span<X> x) {
    inverse_.apply_to(b, x);
  }
  void reserve_columns(int columns) { inverse_.reserve_columns(columns); }
  /// Whether apply does nothing but enqueue; element: sizeof(X).
  bool recordable(std::size_t element) const { return inverse_.recordable(element); }
  double rho() const { return rho_; }
  /// As of fsai::Fsai.
  GlobalIndex cut_rows() const { return inverse_.cut_rows(); }
  Index row_bound() const { return inverse_.row_bound(); }
  std::size_t bytes() const { return inverse_.bytes(); }
  /// That apply must move on this rank.
  double bytes_moved() const { return inverse_.bytes_moved(); }

 private:
  double largest_eigenvalue(Space const& space, comm::DistCsr<double, Space> const& A);

  fsai::Fsai<T, Space> inverse_;
  int steps_;
  double safety_, rho_;
};

}  // namespace Tessera::multigrid
