#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "cases.hpp"
#include "core/error.hpp"

namespace Tessera {
namespace {

using test::distribute;
using test::parameters;
using test::share;
using test::world;

/// The error text of a setup, which fails with the same text on every rank.
template <class Error, class T = double>
std::string error_text(comm::DistCsr<double, Host> const& A, fsai::Parameters const& p) {
  try {
    fsai::Fsai<T, Host> M(Host{}, A, p);
  } catch (Error const& error) {
    return error.what();
  }
  return "nothing was thrown";
}

void expect_words(std::string const& text, std::vector<std::string> const& words) {
  for (auto const& word : words) EXPECT_NE(text.find(word), std::string::npos) << text << "\n lacks " << word;
}

sparse::Csr<double, Host> with(sparse::Csr<double, Host> A, Index row, Index column, double value) {
  for (Offset k = A.offsets[row]; k < A.offsets[row + 1]; ++k) {
    if (A.column[k] == column) A.value[k] = value;
  }
  return A;
}

TEST(Errors, ParametersOutOfRangeAreNamed) {
  auto const A = distribute(oracle::laplace(8), share(world(), 8));
  auto const refused = [&](std::function<void(fsai::Parameters&)> const& change, char const* name) {
    auto p = parameters(2);
    change(p);
    expect_words(error_text<core::InvalidInput>(A, p), {std::string("`fsai: ") + name + "`", "must be"});
  };
  refused([](auto& p) { p.pattern_level = -1; }, "pattern level");
  refused([](auto& p) { p.prefilter = -0.1; }, "prefilter tolerance");
  refused([](auto& p) { p.prefilter = 1.0; }, "prefilter tolerance");
  refused([](auto& p) { p.prefilter = std::numeric_limits<double>::quiet_NaN(); }, "prefilter tolerance");
  refused([](auto& p) { p.postfilter = 1.5; }, "postfilter tolerance");
  refused([](auto& p) { p.max_row_size = -1; }, "max row size");
  refused([](auto& p) { p.max_row_size = 1025; }, "max row size");
  refused([](auto& p) { p.adaptive_steps = -1; }, "adaptive steps");
  refused([](auto& p) { p.adaptive_step_size = 0; }, "adaptive step size");
  refused([](auto& p) { p.adaptive_tolerance = 1; }, "adaptive tolerance");
  refused([](auto& p) { p.ghost_depth = -2; }, "ghost depth");
  refused([](auto& p) { p.factors = 0; }, "factors");
  refused([](auto& p) { p.factors = 3; }, "factors");
}

TEST(Errors, ADiagonalWhoseInverseIsBeyondFloatIsNamed) {
  auto whole = with(oracle::laplace(40), 17, 17, 1e-50);
  for (Index i = 16; i < 19; ++i) {
    if (i != 17) whole = with(with(std::move(whole), i, 17, 0.0), 17, i, 0.0);
  }
  auto const A = distribute(whole, share(world(), 40));
  expect_words(error_text<core::NumericalError, float>(A, parameters(2)),
               {"row 17 has the diagonal entry 1e-50", "`precision: hierarchy` to double"});
  EXPECT_EQ((error_text<core::NumericalError, double>(A, parameters(2))), "nothing was thrown");
}

TEST(Errors, TwoFactorsNeedTheRandomOrdering) {
  auto const A = distribute(oracle::laplace(8), share(world(), 8));
  auto p = parameters(2);
  p.factors = 2;
  expect_words(error_text<core::InvalidInput>(A, p), {"`fsai: factors` is 2", "`fsai: ordering` to random"});
}

TEST(Errors, AMatrixThatIsNotPositiveDefiniteIsNamedByTheUsersRow) {
  auto A = distribute(with(with(oracle::laplace(40), 39, 38, -3.0), 38, 39, -3.0), share(world(), 40));
  expect_words(error_text<core::NumericalError>(A, parameters(3)),
               {"row 39:", "not positive definite", "pivot"});
  auto const begin = A.rows.begin();
  A.user_row = [begin](Index i) { return 1000 + begin + i; };
  expect_words(error_text<core::NumericalError>(A, parameters(3)), {"row 1039:"});
  auto p = parameters(0);  // found by growth
  p.adaptive_steps = 2;
  expect_words(error_text<core::NumericalError>(A, p), {"row 1039:", "not positive definite"});
}

TEST(Errors, DiagonalsThatAreNotPositiveAreNamed) {
  auto const rows = share(world(), 30, false);
  auto const text = [&](sparse::Csr<double, Host> const& A) {
    return error_text<core::NumericalError>(distribute(A, rows), parameters(2));
  };
  expect_words(text(with(oracle::laplace(30), 17, 17, -2.0)), {"row 17 ", "-2", "positive"});
  expect_words(text(with(oracle::laplace(30), 29, 29, 0.0)), {"row 29 ", "entry 0 "});
  auto dense = oracle::to_dense(oracle::laplace(30).view());
  dense(4, 4) = 0;  // to_csr drops it
  expect_words(text(oracle::to_csr(dense)), {"row 4 ", "entry 0 "});
}

TEST(Errors, InfinityAndNaNAreNamed) {
  auto const rows = share(world(), 30);
  for (double const value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    auto const A = distribute(with(oracle::laplace(30), 12, 13, value), rows);
    expect_words(error_text<core::NumericalError>(A, parameters(2)), {"row 12 ", "NaN"});
  }
}

/// Every row except the first makes the matrix indefinite, so that every rank finds such a row.
TEST(Errors, EveryRankNamesTheFirstRowOfAllRanks) {
  auto dense = oracle::identity(40);
  for (Index i = 1; i < 40; ++i) dense(i, i - 1) = dense(i - 1, i) = -3;
  auto const A = distribute(oracle::to_csr(dense), share(world(), 40));
  expect_words(error_text<core::NumericalError>(A, parameters(2)), {"row 1:", "pivot -8 "});
  for (Index i = 3; i < 40; ++i) dense(i, i) = -i;
  expect_words(error_text<core::NumericalError>(distribute(oracle::to_csr(dense), A.rows), parameters(2)),
               {"row 3 ", "entry -3 "});
}

TEST(Errors, OnlySquareMatricesArePreconditioned) {
  comm::Distribution const rows = share(world(), 6), columns = share(world(), 8);
  std::vector<Offset> const offsets(rows.local_size() + std::size_t{1}, 0);
  auto const A = comm::from_global<double>(rows, columns, offsets, {}, {});
  expect_words(error_text<core::InvalidInput>(A, parameters(2)), {"6 x 8", "square"});
}

TEST(Errors, ARefreshThatFailsLeavesThePreconditionerAsItWas) {
  auto const A = oracle::laplace(40);
  auto const rows = share(world(), 40);
  fsai::Fsai<double, Host> M(Host{}, distribute(A, rows), parameters(2));
  auto const before = M.report().checksum;
  std::vector<double> const b(rows.local_size(), 1.0);
  std::vector<double> x(b.size()), y(b.size());
  M.apply({b.data(), b.size()}, {x.data(), x.size()});
  auto const bad = distribute(with(with(oracle::laplace(40), 39, 38, -3.0), 38, 39, -3.0), rows);
  EXPECT_THROW(M.refresh(bad), core::NumericalError);
  M.apply({b.data(), b.size()}, {y.data(), y.size()});
  EXPECT_EQ(x, y);
  EXPECT_EQ(M.report().checksum, before);
  M.refresh(distribute(A, rows));
  EXPECT_EQ(M.report().checksum, before);
}

}  // namespace
}  // namespace Tessera
