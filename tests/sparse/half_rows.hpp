#pragma once
/// \file
/// Matrices stored in Half, with an oracle that rounds entries one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "oracle/generators.hpp"
#include "sparse/engine/row_reduce.hpp"
#include "sparse/formats/formats.hpp"
#include "support/stored.hpp"

namespace Tessera::test {

/// Entries rounded to 11 bits, or to a multiple of 2^-24 of the power of two by which the row's largest entry
/// is at least 2^14. row_sums: the diagonal entry takes up the rounding errors of the row. It becomes a
/// float, whose further 11 bits, cut off, are a second entry at the end of the row.
inline sparse::Csr<float, Host> rounded_to_half(sparse::Csr<double, Host> const& A, bool row_sums = false) {
  auto const multiple = [](double x, int exponent, double (*round)(double)) {
    double const last = std::ldexp(1.0, exponent);
    return round(x / last) * last;
  };
  auto const to_11_bits = [&](double x, int top = -2000, double (*round)(double) = std::nearbyint) {
    return x == 0 ? 0 : multiple(x, std::max(std::ilogb(x) - 10, top - 24), round);
  };
  std::vector<Offset> offsets{0};
  std::vector<Index> column;
  std::vector<float> value;
  for (Index i = 0; i < A.rows; ++i) {
    double largest = 0, diagonal = 0;
    bool has_diagonal = false;
    for (auto k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      bool const own = row_sums && A.column[k] == i;
      has_diagonal |= own;
      diagonal += own ? A.value[k] : A.value[k] - to_11_bits(A.value[k]);
      if (!own) largest = std::max(largest, std::abs(A.value[k]));
    }
    if (has_diagonal) largest = std::max(largest, std::abs(diagonal));
    diagonal = static_cast<float>(diagonal);
    int const top = largest == 0 ? -125 : std::max(std::ilogb(to_11_bits(largest)) - 14, -125);
    for (auto k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      column.push_back(A.column[k]);
      value.push_back(
          static_cast<float>(to_11_bits(row_sums && A.column[k] == i ? diagonal : A.value[k], top)));
    }
    if (has_diagonal) {
      column.push_back(i);
      value.push_back(static_cast<float>(to_11_bits(diagonal - to_11_bits(diagonal, top), top, std::trunc)));
    }
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  return {A.rows, A.columns, core::to_space(Host{}, offsets), core::to_space(Host{}, column),
          core::to_space(Host{}, value)};
}

/// Entries from 2^-60 to 2^60 of the others' size, rows of zeros, empty rows, and tiny rows.
inline std::vector<sparse::Csr<double, Host>> matrices_for_half() {
  std::vector<sparse::Csr<double, Host>> all;
  all.push_back(oracle::laplace(20, 15, 11));
  all.push_back(oracle::anisotropic_laplace(30, 20, 3, 1.0 / 3, 1e-5, 0.7));
  all.push_back(oracle::jumping_diffusion(60, 50, 9, 1e-6, 3));
  all.push_back(oracle::random_matrix(900, 300, 8, 6));
  all.push_back(oracle::random_matrix(40, 2000, 400, 7));
  for (double const step : {1.0, 0.01, 30.0}) {
    all.push_back(oracle::random_matrix(900, 300, 8, 6));
    auto& A = all.back();
    for (std::size_t k = 0; k < A.value.size(); ++k)
      A.value[k] *= std::ldexp(1.0, static_cast<int>(std::fmod(static_cast<double>(k) * step, 50)) - 25);
    for (auto k = A.offsets[3]; k < A.offsets[4]; ++k) A.value[k] = 0;
    for (auto k = A.offsets[5]; k < A.offsets[6]; ++k) A.value[k] *= std::ldexp(1.0, -100);
  }
  return all;
}

/// Square ones, some of whose rows lack a diagonal entry.
inline std::vector<sparse::Csr<double, Host>> square_matrices_for_half() {
  std::vector<sparse::Csr<double, Host>> all;
  all.push_back(oracle::laplace(20, 15, 11));
  all.push_back(oracle::anisotropic_laplace(30, 20, 3, 1.0 / 3, 1e-5, 0.7));
  all.push_back(oracle::jumping_diffusion(60, 50, 9, 1e-6, 3));
  all.push_back(oracle::random_spd(900, 9, 3));
  all.push_back(oracle::random_matrix(900, 900, 8, 6));
  return all;
}

/// Products with rows in float, and with the same rows in Half in each format, on a space.
template <class Space>
void expect_products_of_rounded(Space const& space, sparse::Csr<double, Host> const& A,
                                bool row_sums = false) {
  auto const there = sparse::copied<double>(Host{}, A, space);
  auto const rounded = sparse::copied<float>(Host{}, rounded_to_half(A, row_sums), space);
  std::vector<float> numbers(static_cast<std::size_t>(A.columns));
  for (std::size_t j = 0; j < numbers.size(); ++j) numbers[j] = std::sin(1.0F + static_cast<float>(j));
  auto const x = core::to_space(space, numbers);
  auto const product = [&](auto const& rows) {
    Array<float, Space> y(space, A.rows);
    core::fill(space, y.span(), 7.0F);
    sparse::row_reduce(space, rows, sparse::OneVector<float>{x.data()},
                       sparse::StoreProduct<float>{y.data()});
    return core::to_vector(space, y.view());
  };
  auto const expected = product(rounded.view());
  auto changed = sparse::copied<double>(Host{}, A, Host{});
  for (auto& a : changed.value) a = 1 - 3 * a;
  auto const changed_there = sparse::copied<double>(Host{}, changed, space);
  for (auto const& [name, format] : sparse::matrix_formats) {
    sparse::StorageParameters how{format};
    how.half = true;
    how.row_sums = row_sums;
    sparse::SplitRows<float, Space> stored(space, changed_there.view(), {true, {}}, {}, how);
    for (int refreshes = 0; refreshes < 2; ++refreshes) {
      stored.refresh(space, there.view());
      stored.visit_first(
          [&, called = name](auto const& rows) { EXPECT_EQ(product(rows), expected) << called; });
    }
    sparse::SplitRows<float, Space> const fresh(space, there.view(), {true, {}}, {}, how);
    fresh.visit_first([&, called = name](auto const& rows) { EXPECT_EQ(product(rows), expected) << called; });
  }
}

}  // namespace Tessera::test
