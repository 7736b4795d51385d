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

/// A vector of norm one that is zero outside of some rows.
struct NullVector {
  std::vector<Index> rows;
  std::vector<double> values;  ///< of these
};

/// An orthonormal basis. S = D^-1/2 A D^-1/2, n x n, whose rounding errors are of one size in all rows;
/// scale: of D^-1/2. Each component of S has its own part of D^1/2 B, where B is the near-nullspace of A.
/// What of it has no more energy than a pivot that counts as zero has in a component of rows alike,
/// rank_tolerance(n) over their number, is null. The energy tells what a single pivot need not: in a
/// component whose scales vary, rounding errors of the whole come together in a pivot of a row of a small
/// one.
std::vector<NullVector> known_nullspace(std::vector<double> const& S, Index n,
                                        std::vector<double> const& scale, NearNullspaceOfRows const& near);

/// What a space has made of a matrix by itself. doubtful: it is inverted, but some pivot would be near zero
/// if its row came last.
struct InverseFound {
  static constexpr int none = 0, clear = 1, doubtful = 2;
};

/// x = A^+ b for a small symmetric positive semidefinite matrix that lies on one rank.
///
/// A is scaled, S = D^-1/2 A D^-1/2. D is what A's diagonal was summed from (galerkin/decoupling.hpp), so
/// that rounding errors of S are of one size in all rows, or the diagonal where that is larger or nothing
/// else is known. Where S is clearly regular, core::Dense inverts it: no pivot is small, nor would one be if
/// its row came last, which the diagonal of S^-1 says. Else, with an orthonormal basis Q of what is known of
/// S's nullspace (known_nullspace()), S is replaced by S + Q Q^T and the result by that less Q Q^T.
/// LAPACK's pivoted Cholesky factors it, P^T S P = L L^T with L n x r. A full rank gives S^-1; otherwise (a
/// nullspace that nobody knew) S^+ = L (L^T L)^-2 L^T. Either way that is the least-squares solution of least
/// norm, in the scaled variables. Held as an explicit matrix, since a product is what GPUs and short vectors
/// do best: in double, also for vectors b and x in float. The largest entries of an inverse are 1 /
/// lambda_min, and their rounding to float, times lambda_max, passes 1 at a condition of 2^24; that of the
/// vectors costs sqrt(condition) 2^-24 of x in the norm of A.
template <class T, class Space>
class DenseInverse {
 public:
  DenseInverse() = default;
  /// summed: what the diagonal was summed from; empty: nobody knows. row_names: what the user calls the rows;
  /// empty: by their numbers. near: the near-nullspace of these rows.
  /// \throws core::NumericalError naming a row when A is not positive semidefinite or not finite;
  /// core::InvalidInput when A is not square
  DenseInverse(Space const& space, sparse::Csr<double, Space> const& A, Span<double const> summed = {},
               std::vector<GlobalIndex> row_names = {}, NearNullspaceOfRows near = {});

  /// The same with new values: begin_refresh waits for nothing; A and summed must not change until
  /// end_refresh, which throws as the constructor does.
  void begin_refresh(Space const& space, sparse::Csr<double, Space> const& A, Span<double const> summed = {});
  void end_refresh(Space const& space, sparse::Csr<double, Space> const& A, Span<double const> summed = {});

  /// X: T, or a row of a block (core/interleaved.hpp).
  template <class X = T>
  void apply(Space const& space, Span<X const> b, Span<X> x) const;

  /// Of a matrix with so many rows on this rank.
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
  std::vector<GlobalIndex> row_names_;
  NearNullspaceOfRows near_;
  Array<double, Space> inverse_;  ///< n x n, symmetric
  Array<int, Space> found_;       ///< an InverseFound
};

/// What D is made of: summed, as DenseInverse's, or A's diagonal. \throws core::NumericalError, naming a row
/// whose diagonal entry is not positive, or a row with an entry that is not finite
std::vector<double> inverse_scale(std::vector<double> const& A, Index n, std::vector<double> const& summed,
                                  std::vector<GlobalIndex> const& row_names);

/// Replaces the column-major n x n matrix, D^-1/2 A D^-1/2, by the unscaled (pseudo-)inverse of A. Returns
/// the numerical rank. known: nullspace of the scaled matrix. \throws core::NumericalError, naming a row
Index invert_semidefinite(std::vector<double>& A, Index n, std::vector<double> const& scale,
                          std::vector<NullVector> const& known, std::vector<GlobalIndex> const& row_names);

/// Pivots of the scaled n x n matrix up to here count as zero. A singular finest matrix reaches the coarsest
/// level with the rounding errors of every triple product above: on Neumann problems in 1D to 3D of up to a
/// million rows the last pivot was at most 1.2 n eps.
double rank_tolerance(Index n);

}  // namespace Tessera::multigrid
