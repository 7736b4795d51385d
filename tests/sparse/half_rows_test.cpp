#include "half_rows.hpp"

#include <gtest/gtest.h>

#include "sparse/formats/unpacked.hpp"
#include "sparse/transpose.hpp"

namespace Tessera::sparse {
namespace {

SplitRows<float, Host> stored(Csr<double, Host> const& A, MatrixFormat format, bool row_sums = false) {
  StorageParameters how{format};
  how.half = true;
  how.row_sums = row_sums;
  return {Host{}, A.view(), {true, {}}, {}, how};
}
SplitRows<float, Host> with_row_sums(Csr<double, Host> const& A) {
  return stored(A, MatrixFormat::csr, true);
}

TEST(HalfRows, ProductsInEachFormatAreBitwiseThoseOfRoundedEntries) {
  for (auto const& A : test::matrices_for_half()) test::expect_products_of_rounded(Host{}, A);
  for (auto const& A : test::square_matrices_for_half()) test::expect_products_of_rounded(Host{}, A, true);
}

TEST(HalfRows, KeepTheSumsOfRows) {
  for (auto const& A : test::square_matrices_for_half()) {
    auto const B = unpacked(Host{}, with_row_sums(A), A.rows, A.columns);
    for (Index i = 0; i < A.rows; ++i) {
      double error = 0, largest = 0;
      bool has_diagonal = false;
      for (auto k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
        error += B.value[k] - A.value[k];
        largest = std::max(largest, std::abs(A.value[k]));
        has_diagonal |= A.column[k] == i;
      }
      EXPECT_TRUE(!has_diagonal || std::abs(error) <= std::ldexp(largest, -21)) << i;
    }
  }
}

// Also where a vector has little energy. The second term is that of sums of rows, which have 22 bits.
TEST(HalfRows, WithTheirSumsAnMMatrixKeepsItsEnergy) {
  auto const A = oracle::jumping_diffusion(40, 30, 6, 1e-9, 3);
  auto const B = unpacked(Host{}, with_row_sums(A), A.rows, A.columns);
  auto const plain = unpacked(Host{}, stored(A, MatrixFormat::csr), A.rows, A.columns);
  bool plain_keeps = true;
  for (int wave = 0; wave < 40; ++wave) {
    auto const e = [&](Index i) {
      return std::cos(wave * 0.003 * (i % 40)) + 0.1 * std::sin(wave * 0.002 * i);
    };
    double energy = 0, weight = 0, change = 0, plain_change = 0;
    for (Index i = 0; i < A.rows; ++i) {
      for (auto k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
        auto const j = A.column[k];
        if (j == i) weight += A.value[k] * e(i) * e(i);
        energy += e(i) * A.value[k] * e(j);
        change += e(i) * (B.value[k] - A.value[k]) * e(j);
        plain_change += e(i) * (plain.value[k] - A.value[k]) * e(j);
      }
    }
    double const bound = std::ldexp(energy, -11) + std::ldexp(weight, -21);
    EXPECT_LE(std::abs(change), bound) << wave;
    plain_keeps &= std::abs(plain_change) <= bound;
  }
  EXPECT_FALSE(plain_keeps);
}

TEST(HalfRows, WithTheirSumsAreStoredAgainAsTheyAre) {
  for (auto const& A : test::square_matrices_for_half()) {
    auto const first = with_row_sums(A);
    auto const B = unpacked(Host{}, first, A.rows, A.columns);
    auto const again = with_row_sums(copied<double>(Host{}, B, Host{}));
    EXPECT_EQ(core::to_vector(Host{}, unpacked(Host{}, again, A.rows, A.columns).value.view()),
              core::to_vector(Host{}, B.value.view()));
    first.visit_first([&](auto const& one) {
      again.visit_first([&](auto const& two) {
        if constexpr (test::is_scaled<decltype(one)> && test::is_scaled<decltype(two)>) {
          for (Index i = 0; i < A.rows; ++i) EXPECT_EQ(two.scales.rest[i].bits, one.scales.rest[i].bits);
        }
      });
    });
  }
}

TEST(HalfRows, AnEntryLosesTheTwelfthBitOrATinyShareOfTheLargest) {
  for (auto const& A : test::matrices_for_half()) {
    auto const B = unpacked(Host{}, stored(A, MatrixFormat::csr), A.rows, A.columns);
    for (Index i = 0; i < A.rows; ++i) {
      double largest = 0;
      for (auto k = A.offsets[i]; k < A.offsets[i + 1]; ++k)
        largest = std::max(largest, std::abs(A.value[k]));
      for (auto k = A.offsets[i]; k < A.offsets[i + 1]; ++k)
        EXPECT_LE(std::abs(A.value[k] - B.value[k]),
                  std::max(std::ldexp(std::abs(A.value[k]), -11), std::ldexp(largest, -39)));
    }
  }
}

TEST(HalfRows, SymmetricMatricesStaySymmetricBitForBit) {
  for (auto const& A : {oracle::random_spd(400, 9, 3), oracle::jumping_diffusion(40, 30, 6, 1e-4, 3)}) {
    auto const rounded = unpacked(Host{}, stored(A, MatrixFormat::sell), A.rows, A.columns);
    auto const B = copied<double>(Host{}, rounded, Host{});
    auto const Bt = transpose(Host{}, B.view());
    EXPECT_EQ(core::to_vector(Host{}, B.value.view()), core::to_vector(Host{}, Bt.matrix.value.view()));
  }
}

TEST(HalfRows, AreUnpackedAsTheyWereRounded) {
  for (auto const& A : test::matrices_for_half()) {
    auto const expected = test::rounded_to_half(A);
    for (auto const format : {MatrixFormat::csr, MatrixFormat::ellpack_r, MatrixFormat::hyb}) {
      auto const B = unpacked(Host{}, stored(A, format), A.rows, A.columns);
      EXPECT_EQ(core::to_vector(Host{}, B.value.view()), core::to_vector(Host{}, expected.value.view()));
    }
  }
}

TEST(HalfRows, RoundedProlongatorsAreStoredWithoutLossAndKeepTheSumsOfRows) {
  for (auto const& A : test::matrices_for_half()) {
    auto P = copied<double>(Host{}, A, Host{});
    round_to_half(Host{}, P.view(), P.value.span());
    auto const B = unpacked(Host{}, stored(P, MatrixFormat::csr), P.rows, P.columns);
    EXPECT_TRUE(std::equal(B.value.begin(), B.value.end(), P.value.begin(), P.value.end()));
    for (Index i = 0; i < A.rows; ++i) {
      double largest = 0, smallest = HUGE_VAL, error = 0;
      for (auto k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
        error += P.value[k] - A.value[k];
        largest = std::max(largest, std::abs(A.value[k]));
        if (A.value[k] != 0) smallest = std::min(smallest, std::abs(A.value[k]));
      }
      for (auto k = A.offsets[i]; k < A.offsets[i + 1]; ++k)
        EXPECT_LE(std::abs(P.value[k] - A.value[k]), std::ldexp(largest, -10));
      // The smallest one has taken up errors of the largest.
      double const last = std::min(largest, std::max(smallest, std::ldexp(largest, -11)) * 2);
      EXPECT_LE(std::abs(error), largest == 0 ? 0 : std::max(std::ldexp(last, -11), std::ldexp(largest, -39)))
          << i;
    }
  }
}

TEST(HalfRows, TakeTwoBytesLessAnEntryAndOneMoreARow) {
  auto const A = oracle::random_matrix(900, 300, 8, 6);
  for (auto const& [name, format] : matrix_formats) {
    SplitRows<float, Host> const in_float(Host{}, A.view(), {true, {}}, {}, {format});
    if (std::string(name) == "auto") continue;
    auto const saved = in_float.bytes() - stored(A, format).bytes();
    EXPECT_GE(saved, 2 * A.value.size() - A.rows) << name;
  }
}

}  // namespace
}  // namespace Tessera::sparse
