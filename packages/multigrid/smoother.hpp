#pragma once
/// \file
/// The smoother of a level, with the sparse approximate inverse (FSAI) that may stand in place of D^-1.
#include <cmath>
#include <memory>
#include <vector>

#include "comm/archive.hpp"
#include "comm/dist_matrix.hpp"
#include "fsai/fsai.hpp"
#include "multigrid/foreign_smoother.hpp"
#include "multigrid/polynomial.hpp"

namespace Tessera::multigrid {

/// Parameters of a level's sparse inverse besides fsai::Parameters.
struct SparseInverseParameters {
  comm::StorageParameters storage;
  int eigenvalue_steps = 7;        ///< Lanczos steps
  double eigenvalue_safety = 1.1;  ///< factor on the estimate
};

/// M^-1 = G^T G, and rho, an estimate of the largest eigenvalue of M^-1 A, which is that of G A G^T.
template <class T, class Space>
class SparseInverse {
 public:
  /// Collective. \throws as fsai::Fsai does
  SparseInverse(Space const& space, comm::DistCsr<double, Space> const& A, fsai::Parameters const& parameters,
                SparseInverseParameters const& how);

  /// Loads a saved inverse.
  SparseInverse(Space const& space, comm::DistCsr<double, Space> const& A, fsai::Parameters const& parameters,
                SparseInverseParameters const& how, core::Archive& saved)
      : inverse_(space, A, parameters, how.storage, saved),
        steps_(how.eigenvalue_steps),
        safety_(how.eigenvalue_safety) {
    saved(rho_);
    comm::require_same_on_ranks(saved, A.rows.comm(), rho_);
    saved.require(std::isfinite(rho_) && rho_ >= 0, "an eigenvalue is ", rho_);
  }
  void save(core::Archive& file) {
    auto& [inverse, steps, safety, rho] = *this;  // steps and safety are parameters
    inverse.save(file);
    file(rho);
  }

  void refresh(Space const& space, comm::DistCsr<double, Space> const& A);

  /// x = M^-1 b. x is not b. X: T, or a row of a block. Collective among neighbours.
  template <class X>
  void apply(Span<X const> b, Span<X> x) {
    inverse_.apply_to(b, x);
  }
  void reserve_columns(int columns) { inverse_.reserve_columns(columns); }
  /// Whether apply() only enqueues work. element: sizeof(X).
  bool recordable(std::size_t element) const { return inverse_.recordable(element); }
  double rho() const { return rho_; }
  // See fsai::Fsai.
  GlobalIndex cut_rows() const { return inverse_.cut_rows(); }
  Index row_bound() const { return inverse_.row_bound(); }
  std::size_t bytes() const { return inverse_.bytes(); }
  /// Bytes that apply() must move on this rank.
  double bytes_moved() const { return inverse_.bytes_moved(); }

 private:
  double largest_eigenvalue(Space const& space, comm::DistCsr<double, Space> const& A);

  fsai::Fsai<T, Space> inverse_;
  int steps_;
  double safety_, rho_;
};

/// Vectors, or blocks of vectors (X = core::Interleaved<T, k>), of smoothers and cycles.
template <class X>
struct Vectors {
  Span<X> b, x, r, z[2];
  std::size_t bytes() const { return x.size() * sizeof(X); }  ///< of each vector
};

/// The memory of Vectors; n elements each.
template <class T, class Space>
struct SmoothingVectors {
  Array<T, Space> b, x, r, z[2];
  SmoothingVectors() = default;
  /// second_z: Smoother::needs_second_z().
  SmoothingVectors(Space const& space, std::size_t n, bool second_z = true)
      : b(space, n), x(space, n), r(space, n), z{{space, n}, {space, second_z ? n : 0}} {}
  std::size_t bytes() const { return 4 * x.bytes() + z[1].bytes(); }

  Vectors<T> vectors() { return rows<T>(x.size()); }
  /// The first n rows of blocks.
  template <class X>
  Vectors<X> rows(std::size_t n) {
    auto const of = [n](Array<T, Space>& v) {
      return core::rows_of_block<X>(v.span(), v.size() == 0 ? 0 : n);
    };
    return {of(b), of(x), of(r), {of(z[0]), of(z[1])}};
  }
};

/// x <- x + q(D^-1 A) D^-1 (b - A x) with the polynomial q of polynomial.hpp, `sweeps` times. The operator is
/// symmetric, so equal pre- and postsmoothing make a symmetric cycle. For SmootherType::fsai a factored
/// sparse approximate inverse replaces D^-1. For SmootherType::foreign x <- x + M^-1 (b - A x), which is
/// symmetric if M is.
template <class T, class Space>
class Smoother {
 public:
  Smoother() = default;
  /// diagonal: of A, owned rows. rho: bound of rho(D^-1 A). how: for SmootherType::fsai. Collective for
  /// SmootherType::fsai and SmootherType::foreign.
  Smoother(Space const& space, comm::DistCsr<double, Space> const& A, Span<double const> diagonal, double rho,
           SmootherParameters const& parameters, SparseInverseParameters const& how = {});

  /// parameters, how: as in the constructor. A: the level's matrix. Not for SmootherType::foreign. A load is
  /// collective.
  void archive(core::Archive& file, Space const& space, comm::DistCsr<double, Space> const& A,
               SmootherParameters const& parameters, SparseInverseParameters const& how);

  /// Refreshes with new values of A; set_radius() must follow. Waits only for an FSAI and third-party
  /// smoothers.
  void refresh(Space const& space, comm::DistCsr<double, Space> const& A, Span<double const> diagonal);
  void set_radius(double rho) { steps_ = polynomial(parameters_, inverse_ ? inverse_->rho() : rho); }

  /// Smooths work.x for work.b; overwrites work.r and work.z. from_zero: work.x is not read, and the first
  /// step needs no product with A. X: T, or a row of a block. Collective among neighbours.
  template <class X>
  void smooth(Space const& space, comm::DistMatrix<T, Space> const& A, Vectors<X> const& work,
              bool from_zero) const;
  /// Allocates memory to smooth blocks of this number of columns.
  void reserve_columns(int columns) {
    if (inverse_) inverse_->reserve_columns(columns);
  }

  /// Whether work.z[1] is needed: a step writes z while it reads the previous z, or a sparse inverse stores
  /// its result.
  bool needs_second_z() const { return steps_.size() > 2 || inverse_; }
  std::size_t bytes() const { return inverse_diagonal_.bytes() + (inverse_ ? inverse_->bytes() : 0); }

  /// The sparse inverse that replaces D^-1; null: none.
  SparseInverse<T, Space> const* inverse() const { return inverse_.get(); }

  /// Whether smooth() only enqueues work, provided that products with A do. element: sizeof(X).
  bool enqueues_only(std::size_t element = sizeof(T)) const {
    return !foreign_ && (!inverse_ || inverse_->recordable(element));
  }

  /// Bytes that smooth() must move on this rank: all that a pass reads or writes, once.
  double bytes_moved(comm::DistMatrix<T, Space> const& A, Vectors<T> const& work, bool from_zero) const;

 private:
  /// Numbers of products, vectors and inverses that a pass reads or writes.
  struct Moved {
    int products, vectors, inverses = 0;
  };
  /// Calls execute(moved, run) for each pass in order; run(space) runs it.
  template <class X, class Execute>
  void passes(comm::DistMatrix<T, Space> const& A, Vectors<X> const& work, bool from_zero,
              Execute const& execute) const;
  // The passes of one application of the polynomial in D^-1 A, of the polynomial in G^T G A, and of M^-1.

  template <class X, class Execute>
  void with_diagonal(comm::DistMatrix<T, Space> const& A, Vectors<X> const& work, bool from_zero,
                     Execute const& execute) const;
  template <class X, class Execute>
  void with_inverse(comm::DistMatrix<T, Space> const& A, Vectors<X> const& work, bool from_zero,
                    Execute const& execute) const;
  template <class X, class Execute>
  void with_foreign(comm::DistMatrix<T, Space> const& A, Vectors<X> const& work, bool from_zero,
                    Execute const& execute) const;

  SmootherParameters parameters_;
  int repetitions_ = 1;
  std::vector<PolynomialStep> steps_;
  Array<T, Space> inverse_diagonal_;                  ///< empty if there is
  std::unique_ptr<SparseInverse<T, Space>> inverse_;  ///< G^T G
  std::unique_ptr<ForeignSmootherOf<T>> foreign_;     ///< M^-1
};

}  // namespace Tessera::multigrid
