#include "oracle/dense.hpp"

#include <algorithm>
#include <cmath>

namespace Tessera::oracle {
namespace {

template <class T>
Dense dense_from(sparse::CsrView<T> A) {
  Dense D(A.rows, A.columns);
  for (Index i = 0; i < A.rows; ++i) {
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) D(i, A.column[k]) += A.value[k];
  }
  return D;
}

}  // namespace

Dense identity(Index n) {
  Dense I(n, n);
  for (Index i = 0; i < n; ++i) I(i, i) = 1;
  return I;
}

Dense product(Dense const& A, Dense const& B) {
  Dense C(A.rows, B.columns);
  for (Index i = 0; i < A.rows; ++i) {
    for (Index k = 0; k < A.columns; ++k) {
      for (Index j = 0; j < B.columns; ++j) C(i, j) += A(i, k) * B(k, j);
    }
  }
  return C;
}

Dense transposed(Dense const& A) {
  Dense B(A.columns, A.rows);
  for (Index i = 0; i < A.rows; ++i) {
    for (Index j = 0; j < A.columns; ++j) B(j, i) = A(i, j);
  }
  return B;
}

Dense triple_product(Dense const& P, Dense const& A) {
  return product(transposed(P), product(A, P));
}

Dense sum(double alpha, Dense const& A, double beta, Dense const& B) {
  Dense C(A.rows, A.columns);
  for (std::size_t k = 0; k < C.value.size(); ++k) C.value[k] = alpha * A.value[k] + beta * B.value[k];
  return C;
}

std::vector<double> product(Dense const& A, std::vector<double> const& x) {
  std::vector<double> y(A.rows, 0.0);
  for (Index i = 0; i < A.rows; ++i) {
    for (Index j = 0; j < A.columns; ++j) y[i] += A(i, j) * x[j];
  }
  return y;
}

std::vector<double> product(sparse::CsrView<double> A, std::vector<double> const& x) {
  std::vector<double> y(A.rows, 0.0);
  for (Index i = 0; i < A.rows; ++i) {
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) y[i] += A.value[k] * x[A.column[k]];
  }
  return y;
}

double largest_difference(Dense const& A, Dense const& B) {
  if (A.rows != B.rows || A.columns != B.columns) return INFINITY;
  return largest_difference(A.value, B.value);
}

double largest_difference(std::vector<double> const& a, std::vector<double> const& b) {
  if (a.size() != b.size()) return INFINITY;
  double largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    auto const difference = std::abs(a[k] - b[k]);
    if (!(difference <= largest)) largest = std::isnan(difference) ? INFINITY : difference;
  }
  return largest;
}

Dense to_dense(sparse::CsrView<double> A) {
  return dense_from(A);
}
Dense to_dense(sparse::CsrView<float> A) {
  return dense_from(A);
}

sparse::Csr<double, Host> to_csr(Dense const& A) {
  std::vector<Offset> offsets{0};
  std::vector<Index> column;
  std::vector<double> value;
  for (Index i = 0; i < A.rows; ++i) {
    for (Index j = 0; j < A.columns; ++j) {
      if (A(i, j) == 0) continue;
      column.push_back(j);
      value.push_back(A(i, j));
    }
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  return make_csr(A.rows, A.columns, offsets, column, value);
}

sparse::Csr<double, Host> make_csr(Index rows, Index columns, std::vector<Offset> const& offsets,
                                   std::vector<Index> const& column, std::vector<double> const& value) {
  return {rows, columns, core::to_space(Host{}, offsets), core::to_space(Host{}, column),
          core::to_space(Host{}, value)};
}

}  // namespace Tessera::oracle
