// Smoothers from outside: what becomes of vectors and of blocks on their way, and what is refused.
#include "multigrid/foreign_smoother.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/error.hpp"
#include "multigrid/levels/hierarchy.hpp"
#include "multigrid/systems.hpp"
#include "oracle/generators.hpp"

namespace Tessera::multigrid {
namespace {

/// x = factor D^-1 b: damped Jacobi, which is ours, too.
class Jacobi final : public ForeignSmoother {
 public:
  Jacobi(MatrixOnHost const& A, double factor) {
    for (Index i = 0; i < A.local.rows; ++i)
      for (auto k = A.local.offsets[i]; k < A.local.offsets[i + 1]; ++k)
        if (A.local.column[k] == i) inverse_.push_back(factor / A.local.value[k]);
  }
  void apply(Span<double const> b, Span<double> x) override {
    for (std::size_t i = 0; i < b.size(); ++i) x[i] = inverse_[i] * b[i];
  }

 private:
  std::vector<double> inverse_;
};

ForeignSmoothers jacobi(double factor) {
  return {"a smoother", "", true, [factor](auto const& A) { return std::make_unique<Jacobi>(A, factor); }};
}

Parameters smoothed_by(double factor, SmootherType type) {
  Parameters p;
  p.coarse_max_size = 20;
  p.smoother.type = type;
  p.smoother.foreign = jacobi(factor);
  p.smoother.damping = factor;
  p.smoother.sweeps = 2;
  return p;
}

template <class T>
Hierarchy<T, Host> made(comm::DistCsr<double, Host> const& A, Parameters const& p) {
  return {Host{}, A, test::node_ids_on(Host{}, A.rows), {}, p};
}

/// b, and what M^-1 makes of it.
template <class T>
void expect_the_same(double tolerance) {
  comm::Communicator const world(MPI_COMM_WORLD);
  auto const whole = oracle::laplace(24, 24);
  auto const A = test::distribute(whole, test::share(world, whole.rows, false));
  for (auto cycle : {CycleType::V, CycleType::W, CycleType::F, CycleType::K}) {
    for (auto when : {PreOrPost::pre, PreOrPost::post, PreOrPost::both}) {
      auto ours = smoothed_by(0.6, SmootherType::jacobi), foreign = smoothed_by(0.6, SmootherType::foreign);
      for (auto* p : {&ours, &foreign}) {
        p->cycle = cycle;
        p->smoother.pre_or_post = when;
      }
      auto M = made<T>(A, ours), N = made<T>(A, foreign);
      std::vector<double> b;
      for (auto i = A.rows.begin(); i < A.rows.begin() + A.rows.local_size(); ++i)
        b.push_back(std::sin(1.0 + 3.0 * static_cast<double>(i)));
      auto const x = test::precondition(M, b), y = test::precondition(N, b);
      for (std::size_t i = 0; i < b.size(); ++i) EXPECT_NEAR(x[i], y[i], tolerance);
    }
  }
}

TEST(ForeignSmoother, SmoothsWhereOursDoesTheSame) {
  expect_the_same<double>(1e-12);
  expect_the_same<float>(1e-4);
}

TEST(ForeignSmoother, ColumnsOfABlockAreBitwiseWhatTheyAreAlone) {
  comm::Communicator const world(MPI_COMM_WORLD);
  auto const whole = oracle::laplace(24, 24);
  auto const A = test::distribute(whole, test::share(world, whole.rows));
  auto M = made<double>(A, smoothed_by(0.6, SmootherType::foreign));
  using X = core::Interleaved<double, 4>;
  M.reserve_columns(4);
  auto const rows = static_cast<std::size_t>(A.local.rows);
  auto const entry = [&](std::size_t i, std::size_t c) {
    return std::cos(static_cast<double>((A.rows.begin() + static_cast<GlobalIndex>(i)) * (1 + c)));
  };
  auto const block = core::numbers(M.block_input<X>());
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t c = 0; c < 4; ++c) block[4 * i + c] = entry(i, c);
  M.apply_block(4);
  auto const result = core::numbers(M.block_output<X>());
  std::vector<double> const together(result.begin(), result.begin() + 4 * rows);
  for (std::size_t c = 0; c < 4; ++c) {
    std::vector<double> b;
    for (std::size_t i = 0; i < rows; ++i) b.push_back(entry(i, c));
    auto const alone = test::precondition(M, b);
    for (std::size_t i = 0; i < rows; ++i) EXPECT_EQ(together[4 * i + c], alone[i]) << i << ", " << c;
  }
}

TEST(ForeignSmoother, RefreshedItIsOneOfTheNewValues) {
  comm::Communicator const world(MPI_COMM_WORLD);
  auto const whole = oracle::laplace(24, 24);
  auto A = test::distribute(whole, test::share(world, whole.rows));
  auto const p = smoothed_by(0.6, SmootherType::foreign);
  auto M = made<double>(A, p);
  for (auto& value : A.local.value.span()) value *= 3;
  M.refresh(A);
  auto N = made<double>(A, p);
  std::vector<double> const b(static_cast<std::size_t>(A.local.rows), 1.0);
  EXPECT_EQ(test::precondition(M, b), test::precondition(N, b));
}

/// One rank's smoother is no number: all throw.
TEST(ForeignSmoother, OneThatMakesNoNumbersIsRefusedOnAllRanks) {
  comm::Communicator const world(MPI_COMM_WORLD);
  auto const whole = oracle::laplace(24, 24);
  auto const A = test::distribute(whole, test::share(world, whole.rows));
  for (double const factor : {INFINITY, NAN}) {
    auto p = smoothed_by(0.6, SmootherType::foreign);
    if (world.rank() + 1 == world.size()) p.smoother.foreign = jacobi(factor);
    try {
      made<double>(A, p);
      ADD_FAILURE() << "nothing is thrown";
    } catch (core::NumericalError const& error) {
      EXPECT_NE(std::string(error.what()).find("a smoother makes"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace Tessera::multigrid
