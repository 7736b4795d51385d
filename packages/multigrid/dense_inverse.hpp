#pragma once
/// \file
/// The coarsest level, solved by a dense (pseudo-)inverse.
#include <vector>

#include "core/archive.hpp"
#include "core/types.hpp"
#include "sparse/csr.hpp"

namespace Tessera::multigrid {

/// Rows x vectors, row-major.
struct NearNullspaceOfRows {
  int vectors = 0;
  std::vector<double> values;
};

/// A vector of norm one that is zero outside the given rows.
struct NullVector {
  std::vector<Index> rows;
  std::vector<double> values;  ///< in these rows
};

/// An orthonormal basis of the known nullspace of S = D^-1/2 A D^-1/2, n x n, column-major. scale: the
/// diagonal of D^-1/2. near: B, the near-nullspace of A. Rounding errors of S are of equal size in all rows.
///
/// Each connected component of S has its own part of D^1/2 B. A vector of a component with m rows counts as
/// null if its energy is at most rank_tolerance(n) / m. The energy decides, not the last pivot: if scales
/// vary in a component, rounding errors of all its rows add up in the pivot of a row with a small scale.
std::vector<NullVector> known_nullspace(std::vector<double> const& S, Index n,
                                        std::vector<double> const& scale, NearNullspaceOfRows const& near);

/// The result of an inversion on the space. none: failed. clear: regular. doubtful: inverted, but some pivot
/// would be near zero if its row came last.
struct InverseStatus {
  static constexpr int none = 0, clear = 1, doubtful = 2;
};

/// x = A^+ b for a small symmetric positive semidefinite matrix that lies on one rank.
///
/// A is scaled: S = D^-1/2 A D^-1/2. D is the sum that A's diagonal was computed from
/// (galerkin/decoupling.hpp), so that rounding errors of S are of equal size in all rows. D is the diagonal
/// if that is larger or the sum is unknown.
///
/// core::Dense inverts S if S is clearly regular: no pivot is small, and no pivot would be small if its row
/// came last, which the diagonal of S^-1 shows. Otherwise LAPACK's pivoted Cholesky factors S + Q Q^T, where
/// Q is an orthonormal basis of the known nullspace of S (known_nullspace()), and Q Q^T is subtracted from
/// the result. P^T S P = L L^T with L n x r. Full rank gives S^-1. Otherwise, for an unknown nullspace, S^+ =
/// L (L^T L)^-2 L^T. Either way x is the least-squares solution of least norm in the scaled variables.
///
/// The inverse is an explicit matrix, because products are fastest on GPUs and for short vectors. It is in
/// double, even if b and x are in float. Its largest entries are 1 / lambda_min; their rounding to float,
/// times lambda_max, exceeds 1 at a condition of 2^24. The rounding of vectors costs sqrt(condition) 2^-24 of
/// x in the norm of A.
template <class T, class Space>
class DenseInverse {
 public:
  DenseInverse() = default;
  /// diagonal_scale: the sums that the diagonal was computed from; empty: unknown. row_ids: the user's ids of
  /// rows; empty: row numbers. near: the near-nullspace of these rows. \throws core::NumericalError, with the
  /// id of a row, if A is not positive semidefinite or not finite; core::InvalidInput if A is not square
  DenseInverse(Space const& space, sparse::Csr<double, Space> const& A,
               Span<double const> diagonal_scale = {}, std::vector<GlobalIndex> row_ids = {},
               NearNullspaceOfRows near = {});

  /// Refreshes with new values. begin_refresh does not wait. A and diagonal_scale must not change until
  /// end_refresh, which throws as the constructor does.
  void begin_refresh(Space const& space, sparse::Csr<double, Space> const& A,
                     Span<double const> diagonal_scale = {});
  void end_refresh(Space const& space, sparse::Csr<double, Space> const& A,
                   Span<double const> diagonal_scale = {});

  /// X: T, or a row of a block (core/interleaved.hpp).
  template <class X = T>
  void apply(Space const& space, Span<X const> b, Span<X> x) const;

  /// rows: number of the matrix' rows on this rank.
  void archive(core::Archive& file, Space const& space, Index rows) {
    auto& [unknowns, full, names, near, matrix, invertible] = *this;
    file(unknowns, full, names, near.vectors, near.values);
    file.require(
        unknowns == rows && full >= 0 && full <= rows && (names.empty() || names.size() == matrix_size(1)),
        "an inverse of rank ", full, " has ", unknowns, " rows and ", names.size(),
        " names where there should be ", rows);
    file.require(near.vectors >= 0 && near.values.size() == matrix_size(near.vectors), "a near-nullspace of ",
                 near.vectors, " vectors has ", near.values.size(), " entries");
    core::require_finite(file, Span<double const>(near.values.data(), near.values.size()),
                         "entries of a near-nullspace");
    file.array(space, matrix, [&](Span<double const> all) {
      core::require_size(file, all, matrix_size(rows), "entries of an inverse");
      core::require_finite(file, all, "entries of an inverse");
    });
    file.array(space, invertible, [&](Span<int const> all) {
      core::require_size(file, all, rows > 0 ? 1 : 0, "marks of an inverse");
    });
  }

  Index size() const { return size_; }
  NearNullspaceOfRows const& near_nullspace() const { return near_; }
  Index rank() const { return rank_; }  ///< r; less than size() when A is singular
  std::size_t bytes() const { return inverse_.bytes(); }

 private:
  std::size_t matrix_size(Index columns) const {
    return static_cast<std::size_t>(size_) * static_cast<std::size_t>(columns);
  }

  Index size_ = 0, rank_ = 0;
  std::vector<GlobalIndex> row_ids_;
  NearNullspaceOfRows near_;
  Array<double, Space> inverse_;  ///< n x n, symmetric
  Array<int, Space> found_;       ///< an InverseStatus
};

/// The diagonal of D^-1/2, from diagonal_scale (see DenseInverse) or A's diagonal. \throws
/// core::NumericalError, with the id of a row whose diagonal entry is not positive, or that has an entry that
/// is not finite
std::vector<double> inverse_scale(std::vector<double> const& A, Index n,
                                  std::vector<double> const& diagonal_scale,
                                  std::vector<GlobalIndex> const& row_ids);

/// Replaces the column-major n x n matrix, D^-1/2 A D^-1/2, by the unscaled (pseudo-)inverse of A. Returns
/// the numerical rank. known: nullspace of the scaled matrix. \throws core::NumericalError, with the id of a
/// row
Index invert_semidefinite(std::vector<double>& A, Index n, std::vector<double> const& scale,
                          std::vector<NullVector> const& known, std::vector<GlobalIndex> const& row_ids);

/// Pivots of the scaled n x n matrix up to this value count as zero. The coarsest matrix of a singular finest
/// matrix has the rounding errors of all triple products: on Neumann problems in 1D to 3D of up to a million
/// rows the last pivot was at most 1.2 n eps.
double rank_tolerance(Index n);

}  // namespace Tessera::multigrid
