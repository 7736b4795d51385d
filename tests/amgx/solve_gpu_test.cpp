// Mode dDDI: results are bitwise those of mode hDDI, from arrays of the host and of the device.
#include "amgx/calls.hpp"
#include "core/array.hpp"
#include "oracle/generators.hpp"
#include "support/device.hpp"

namespace Tessera::test {
namespace {

std::vector<double> solved(BlockSystem& A, std::vector<double> const& b, std::string const& options,
                           AMGX_Mode mode) {
  Objects const objects(options, mode);
  EXPECT_RC_OK(objects.upload(A));
  if (A.block > 1) EXPECT_RC_OK(objects.attach(A));
  EXPECT_RC_OK(AMGX_solver_setup(objects.solver, objects.matrix));
  auto x = objects.solve(A, b);
  EXPECT_EQ(objects.status(), AMGX_SOLVE_SUCCESS);
  EXPECT_LE(relative_residual(A, x, b), 1.001e-9);
  return x;
}

TEST_F(Amgx, TheDeviceSolvesBitwiseAsTheHost) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  BlockSystem systems[] = {in_blocks_of(1, oracle::to_dense(oracle::laplace(30, 30).view())), truss(30, 2),
                           truss(9, 3)};
  for (auto& A : systems) {
    auto const b = oracle::random_vector(static_cast<std::size_t>(A.nodes()) * A.block, 7);
    for (auto const& options :
         {solver_of("PCG"), solver_of("PCGF"), solver_of("AMG"), solver_of("PCG", "CHEBYSHEV")})
      EXPECT_TRUE(
          oracle::same_bits(solved(A, b, options, AMGX_mode_hDDI), solved(A, b, options, AMGX_mode_dDDI)))
          << options;
  }
}

TEST_F(Amgx, ArraysOfTheDeviceAreRead) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const cuda = core::make_cuda(0);  // that of AMGX_resources_create_simple
  auto A = truss(12, 3);
  auto const b = oracle::random_vector(static_cast<std::size_t>(A.nodes()) * 3, 7);
  auto const x = solved(A, b, solver_of("PCG"), AMGX_mode_dDDI);
  Objects const objects(solver_of("PCG"), AMGX_mode_dDDI);
  auto const offsets = core::to_space(cuda, A.offsets), columns = core::to_space(cuda, A.columns);
  auto const values = core::to_space(cuda, A.values), rhs = core::to_space(cuda, b);
  core::Array<double, core::Cuda> solution(cuda, b.size());
  core::synchronize(cuda);
  EXPECT_RC_OK(AMGX_matrix_upload_all(objects.matrix, A.nodes(), A.entries(), 3, 3, offsets.data(),
                                      columns.data(), values.data(), nullptr));
  EXPECT_RC_OK(objects.attach(A));
  EXPECT_RC_OK(AMGX_solver_setup(objects.solver, objects.matrix));
  EXPECT_RC_OK(AMGX_vector_upload(objects.b, A.nodes(), 3, rhs.data()));
  EXPECT_RC_OK(AMGX_solver_solve_with_0_initial_guess(objects.solver, objects.b, objects.x));
  EXPECT_RC_OK(AMGX_vector_download(objects.x, solution.data()));
  std::vector<double> fetched(b.size());
  EXPECT_RC_OK(AMGX_vector_download(objects.x, fetched.data()));
  EXPECT_TRUE(oracle::same_bits(fetched, core::to_vector(cuda, solution.view())));
  EXPECT_LE(relative_residual(A, fetched, b), 1.001e-9);
  EXPECT_LT(oracle::largest_difference(x, fetched), 1e-9 * norm(x));
  EXPECT_RC_OK(
      AMGX_matrix_replace_coefficients(objects.matrix, A.nodes(), A.entries(), values.data(), nullptr));
  EXPECT_RC_OK(AMGX_solver_resetup(objects.solver, objects.matrix));
  AMGX_matrix_handle on_host = nullptr;
  EXPECT_RC_OK(AMGX_matrix_create(&on_host, objects.resources, AMGX_mode_hDDI));
  expect_failure(AMGX_matrix_upload_all(on_host, A.nodes(), A.entries(), 3, 3, offsets.data(), columns.data(),
                                        values.data(), nullptr),
                 AMGX_RC_BAD_PARAMETERS, "mode hDDI does not read");
}

}  // namespace
}  // namespace Tessera::test
