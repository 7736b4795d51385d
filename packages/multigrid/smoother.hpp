#pragma once
/// \file
/// The smoother of a level.
#include <memory>
#include <vector>

#include "comm/dist_matrix.hpp"
#include "multigrid/polynomial.hpp"
#include "multigrid/sparse_inverse.hpp"

namespace Tessera::multigrid {

/// Vectors that smoothing and cycling work in; n elements each.
template <class T, class Space>
struct Workspace {
  Array<T, Space> b, x, r, z[2];
  Workspace() = default;
  /// second_z: Smoother::needs_second_z().
  Workspace(Space const& space, std::size_t n, bool second_z = true)
      : b(space, n), x(space, n), r(space, n), z{{space, n}, {space, second_z ? n : 0}} {}
  std::size_t bytes() const { return 4 * x.bytes() + z[1].bytes(); }
};

/// x <- x + q(D^-1 A) D^-1 (b - A x) with the polynomial of polynomial.hpp, `sweeps` times; a symmetric
/// operator, so that equal pre- and postsmoothing make a symmetric cycle. For SmootherType::fsai a factored
/// sparse approximate inverse stands in place of D^-1.
template <class T, class Space>
class Smoother {
 public:
  Smoother() = default;
  /// diagonal: of A, owned rows. rho: bound of rho(D^-1 A). how: for SmootherType::fsai, which is collective.
  Smoother(Space const& space, comm::DistCsr<double, Space> const& A, Span<double const> diagonal, double rho,
           SmootherParameters const& parameters, SparseInverseParameters const& how = {});

  /// The same for new values of A, whose rho follows. Waits for nothing but an FSAI.
  void refresh(Space const& space, comm::DistCsr<double, Space> const& A, Span<double const> diagonal);
  void set_radius(double rho);

  /// On work.b and work.x (which is not read when from_zero); work.r and work.z are overwritten. From zero,
  /// the first step costs no product with A. Collective among neighbours.
  void smooth(Space const& space, comm::DistMatrix<T, Space> const& A, Workspace<T, Space>& work,
              bool from_zero) const;

  /// Whether a step has a z to write while it reads the one before, or a sparse inverse its result.
  bool needs_second_z() const { return steps_.size() > 2 || inverse_; }
  std::size_t bytes() const { return inverse_diagonal_.bytes() + (inverse_ ? inverse_->bytes() : 0); }

  /// Whether that does nothing but enqueue, if a product with A does so.
  bool enqueues_only() const { return !inverse_ || inverse_->enqueues_only(); }

  /// Bytes that smooth must move on this rank: whatever a pass reads or writes, once. matrix: of a product
  /// with A.
  double bytes_moved(double matrix, bool from_zero) const;

 private:
  void once(Space const& space, comm::DistMatrix<T, Space> const& A, Workspace<T, Space>& work,
            bool from_zero) const;
  /// steps_[k], k > 0.
  void step(Space const& space, comm::DistMatrix<T, Space> const& A, Workspace<T, Space>& work, std::size_t k,
            bool from_zero) const;

  double bytes_moved_with_inverse(double matrix, bool from_zero) const;
  void once_with_inverse(Space const& space, comm::DistMatrix<T, Space> const& A, Workspace<T, Space>& work,
                         bool from_zero) const;

  SmootherParameters parameters_;
  int repetitions_ = 1;
  double vector_bytes_ = 0;  ///< of one vector on this rank
  std::vector<PolynomialStep> steps_;
  Array<T, Space> inverse_diagonal_;                  ///< empty where there is
  std::unique_ptr<SparseInverse<T, Space>> inverse_;  ///< G^T G
};

}  // namespace Tessera::multigrid
