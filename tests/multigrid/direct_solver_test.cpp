// What is demanded of direct solvers from outside, by solvers that are wrong on purpose.
#include "multigrid/direct_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/error.hpp"

namespace Tessera::multigrid {
namespace {

/// Gives b times a factor.
class Scaling final : public sparse::DirectSolver<Host> {
 public:
  explicit Scaling(double factor) : factor_(factor) {}
  void solve(Host const&, Span<double const> b, Span<double> x) override {
    for (std::size_t i = 0; i < b.size(); ++i) x[i] = factor_ * b[i];
  }
  void refactor(Host const&, sparse::Csr<double, Host> const&) override {}
  GlobalIndex factor_entries() const override { return 0; }

 private:
  double factor_;
};

/// diag(2, 2, 2), by a solver that multiplies by a factor.
void demand_solution(double factor) {
  static std::vector<Offset> const offsets{0, 1, 2, 3};
  static std::vector<Index> const columns{0, 1, 2};
  static std::vector<double> const values{2, 2, 2};
  Scaling solver(factor);
  require_solution("a solver", solver, Host{},
                   {3, 3, {offsets.data(), 4}, {columns.data(), 3}, {values.data(), 3}});
}

std::string refusal(double factor) {
  try {
    demand_solution(factor);
  } catch (core::NumericalError const& error) {
    return error.what();
  }
  return "nothing is refused";
}

TEST(DirectSolver, OneThatSolvesIsTaken) {
  EXPECT_NO_THROW(demand_solution(0.5));
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
