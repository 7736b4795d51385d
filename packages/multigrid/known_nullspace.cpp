#include "multigrid/known_nullspace.hpp"

#include <cmath>

#include "multigrid/dense_inverse.hpp"

namespace Tessera::multigrid {
namespace {

/// Rows that entries connect.
std::vector<std::vector<Index>> components(std::vector<double> const& S, Index n) {
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

/// Of norm one and orthogonal to those before, from the first of which they are; false where nothing is left.
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

}  // namespace

std::vector<NullVector> known_nullspace(std::vector<double> const& S, Index n,
                                        std::vector<double> const& scale, NearNullspaceOfRows const& near) {
  std::vector<NullVector> known;
  if (near.vectors == 0) return known;
  for (auto const& rows : components(S, n)) {
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
