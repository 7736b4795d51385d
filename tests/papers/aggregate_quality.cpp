#include "aggregate_quality.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/hash.hpp"

namespace Tessera::papers {
namespace {

using Vector = std::vector<double>;

/// Doubles the first diagonal entry of a Laplacian: if b sums to zero, this gives the solution that is 0
/// there.
sparse::Csr<double, Host> tied(sparse::CsrView<double> A, bool constants_in_kernel) {
  Vector value(A.value.begin(), A.value.end());
  for (auto k = A.offsets[0]; constants_in_kernel && k < A.offsets[1]; ++k)
    value[k] *= A.column[k] == 0 ? 2 : 1;
  return oracle::make_csr(A.rows, A.columns, {A.offsets.begin(), A.offsets.end()},
                          {A.column.begin(), A.column.end()}, value);
}

Index count(std::vector<Index> const& aggregate) {
  return *std::max_element(aggregate.begin(), aggregate.end()) + 1;
}

double dot(Vector const& x, Vector const& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

void add(double factor, Vector const& x, Vector& y) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += factor * x[i];
}

/// Q x
Vector projected(std::vector<Index> const& aggregate, Vector const& x) {
  Vector sum(count(aggregate), 0.0), size(sum), result(x.size(), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (aggregate[i] >= 0) sum[aggregate[i]] += x[i], size[aggregate[i]] += 1;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (aggregate[i] >= 0) result[i] = sum[aggregate[i]] / size[aggregate[i]];
  }
  return result;
}

double largest_eigenvalue(Vector const& diagonal, Vector const& beside) {
  auto const n = static_cast<Index>(diagonal.size());
  oracle::Dense T(n, n);
  for (Index i = 0; i < n; ++i) {
    T(i, i) = diagonal[i];
    if (i > 0) T(i, i - 1) = T(i - 1, i) = beside[i - 1];
  }
  return oracle::symmetric_eigenvalues(T).back();
}

}  // namespace

Energy::Energy(sparse::CsrView<double> A, bool constants_in_kernel)
    : A_(A), factor_(tied(A, constants_in_kernel).view()) {}

double coarsening_ratio(std::vector<Index> const& aggregate) {
  return static_cast<double>(aggregate.size()) / count(aggregate);
}

double projection_energy(Energy const& A, std::vector<Index> const& aggregate) {
  int constexpr most_steps = 400, look_every = 10;
  Vector v(aggregate.size());
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = core::uniform(static_cast<GlobalIndex>(i), 0);
  std::vector<Vector> basis, image;  // and A times it
  Vector diagonal, beside;
  double known = 0;
  for (int step = 1; step <= most_steps; ++step) {
    auto Av = oracle::product(A.matrix(), v);
    double const norm = std::sqrt(dot(v, Av));
    if (step > 1) {
      if (norm < 1e-10 * known) return largest_eigenvalue(diagonal, beside);  // an invariant space
      beside.push_back(norm);
    }
    for (auto* x : {&v, &Av}) {
      for (auto& value : *x) value /= norm;
    }
    basis.push_back(v), image.push_back(Av);
    v = A.solve(projected(aggregate, oracle::product(A.matrix(), projected(aggregate, v))));
    diagonal.push_back(dot(v, image.back()));
    for (int again = 0; again < 2; ++again) {
      for (std::size_t k = 0; k < basis.size(); ++k) add(-dot(v, image[k]), basis[k], v);
    }
    if (step % look_every > 0 && step > 1) continue;
    double const largest = largest_eigenvalue(diagonal, beside);
    if (step > 1 && largest < (1 + 1e-5) * known) return largest;
    known = largest;
  }
  throw std::runtime_error("Lanczos' method found no largest eigenvalue");
}

double projection_energy_dense(sparse::CsrView<double> A, bool constants_in_kernel,
                               std::vector<Index> const& aggregate) {
  // With w = C v, C = (P^T P)^-1 P^T: |Q v|_A^2 = w^T K w, K = P^T A P, and of all v with this w the least
  // |v|_A^2 is w^T S^-1 w, S = C A^-1 C^T. For a Laplacian, A + 1 1^T replaces A: no ratio grows, and none
  // changes for v with sum zero, which a constant can achieve.
  auto dense = oracle::to_dense(A);
  if (constants_in_kernel) {
    for (auto& value : dense.value) value += 1;
  }
  Index const n = dense.rows, m = count(aggregate);
  oracle::Dense P(n, m), C(m, n);
  Vector size(m, 0.0);
  for (auto const a : aggregate) size[std::max(a, 0)] += a >= 0 ? 1 : 0;
  for (Index i = 0; i < n; ++i) {
    if (aggregate[i] >= 0) P(i, aggregate[i]) = 1, C(aggregate[i], i) = 1 / size[aggregate[i]];
  }
  auto const K = oracle::triple_product(P, oracle::to_dense(A));
  auto const S = oracle::product(C, oracle::product(oracle::inverse(dense), oracle::transposed(C)));
  return oracle::generalised_eigenvalues(K, oracle::inverse(S)).back();
}

std::vector<Index> composed(std::vector<Index> const& fine, std::vector<Index> const& coarse) {
  std::vector<Index> result;
  for (auto const a : fine) result.push_back(a < 0 ? -1 : coarse[a]);
  return result;
}

}  // namespace Tessera::papers
