#pragma once
/// \file
/// The smoother of a level.
#include <vector>

#include "comm/dist_matrix.hpp"
#include "multigrid/polynomial.hpp"

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
/// operator, so that equal pre- and postsmoothing make a symmetric cycle.
template <class T, class Space>
class Smoother {
 public:
  Smoother() = default;
  /// diagonal: of A, owned rows. rho: bound of rho(D^-1 A).
  Smoother(Space const& space, comm::DistCsr<double, Space> const& A, Span<double const> diagonal, double rho,
           SmootherParameters const& parameters);

  /// The same for new values of A; allocates nothing.
  void refresh(Space const& space, comm::DistCsr<double, Space> const& A, Span<double const> diagonal,
               double rho);

  /// On work.b and work.x (which is not read when from_zero); work.r and work.z are overwritten. From zero,
  /// the first step costs no product with A. Collective among neighbours.
  void smooth(Space const& space, comm::DistMatrix<T, Space> const& A, Workspace<T, Space>& work,
              bool from_zero) const;

  /// Whether a step before the last has a z to write while it reads the one before.
  bool needs_second_z() const { return steps_.size() > 2; }
  std::size_t bytes() const { return inverse_diagonal_.bytes(); }

  /// Bytes that smooth must move on this rank: whatever a pass reads or writes, once. matrix: of a product
  /// with A.
  double bytes_moved(double matrix, bool from_zero) const;

 private:
  void once(Space const& space, comm::DistMatrix<T, Space> const& A, Workspace<T, Space>& work,
            bool from_zero) const;

  SmootherParameters parameters_;
  int repetitions_ = 1;
  std::vector<PolynomialStep> steps_;
  Array<T, Space> inverse_diagonal_;
};

}  // namespace Tessera::multigrid
