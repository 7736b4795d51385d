#include <algorithm>
#include <cmath>
#include <limits>

#include "multigrid/dense_inverse_body.hpp"

extern "C" {
void dpstrf_(char const* uplo, int const* n, double* a, int const* lda, int* piv, int* rank,
             double const* tol, double* work, int* info);
void dpotrf_(char const* uplo, int const* n, double* a, int const* lda, int* info);
void dpotri_(char const* uplo, int const* n, double* a, int const* lda, int* info);
void dsyrk_(char const* uplo, char const* trans, int const* n, int const* k, double const* alpha,
            double const* a, int const* lda, double const* beta, double* c, int const* ldc);
void dsymm_(char const* side, char const* uplo, int const* m, int const* n, double const* alpha,
            double const* a, int const* lda, double const* b, int const* ldb, double const* beta, double* c,
            int const* ldc);
}

namespace Tessera::multigrid {
namespace {

using Dense = std::vector<double>;  // column-major

std::size_t at(Index i, Index j, Index rows) {
  return i + static_cast<std::size_t>(j) * rows;
}

void mirror_lower(Dense& A, Index n) {
  for (Index j = 0; j < n; ++j) {
    for (Index i = j + 1; i < n; ++i) A[at(j, i, n)] = A[at(i, j, n)];
  }
}

/// What the user calls row i.
GlobalIndex name_of(std::vector<GlobalIndex> const& row_names, Index i) {
  return row_names.empty() ? i : row_names[i];
}

/// S^+ = L (L^T L)^-2 L^T from the trapezoidal factor L (n x r) in the lower part of S.
Dense pseudo_inverse(Dense const& S, Index n, Index r) {
  double const one = 1, zero = 0;
  Dense L(static_cast<std::size_t>(n) * r, 0.0);
  for (Index j = 0; j < r; ++j) {
    for (Index i = j; i < n; ++i) L[at(i, j, n)] = S[at(i, j, n)];
  }
  Dense M(static_cast<std::size_t>(r) * r);
  int info = 0;
  dsyrk_("L", "T", &r, &n, &one, L.data(), &n, &zero, M.data(), &r);
  dpotrf_("L", &r, M.data(), &r, &info);
  if (info == 0) dpotri_("L", &r, M.data(), &r, &info);
  if (info != 0)
    throw core::NumericalError(
        "the factor of the coarsest matrix lost its rank; use a smaller coarsest level");
  mirror_lower(M, r);
  Dense LM(static_cast<std::size_t>(n) * r);  // L (L^T L)^-1; its rows' products are S^+
  dsymm_("R", "L", &n, &r, &one, M.data(), &r, L.data(), &n, &zero, LM.data(), &n);
  Dense inverse(static_cast<std::size_t>(n) * n);
  dsyrk_("L", "N", &n, &r, &one, LM.data(), &n, &zero, inverse.data(), &n);
  return inverse;
}

void require_finite(Dense const& A, Index n, std::vector<GlobalIndex> const& row_names) {
  for (std::size_t k = 0; k < A.size(); ++k) {
    if (!std::isfinite(A[k]))
      throw core::NumericalError(core::message("row ", name_of(row_names, static_cast<Index>(k % n)),
                                               " of the coarsest matrix holds ", A[k],
                                               "; check the values of the matrix"));
  }
}

/// S + Q Q^T, where S has no rounding errors in Q any more.
void deflate(Dense& S, Index n, std::vector<NullVector> const& known) {
  for (auto const& [rows, q] : known) {
    std::size_t const m = rows.size();
    std::vector<double> w(m, 0.0);
    double energy = 0;
    for (std::size_t k = 0; k < m; ++k) {
      for (std::size_t l = 0; l < m; ++l) w[k] += S[at(rows[l], rows[k], n)] * q[l];
      energy += w[k] * q[k];
    }
    for (std::size_t k = 0; k < m; ++k) {
      for (std::size_t l = 0; l < m; ++l)
        S[at(rows[l], rows[k], n)] += (1 + energy) * q[l] * q[k] - (w[l] * q[k] + q[l] * w[k]);
    }
  }
}

void subtract(Dense& inverse, Index n, std::vector<NullVector> const& known) {
  for (auto const& [rows, q] : known) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      for (std::size_t l = 0; l < rows.size(); ++l) inverse[at(rows[l], rows[k], n)] -= q[l] * q[k];
    }
  }
}

/// What the factorization, S, leaves of the diagonal must be rounding errors, else A has a negative
/// eigenvalue.
void require_semidefinite(Dense const& A, Dense const& S, Index n, Index rank, std::vector<int> const& pivot,
                          std::vector<GlobalIndex> const& row_names) {
  for (Index i = rank; i < n; ++i) {
    double const diagonal = A[at(pivot[i] - 1, pivot[i] - 1, n)];
    double left = diagonal;
    for (Index j = 0; j < rank; ++j) left -= S[at(i, j, n)] * S[at(i, j, n)];
    if (!(left > -std::max(1e-8 * diagonal, rank_tolerance(n))))
      throw core::NumericalError(core::message("the coarsest matrix is not positive semidefinite (pivot ",
                                               left, " at row ", name_of(row_names, pivot[i] - 1),
                                               "); check that A is"));
  }
}

}  // namespace

double rank_tolerance(Index n) {
  return std::max(16 * n, 64) * std::numeric_limits<double>::epsilon();
}

std::vector<double> inverse_scale(Dense const& A, Index n, std::vector<double> const& summed,
                                  std::vector<GlobalIndex> const& row_names) {
  require_finite(A, n, row_names);
  std::vector<double> scale(n);
  for (Index i = 0; i < n; ++i) {
    double const diagonal = A[at(i, i, n)];
    if (!(diagonal > 0) || !std::isfinite(diagonal))
      throw core::NumericalError(
          core::message("row ", name_of(row_names, i), " of the coarsest matrix has the diagonal entry ",
                        diagonal, " (it must be positive); check that A is symmetric positive definite"));
    scale[i] = 1.0 / std::sqrt(summed.empty() ? diagonal : std::max(diagonal, summed[i]));
  }
  return scale;
}

Index invert_semidefinite(Dense& A, Index n, std::vector<double> const& scale,
                          std::vector<NullVector> const& known, std::vector<GlobalIndex> const& row_names) {
  if (n == 0) return 0;
  deflate(A, n, known);
  double const tolerance = rank_tolerance(n);
  std::vector<int> pivot(n);
  std::vector<double> work(2 * static_cast<std::size_t>(n));
  int rank = 0, info = 0;
  Dense S = A;
  dpstrf_("L", &n, S.data(), &n, pivot.data(), &rank, &tolerance, work.data(), &info);
  require_semidefinite(A, S, n, rank, pivot, row_names);
  if (rank == n) {
    dpotri_("L", &n, S.data(), &n, &info);
  } else {
    S = pseudo_inverse(S, n, rank);
  }
  mirror_lower(S, n);
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) A[at(pivot[i] - 1, pivot[j] - 1, n)] = S[at(i, j, n)];
  }
  subtract(A, n, known);
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) A[at(i, j, n)] *= scale[i] * scale[j];  // the same bits at (j, i)
  }
  return rank - static_cast<Index>(known.size());
}

template class DenseInverse<double, Host>;
template class DenseInverse<float, Host>;
TESSERA_DENSE_APPLY(Host, double)
TESSERA_DENSE_APPLY(Host, float)

}  // namespace Tessera::multigrid
