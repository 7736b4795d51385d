#include "multigrid/dense_inverse.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"

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

/// Connected components of the graph of S, as lists of rows.
std::vector<std::vector<Index>> connected_components(std::vector<double> const& S, Index n) {
  std::vector<std::vector<Index>> all;
  std::vector<char> met(n, 0);
  for (Index first = 0; first < n; ++first) {
    if (met[first]) continue;
    std::vector<Index> rows{first};
    met[first] = 1;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      double const* const column = &S[static_cast<std::size_t>(rows[k]) * n];
      for (Index i = 0; i < n; ++i) {
        if (met[i] || column[i] == 0) continue;
        met[i] = 1;
        rows.push_back(i);
      }
    }
    all.push_back(std::move(rows));
  }
  return all;
}

double dot(std::vector<double> const& u, std::vector<double> const& v) {
  double sum = 0;
  for (std::size_t k = 0; k < u.size(); ++k) sum += u[k] * v[k];
  return sum;
}

/// Makes u orthogonal to before[from], before[from + 1], ... and of norm one. Returns false if nothing of u
/// remains.
bool orthonormalise(std::vector<double>& u, std::vector<NullVector> const& before, std::size_t from) {
  double const whole = std::sqrt(dot(u, u));
  for (int twice = 0; twice < 2; ++twice) {
    for (std::size_t l = from; l < before.size(); ++l) {
      double const share = dot(before[l].values, u);
      for (std::size_t k = 0; k < u.size(); ++k) u[k] -= share * before[l].values[k];
    }
  }
  double const norm = std::sqrt(dot(u, u));
  if (!(norm > 1e-8 * whole)) return false;
  for (auto& value : u) value /= norm;
  return true;
}

double energy(std::vector<double> const& S, Index n, std::vector<Index> const& rows,
              std::vector<double> const& u) {
  double sum = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    double const* const column = &S[static_cast<std::size_t>(rows[k]) * n];
    double of_column = 0;
    for (std::size_t l = 0; l < rows.size(); ++l) of_column += column[rows[l]] * u[l];
    sum += of_column * u[k];
  }
  return sum;
}

using Dense = std::vector<double>;  // column-major

std::size_t at(Index i, Index j, Index rows) {
  return i + static_cast<std::size_t>(j) * rows;
}

void mirror_lower(Dense& A, Index n) {
  for (Index j = 0; j < n; ++j) {
    for (Index i = j + 1; i < n; ++i) A[at(j, i, n)] = A[at(i, j, n)];
  }
}

/// The user's id of row i.
GlobalIndex id_of(std::vector<GlobalIndex> const& row_ids, Index i) {
  return row_ids.empty() ? i : row_ids[i];
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

void require_finite(Dense const& A, Index n, std::vector<GlobalIndex> const& row_ids) {
  for (std::size_t k = 0; k < A.size(); ++k) {
    if (!std::isfinite(A[k]))
      throw core::NumericalError(core::message("row ", id_of(row_ids, static_cast<Index>(k % n)),
                                               " of the coarsest matrix holds ", A[k],
                                               "; check the values of the matrix"));
  }
}

/// S + Q Q^T, after removing the rounding errors of S in the directions Q.
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

/// Checks that the remaining diagonal after the factorisation S is only rounding errors. Otherwise A has a
/// negative eigenvalue.
void require_semidefinite(Dense const& A, Dense const& S, Index n, Index rank, std::vector<int> const& pivot,
                          std::vector<GlobalIndex> const& row_ids) {
  for (Index i = rank; i < n; ++i) {
    double const diagonal = A[at(pivot[i] - 1, pivot[i] - 1, n)];
    double left = diagonal;
    for (Index j = 0; j < rank; ++j) left -= S[at(i, j, n)] * S[at(i, j, n)];
    if (!(left > -std::max(1e-8 * diagonal, rank_tolerance(n))))
      throw core::NumericalError(core::message("the coarsest matrix is not positive semidefinite (pivot ",
                                               left, " at row ", id_of(row_ids, pivot[i] - 1),
                                               "); check that A is"));
  }
}

}  // namespace

double rank_tolerance(Index n) {
  return std::max(16 * n, 64) * std::numeric_limits<double>::epsilon();
}

std::vector<double> inverse_scale(Dense const& A, Index n, std::vector<double> const& diagonal_scale,
                                  std::vector<GlobalIndex> const& row_ids) {
  require_finite(A, n, row_ids);
  std::vector<double> scale(n);
  for (Index i = 0; i < n; ++i) {
    double const diagonal = A[at(i, i, n)];
    if (!(diagonal > 0) || !std::isfinite(diagonal))
      throw core::NumericalError(
          core::message("row ", id_of(row_ids, i), " of the coarsest matrix has the diagonal entry ",
                        diagonal, " (it must be positive); check that A is symmetric positive definite"));
    scale[i] = 1.0 / std::sqrt(diagonal_scale.empty() ? diagonal : std::max(diagonal, diagonal_scale[i]));
  }
  return scale;
}

Index invert_semidefinite(Dense& A, Index n, std::vector<double> const& scale,
                          std::vector<NullVector> const& known, std::vector<GlobalIndex> const& row_ids) {
  if (n == 0) return 0;
  deflate(A, n, known);
  double const tolerance = rank_tolerance(n);
  std::vector<int> pivot(n);
  std::vector<double> work(2 * static_cast<std::size_t>(n));
  int rank = 0, info = 0;
  Dense S = A;
  dpstrf_("L", &n, S.data(), &n, pivot.data(), &rank, &tolerance, work.data(), &info);
  require_semidefinite(A, S, n, rank, pivot, row_ids);
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

std::vector<NullVector> known_nullspace(std::vector<double> const& S, Index n,
                                        std::vector<double> const& scale, NearNullspaceOfRows const& near) {
  std::vector<NullVector> known;
  if (near.vectors == 0) return known;
  for (auto const& rows : connected_components(S, n)) {
    auto const from = known.size();
    for (int c = 0; c < near.vectors; ++c) {
      std::vector<double> u(rows.size());
      for (std::size_t k = 0; k < rows.size(); ++k)
        u[k] = near.values[static_cast<std::size_t>(rows[k]) * near.vectors + c] / scale[rows[k]];
      if (!orthonormalise(u, known, from)) continue;
      if (std::abs(energy(S, n, rows, u)) * static_cast<double>(rows.size()) <= rank_tolerance(n))
        known.push_back({rows, std::move(u)});
    }
  }
  return known;
}

}  // namespace Tessera::multigrid
