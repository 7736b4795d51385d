#pragma once
/// \file
/// Dense matrices and naive loops over them: too simple to be wrong.
#include <cstddef>
#include <cstring>
#include <vector>

#include "sparse/csr.hpp"

namespace Tessera::oracle {

/// rows x columns, row-major.
struct Dense {
  Index rows = 0, columns = 0;
  std::vector<double> value;

  Dense() = default;
  Dense(Index r, Index c) : rows(r), columns(c), value(static_cast<std::size_t>(r) * c, 0.0) {}
  Dense(Index r, Index c, std::vector<double> v) : rows(r), columns(c), value(std::move(v)) {}

  double& operator()(Index i, Index j) { return value[static_cast<std::size_t>(i) * columns + j]; }
  double operator()(Index i, Index j) const { return value[static_cast<std::size_t>(i) * columns + j]; }
  bool operator==(Dense const& other) const {
    return rows == other.rows && columns == other.columns && value == other.value;
  }
};

Dense identity(Index n);
Dense product(Dense const& A, Dense const& B);  ///< entry (i, j) sums over k ascending from 0
Dense transposed(Dense const& A);
Dense triple_product(Dense const& P, Dense const& A);  ///< P^T (A P)
Dense sum(double alpha, Dense const& A, double beta, Dense const& B);
std::vector<double> product(Dense const& A, std::vector<double> const& x);
double largest_difference(Dense const& A, Dense const& B);
double largest_difference(std::vector<double> const& a, std::vector<double> const& b);

/// Every row's sum in the order of its entries.
std::vector<double> product(sparse::CsrView<double> A, std::vector<double> const& x);

/// Duplicates add up.
Dense to_dense(sparse::CsrView<double> A);
Dense to_dense(sparse::CsrView<float> A);

/// The entries that are not zero, columns ascending.
sparse::Csr<double, Host> to_csr(Dense const& A);

/// From the three arrays.
sparse::Csr<double, Host> make_csr(Index rows, Index columns, std::vector<Offset> const& offsets,
                                   std::vector<Index> const& column, std::vector<double> const& value);

/// Whether two arrays have the same bits: 0 and -0 differ, a NaN equals itself.
template <class A, class B>
bool same_bits(A const& a, B const& b) {
  static_assert(sizeof *a.data() == sizeof *b.data());
  return a.size() == b.size() &&
         (a.size() == 0 || std::memcmp(a.data(), b.data(), a.size() * sizeof *a.data()) == 0);
}

/// Same shape, offsets, columns in order, and bits of values.
template <class T>
bool identical(sparse::Csr<T, Host> const& A, sparse::Csr<T, Host> const& B) {
  return A.rows == B.rows && A.columns == B.columns && same_bits(A.offsets, B.offsets) &&
         same_bits(A.column, B.column) && same_bits(A.value, B.value);
}

}  // namespace Tessera::oracle
