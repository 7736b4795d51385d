// Systems, solvers and refreshes of the C interface.
#include "amgx/calls.hpp"
#include "oracle/generators.hpp"
#include "oracle/lapack.hpp"

namespace Tessera::test {
namespace {

std::vector<double> random(BlockSystem const& A) {
  return oracle::random_vector(static_cast<std::size_t>(A.nodes()) * A.block, 7);
}

TEST_F(Amgx, BlocksOfOneToFiveRowsAreSolvedAsByLapack) {
  for (int const block : {1, 2, 3, 4, 5}) {
    auto const dense = oracle::to_dense(oracle::random_spd(120 * block, 4, 3).view());
    auto const A = in_blocks_of(block, dense);
    auto const b = random(A);
    Objects const objects(solver_of("PCG"));
    EXPECT_RC_OK(objects.upload(A));
    EXPECT_RC_OK(AMGX_solver_setup(objects.solver, objects.matrix));
    auto const x = objects.solve(A, b);
    EXPECT_EQ(objects.status(), AMGX_SOLVE_SUCCESS);
    EXPECT_LT(oracle::largest_difference(x, oracle::solve(dense, b)), 1e-7) << block;
    int n = 0, rows = 0, columns = 0;
    EXPECT_RC_OK(AMGX_matrix_get_size(objects.matrix, &n, &rows, &columns));
    EXPECT_EQ((std::vector{n, rows, columns}), (std::vector{120, block, block}));
  }
}

// Row-major blocks: [2 -1; -1 2] with the entries of its transpose would be the same, so the blocks here are
// not symmetric, only the matrix is.
//     [4 0 | 1 0]
//     [0 4 | 2 1]      x = (1, 2, 3, 4): A x = (7, 18, 17, 18)
//     [1 2 | 4 0]
//     [0 1 | 0 4]
TEST_F(Amgx, BlocksAreRowMajor) {
  BlockSystem A;
  A.block = 2;
  A.offsets = {0, 2, 4};
  A.columns = {0, 1, 1, 0};
  A.values = {4, 0, 0, 4, 1, 0, 2, 1, 4, 0, 0, 4, 1, 2, 0, 1};
  Objects const objects(solver_of("CG"));
  EXPECT_RC_OK(objects.upload(A));
  EXPECT_RC_OK(AMGX_solver_setup(objects.solver, objects.matrix));
  auto const x = objects.solve(A, {7, 18, 17, 18});
  EXPECT_LT(oracle::largest_difference(x, {1, 2, 3, 4}), 1e-8);
}

TEST_F(Amgx, SeparateDiagonalBlocksBelongToTheMatrix) {
  auto const dense = oracle::to_dense(oracle::random_spd(90, 4, 5).view());
  auto off_diagonal = dense;
  std::vector<double> diagonal;
  for (Index i = 0; i < dense.rows; i += 3) {
    for (Index r = 0; r < 3; ++r) {
      for (Index c = 0; c < 3; ++c) {
        diagonal.push_back(dense(i + r, i + c));
        off_diagonal(i + r, i + c) = 0;
      }
    }
  }
  auto const A = in_blocks_of(3, off_diagonal);
  auto const b = random(A);
  Objects const objects(solver_of("PCG"));
  EXPECT_RC_OK(objects.upload(A, diagonal.data()));
  EXPECT_RC_OK(AMGX_solver_setup(objects.solver, objects.matrix));
  EXPECT_LT(oracle::largest_difference(objects.solve(A, b), oracle::solve(dense, b)), 1e-7);
  expect_failure(objects.replace(A), AMGX_RC_BAD_PARAMETERS, "diag_data is null");
  for (double& value : diagonal) value *= 2;
  auto twice = A;
  for (double& value : twice.values) value *= 2;
  EXPECT_RC_OK(AMGX_matrix_replace_coefficients(objects.matrix, A.nodes(), A.entries(), twice.values.data(),
                                                diagonal.data()));
  EXPECT_RC_OK(AMGX_solver_resetup(objects.solver, objects.matrix));
  auto half = oracle::solve(dense, b);
  for (double& value : half) value /= 2;
  EXPECT_LT(oracle::largest_difference(objects.solve(A, b), half), 1e-7);
}

TEST_F(Amgx, EverySolverSolvesPoisson) {
  auto const matrix = oracle::laplace(9, 9);
  auto const A = in_blocks_of(1, oracle::to_dense(matrix.view()));
  auto const b = random(A);
  for (auto const* const name : {"PCG", "PCGF", "CG", "AMG", "BLOCK_JACOBI", "JACOBI_L1", "CHEBYSHEV"}) {
    Objects const objects(solver_of(name));
    EXPECT_RC_OK(objects.upload(A));
    EXPECT_RC_OK(AMGX_solver_setup(objects.solver, objects.matrix));
    auto const x = objects.solve(A, b);
    EXPECT_EQ(objects.status(), AMGX_SOLVE_SUCCESS) << name;
    EXPECT_LE(relative_residual(A, x, b), 1.001e-9) << name;
  }
}

TEST_F(Amgx, EveryPreconditionerSavesIterations) {
  auto const A = in_blocks_of(1, oracle::to_dense(oracle::anisotropic_laplace(40, 20, 1, 1, 30, 1).view()));
  auto const b = random(A);
  auto const iterations = [&](std::string const& options) {
    Objects const objects(options);
    EXPECT_RC_OK(objects.upload(A));
    EXPECT_RC_OK(AMGX_solver_setup(objects.solver, objects.matrix));
    objects.solve(A, b);
    EXPECT_EQ(objects.status(), AMGX_SOLVE_SUCCESS) << options;
    return objects.iterations();
  };
  int const without = iterations(solver_of("CG"));
  EXPECT_EQ(iterations(solver_of("PCG", "NOSOLVER")), without);
  EXPECT_LT(iterations(solver_of("PCG", "CHEBYSHEV")), without);
  EXPECT_LT(4 * iterations(solver_of("PCG", "AMG")), without);
  EXPECT_LT(4 * iterations(solver_of("PCG", "AMG", R"(, "tessera": {"cycle type": "K"})")), without);
  EXPECT_LT(4 * iterations(solver_of("PCG", "AMG", R"(, "tessera": {"multigrid algorithm": "classical"})")),
            without);
  EXPECT_LT(2 * iterations(solver_of("PCG", "AMG", R"(, "tessera": {"multigrid algorithm": "fsai"})")),
            without);
  EXPECT_LT(
      4 * iterations(
              R"({"solver": {"solver": "PCG", "convergence": "RELATIVE_INI", "tolerance": 1e-9, "preconditioner":
    {"solver": "AMG", "algorithm": "CLASSICAL", "strength_threshold": 0.25, "interp_max_elements": 4,
     "interp_truncation_factor": 1.1, "smoother": "JACOBI_L1"}}})"),
      without);
  EXPECT_LE(iterations(solver_of("PCG", "BLOCK_JACOBI")), without + 1);
  EXPECT_LE(iterations(solver_of("PCG", "JACOBI_L1")), without + 1);
}

TEST_F(Amgx, CoordinatesGiveRigidBodyModes) {
  for (int const dimension : {2, 3}) {
    auto A = truss(dimension == 2 ? 40 : 12, dimension);
    auto const b = random(A);
    int iterations[2];
    for (bool const with : {false, true}) {
      Objects const objects(solver_of("PCG"));
      EXPECT_RC_OK(objects.upload(A));
      if (with) EXPECT_RC_OK(objects.attach(A));
      EXPECT_RC_OK(AMGX_solver_setup(objects.solver, objects.matrix));
      EXPECT_LE(relative_residual(A, objects.solve(A, b), b), 1.001e-9);
      iterations[with ? 1 : 0] = objects.iterations();
    }
    EXPECT_LT(4 * iterations[1], 3 * iterations[0]) << dimension << " dimensions";
  }
}

TEST_F(Amgx, ResetupIsASetupWithTheSameAggregates) {
  auto A = truss(9, 3);
  auto const b = random(A);
  Objects const objects(solver_of("PCG"));
  EXPECT_RC_OK(objects.upload(A));
  EXPECT_RC_OK(objects.attach(A));
  EXPECT_RC_OK(AMGX_solver_setup(objects.solver, objects.matrix));
  for (double const factor : {3.0, 5.0}) {
    auto changed = A;
    for (double& value : changed.values) value *= factor;
    EXPECT_RC_OK(objects.replace(changed));
    EXPECT_RC_OK(AMGX_solver_resetup(objects.solver, objects.matrix));
    auto const refreshed = objects.solve(changed, b);
    EXPECT_EQ(objects.status(), AMGX_SOLVE_SUCCESS);
    EXPECT_LE(relative_residual(changed, refreshed, b), 1.001e-9);
    Objects const others(solver_of("PCG"));
    EXPECT_RC_OK(others.upload(changed));
    EXPECT_RC_OK(others.attach(changed));
    EXPECT_RC_OK(AMGX_solver_setup(others.solver, others.matrix));
    EXPECT_TRUE(oracle::same_bits(refreshed, others.solve(changed, b))) << factor;
  }
}

TEST_F(Amgx, ReplacedCoefficientsActAtOnceAndTheOldHierarchyServesThem) {
  auto const A = in_blocks_of(1, oracle::to_dense(oracle::laplace(15, 15).view()));
  auto const b = random(A);
  Objects const objects(solver_of("PCG"));
  EXPECT_RC_OK(objects.upload(A));
  EXPECT_RC_OK(AMGX_solver_setup(objects.solver, objects.matrix));
  auto changed = A;
  for (int i = 0; i < A.nodes(); ++i)
    for (int k = A.offsets[i]; k < A.offsets[i + 1]; ++k)
      if (A.columns[k] == i) changed.values[k] += 0.1;
  EXPECT_RC_OK(objects.replace(changed));
  EXPECT_LE(relative_residual(changed, objects.solve(changed, b), b), 1.001e-9);
  EXPECT_RC_OK(objects.upload(changed));
  expect_failure(AMGX_solver_solve(objects.solver, objects.b, objects.x), AMGX_RC_BAD_PARAMETERS,
                 "AMGX_solver_setup again");
  EXPECT_RC_OK(AMGX_solver_resetup(objects.solver, objects.matrix));
  EXPECT_LE(relative_residual(changed, objects.solve(changed, b), b), 1.001e-9);
}

TEST_F(Amgx, EntriesBeyondTheRangeOfFloatTakeLevelsInDouble) {
  auto A = in_blocks_of(1, oracle::to_dense(oracle::laplace(40, 40).view()));
  auto const b = random(A);
  Objects const objects(solver_of("PCG"));
  EXPECT_RC_OK(objects.upload(A));
  EXPECT_RC_OK(AMGX_solver_setup(objects.solver, objects.matrix));
  objects.solve(A, b);
  int const iterations = objects.iterations();
  for (double const factor : {1e40, 1e-80}) {  // products: 1e40, 1e-40
    for (double& value : A.values) value *= factor;
    EXPECT_RC_OK(objects.replace(A));
    EXPECT_RC_OK(AMGX_solver_resetup(objects.solver, objects.matrix));
    auto const x = objects.solve(A, b);
    EXPECT_EQ(objects.status(), AMGX_SOLVE_SUCCESS);
    EXPECT_LE(relative_residual(A, x, b), 1.001e-9) << factor;
    EXPECT_LE(objects.iterations(), iterations + 1) << factor;
  }
}

TEST_F(Amgx, TheSolutionIsTheInitialGuess) {
  auto const A = in_blocks_of(1, oracle::to_dense(oracle::laplace(30).view()));
  auto const b = random(A);
  Objects const objects(
      R"(solver=PCG, convergence=ABSOLUTE, tolerance=1e-10, max_iters=200, monitor_residual=1)");
  EXPECT_RC_OK(objects.upload(A));
  EXPECT_RC_OK(AMGX_solver_setup(objects.solver, objects.matrix));
  auto const x = objects.solve(A, b);
  EXPECT_RC_OK(AMGX_solver_solve(objects.solver, objects.b, objects.x));
  EXPECT_EQ(objects.iterations(), 0);
  AMGX_vector_handle empty = nullptr;
  EXPECT_RC_OK(AMGX_vector_create(&empty, objects.resources, objects.mode));
  EXPECT_RC_OK(AMGX_solver_solve_with_0_initial_guess(objects.solver, objects.b, empty));
  std::vector<double> again(x.size());
  EXPECT_RC_OK(AMGX_vector_download(empty, again.data()));
  EXPECT_LT(oracle::largest_difference(x, again), 1e-12);
  int n = 0, block = 0;
  EXPECT_RC_OK(AMGX_vector_get_size(empty, &n, &block));
  EXPECT_EQ((std::vector{n, block}), (std::vector{30, 1}));
  EXPECT_RC_OK(AMGX_vector_set_zero(empty, 10, 3));
  EXPECT_RC_OK(AMGX_vector_download(empty, again.data()));
  EXPECT_EQ(norm(again), 0);
  expect_failure(AMGX_solver_solve(objects.solver, objects.b, empty), AMGX_RC_BAD_PARAMETERS,
                 "the solution has 10 blocks of 3 rows, but the matrix has 30 of 1");
}

TEST_F(Amgx, ResidualNormsOfAllIterationsAreKept) {
  auto const A = in_blocks_of(1, oracle::to_dense(oracle::laplace(20, 20).view()));
  auto const b = random(A);
  for (auto const* const name : {"PCG", "AMG"}) {
    Objects const objects(solver_of(name));
    EXPECT_RC_OK(objects.upload(A));
    EXPECT_RC_OK(AMGX_solver_setup(objects.solver, objects.matrix));
    auto const x = objects.solve(A, b);
    double first = 0, last = 0;
    EXPECT_RC_OK(AMGX_solver_get_iteration_residual(objects.solver, 0, 0, &first));
    EXPECT_RC_OK(AMGX_solver_get_iteration_residual(objects.solver, objects.iterations(), 0, &last));
    EXPECT_NEAR(first, norm(b), 1e-12 * norm(b)) << name;
    EXPECT_NEAR(last / first, relative_residual(A, x, b), 1e-12) << name;
    expect_failure(AMGX_solver_get_iteration_residual(objects.solver, objects.iterations() + 1, 0, &last),
                   AMGX_RC_BAD_PARAMETERS, "was not made");
    expect_failure(AMGX_solver_get_iteration_residual(objects.solver, 0, 1, &last), AMGX_RC_BAD_PARAMETERS,
                   "component 1");
  }
}

TEST_F(Amgx, StatusTellsWhyASolveEnded) {
  auto A = in_blocks_of(1, oracle::to_dense(oracle::laplace(40, 40).view()));
  auto const b = random(A);
  auto const status = [&](BlockSystem const& matrix, std::string const& options) {
    Objects const objects(options);
    EXPECT_RC_OK(objects.upload(matrix));
    EXPECT_RC_OK(AMGX_solver_setup(objects.solver, objects.matrix));
    objects.solve(matrix, b);
    return objects.status();
  };
  std::string const few = "solver=CG, convergence=RELATIVE_INI, tolerance=1e-9, max_iters=3";
  EXPECT_EQ(status(A, few + ", monitor_residual=1"), AMGX_SOLVE_NOT_CONVERGED);
  EXPECT_EQ(status(A, few + ", monitor_residual=0"), AMGX_SOLVE_SUCCESS);  // no convergence was asked for
  for (double& value : A.values) value = -value;
  EXPECT_EQ(status(A, "solver=CG, max_iters=50, monitor_residual=1"), AMGX_SOLVE_FAILED);
}

}  // namespace
}  // namespace Tessera::test
