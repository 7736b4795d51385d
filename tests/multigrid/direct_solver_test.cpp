// What is demanded of direct solvers from outside, by solvers that are wrong on purpose.
#include "multigrid/direct_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/error.hpp"

namespace Tessera::multigrid {
namespace {

/// Gives b times a factor.
class Scaling final : public DirectSolver {
 public:
  explicit Scaling(double factor) : factor_(factor) {}
  void solve(Span<double const> b, Span<double> x) override {
    for (std::size_t i = 0; i < b.size(); ++i) x[i] = factor_ * b[i];
  }
  GlobalIndex factor_entries() const override { return 0; }

 private:
  double factor_;
};

/// diag(2, 2, 2), by a solver that multiplies by a factor.
std::unique_ptr<DirectSolver> solved_by(double factor) {
  static std::vector<Offset> const offsets{0, 1, 2, 3};
  static std::vector<Index> const columns{0, 1, 2};
  static std::vector<double> const values{2, 2, 2};
  sparse::CsrView<double> const A{3, 3, {offsets.data(), 4}, {columns.data(), 3}, {values.data(), 3}};
  DirectSolvers const solvers{"a solver", [&](auto const&) { return std::make_unique<Scaling>(factor); }};
  return factored_and_checked(solvers, A);
}

std::string refusal(double factor) {
  try {
    solved_by(factor);
  } catch (core::NumericalError const& error) {
    return error.what();
  }
  return "nothing is refused";
}

TEST(DirectSolver, OneThatSolvesIsTaken) {
  auto const solver = solved_by(0.5);
  double const b = 3;
  double x = 0;
  solver->solve({&b, 1}, {&x, 1});
  EXPECT_EQ(x, 1.5);
}

// x = 0.5005: ||b - A x|| = 0.001 beside ||A|| ||x|| + ||b|| = 2.001.
TEST(DirectSolver, OneThatSolvesWronglyIsRefusedByItsBackwardError) {
  EXPECT_NE(refusal(0.5005).find("a solver does not solve"), std::string::npos) << refusal(0.5005);
  EXPECT_NE(refusal(0).find("a solver does not solve"), std::string::npos);
}

TEST(DirectSolver, OneWhoseSolutionIsHugeOrNoNumberFindsTheMatrixSingular) {
  for (double const factor : {1e20, HUGE_VAL, std::nan("")})
    EXPECT_NE(refusal(factor).find("singular"), std::string::npos) << refusal(factor);
}

}  // namespace
}  // namespace Tessera::multigrid
