// Rows with 20,000 entries: what is said of the residual is so.
#include <gtest/gtest.h>

#include <limits>

#include "krylov/rounding.hpp"
#include "oracle/generators.hpp"
#include "support/stored.hpp"
#include "systems.hpp"

namespace Tessera::test {
namespace {

constexpr Index leaves = 20000;
double const eps = std::numeric_limits<double>::epsilon();

/// A star whose centre is grounded by 1: x is 20,000, and A x is what cancellation leaves.
struct Star {
  sparse::Csr<double, Host> A = oracle::grounded_star(leaves, 1);
  std::vector<double> b = std::vector<double>(A.rows, 1.0);

  /// ||b - A x|| / ||b||, with sums in long double.
  double residual(std::vector<double> const& x) const {
    long double square = 0;
    for (Index i = 0; i < A.rows; ++i) {
      long double r = b[i];
      for (auto k = A.offsets[i]; k < A.offsets[i + 1]; ++k)
        r -= static_cast<long double>(A.value[k]) * x[A.column[k]];
      square += r * r;
    }
    return static_cast<double>(std::sqrt(square) / std::sqrt(static_cast<long double>(A.rows)));
  }
  /// eps || |A| |x| ||  / ||b||: about what plain sums of two terms would lose.
  double level(std::vector<double> const& x) const {
    double square = 0;
    for (Index i = 0; i < A.rows; ++i) {
      double row = 0;
      for (auto k = A.offsets[i]; k < A.offsets[i + 1]; ++k) row += std::abs(A.value[k] * x[A.column[k]]);
      square += row * row;
    }
    return eps * std::sqrt(square / A.rows);
  }
};

TEST(LongRows, HaveTheResidualThatIsReported) {
  Star const star;
  for (auto const& [name, format] : formats()) {
    if (format == sparse::MatrixFormat::ellpack_r) continue;  // takes 20,000 entries for each row
    for (double const tolerance : {1e-6, 1e-8, 3e-9}) {
      System system(star.A, star.b, Share::alike, {format});
      krylov::Parameters parameters;
      parameters.tolerance = tolerance;
      auto const result = system.solve(parameters);
      auto const x = system.whole_x();
      double const exact = star.residual(x);
      EXPECT_NEAR(result.relative_residual, exact, 0.5 * star.level(x)) << name << " " << tolerance;
      EXPECT_EQ(result.converged, result.relative_residual <= tolerance);
      EXPECT_TRUE(result.converged) << name << " " << tolerance << ": " << result.reason;
    }
  }
}

TEST(LongRows, HaveTheResidualThatIsReportedInSeveralColumns) {
  Star const star;
  System system(star.A, star.b);
  std::vector<std::vector<double>> x(5, std::vector<double>(system.b.size(), 0.0));
  std::vector<Span<double const>> b_spans;
  std::vector<Span<double>> x_spans;
  for (auto& column : x) {
    b_spans.emplace_back(system.b.data(), system.b.size());
    x_spans.emplace_back(column.data(), column.size());
  }
  for (auto const& result :
       krylov::solve_columns(Host{}, system.A, system.M, b_spans, x_spans, {}, system.workspace)) {
    system.x = x[0];
    EXPECT_TRUE(result.converged) << result.reason;
    EXPECT_NEAR(result.relative_residual, star.residual(system.whole_x()), 1e-9);
  }
}

// Of a row of n entries the level counts sqrt(n / 16) roundings, from 16 on. Those above 256 are summed in
// pieces.
TEST(LongRows, CountInTheRoundingLevel) {
  for (Index const length : {16, 64, 256, 1000}) {
    auto const A = oracle::grounded_star(length - 1, 1);
    System system(A, std::vector<double>(A.rows, 0.0));
    std::vector<double> v;
    for (std::size_t i = 0; i < system.b.size(); ++i) v.push_back(system.rows.begin() + i == 0 ? 1 : 0);
    auto const scale = krylov::rounding_scale(Host{}, system.A, Span<double const>(system.b.data(), v.size()),
                                              Span<double const>(v.data(), v.size()), system.workspace);
    double const weight = length > 256 ? 1 : std::sqrt(length / 16.0);
    double leaf_squares = 0;
    for (Index j = 1; j < length; ++j) leaf_squares += A.value[j] * A.value[j];
    double const centre = A.value[0] * A.value[0];
    EXPECT_NEAR(scale.norm / std::sqrt(centre + leaf_squares), 1, 1e-14);
    EXPECT_NEAR(scale.level() / (eps * std::sqrt(weight * weight * centre + leaf_squares)), 1, 1e-14);
  }
}

}  // namespace
}  // namespace Tessera::test
