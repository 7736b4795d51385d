#pragma once
/// \file
/// The coarsest level, solved by a dense (pseudo-)inverse.
#include <vector>

#include "core/archive.hpp"
#include "sparse/csr.hpp"

namespace Tessera::multigrid {

/// x = A^+ b for a small symmetric positive semidefinite matrix that lies on one rank.
///
/// A is scaled, S = D^-1/2 A D^-1/2. D is what A's diagonal was summed from (galerkin/coarse_scale.hpp), so
/// that rounding errors of S are of one size in all rows, or the diagonal where that is larger or nothing
/// else is known. Where S is clearly regular, core::Dense inverts it. Else LAPACK's pivoted Cholesky factors
/// it, P^T S P = L L^T with L n x r. A full rank gives S^-1; otherwise (pure Neumann problems) S^+ = L (L^T
/// L)^-2 L^T, the least-squares solution of least norm, in the scaled variables. Held as an explicit matrix,
/// since a product is what GPUs and short vectors do best: in double, also for vectors b and x in float. The
/// largest entries of an inverse are 1 / lambda_min, and their rounding to float, times lambda_max, passes 1
/// at a condition of 2^24; that of the vectors costs sqrt(condition) 2^-24 of x in the norm of A.
template <class T, class Space>
class DenseInverse {
 public:
  DenseInverse() = default;
  /// summed: what the diagonal was summed from; empty: nobody knows. row_names: what the user calls the rows;
  /// empty: by their numbers.
  /// \throws core::NumericalError naming a row when A is not positive semidefinite or not finite;
  /// core::InvalidInput when A is not square
  DenseInverse(Space const& space, sparse::Csr<double, Space> const& A, Span<double const> summed = {},
               std::vector<GlobalIndex> row_names = {});

  /// The same with new values: begin_refresh waits for nothing; A and summed must not change until
  /// end_refresh, which throws as the constructor does.
  void begin_refresh(Space const& space, sparse::Csr<double, Space> const& A, Span<double const> summed = {});
  void end_refresh(Space const& space, sparse::Csr<double, Space> const& A, Span<double const> summed = {});

  /// X: T, or a row of a block (core/interleaved.hpp).
  template <class X = T>
  void apply(Space const& space, Span<X const> b, Span<X> x) const;

  void archive(core::Archive& file, Space const& space) {
    auto& [unknowns, full, names, matrix, invertible] = *this;
    file(unknowns, full, names);
    file.array(space, matrix);
    file.array(space, invertible);
  }

  Index size() const { return size_; }
  Index rank() const { return rank_; }  ///< r; less than size() when A is singular
  std::size_t bytes() const { return inverse_.bytes(); }

 private:
  Index size_ = 0, rank_ = 0;
  std::vector<GlobalIndex> row_names_;
  Array<double, Space> inverse_;  ///< n x n, symmetric
  Array<int, Space> regular_;     ///< whether the space could invert the matrix by itself
};

/// The (pseudo-)inverse of the column-major n x n matrix `A` in its place, and its numerical rank. summed: as
/// DenseInverse's. \throws core::NumericalError, naming a row
Index invert_semidefinite(std::vector<double>& A, Index n, std::vector<double> const& summed,
                          std::vector<GlobalIndex> const& row_names);

/// Pivots of the scaled n x n matrix up to here count as zero. A singular finest matrix reaches the coarsest
/// level with the rounding errors of every triple product above: on Neumann problems in 1D to 3D of up to a
/// million rows the last pivot was at most 1.2 n eps.
double rank_tolerance(Index n);

}  // namespace Tessera::multigrid
