/* A program as those for AmgX: Poisson's equation on n x n points, solved twice, and a call that fails. */
#include "amgx/tessera_amgx.h"

#include <math.h>
#include <string.h>

enum { n = 100, rows = n * n };

static int row_ptrs[rows + 1], col_indices[5 * rows];
static double data[5 * rows], b[rows], x[rows];

static void require(int fulfilled, int line) {
  if (fulfilled) return;
  fprintf(stderr, "line %d: not as it should be\n", line);
  exit(1);
}
#define REQUIRE(condition) require(condition, __LINE__)

static void assemble(double diagonal) {
  int entries = 0, i, k;
  int const step[5] = {-n, -1, 0, 1, n};
  for (i = 0; i < rows; ++i) {
    row_ptrs[i] = entries;
    for (k = 0; k < 5; ++k) {
      if ((k == 0 && i < n) || (k == 4 && i >= rows - n) || (k == 1 && i % n == 0) ||
          (k == 3 && i % n == n - 1))
        continue;
      col_indices[entries] = i + step[k];
      data[entries++] = k == 2 ? diagonal : -1;
    }
  }
  row_ptrs[rows] = entries;
}

/* ||b - A x|| / ||b|| */
static double relative_residual(void) {
  double of_r = 0, of_b = 0;
  int i, k;
  for (i = 0; i < rows; ++i) {
    double r = b[i];
    for (k = row_ptrs[i]; k < row_ptrs[i + 1]; ++k) r -= data[k] * x[col_indices[k]];
    of_r += r * r;
    of_b += b[i] * b[i];
  }
  return sqrt(of_r / of_b);
}

static void print(const char* text, int length) {
  fwrite(text, 1, (size_t)length, stdout);
}

int main(int argc, char** argv) {
  AMGX_Mode const mode = argc > 1 && strcmp(argv[1], "dDDI") == 0 ? AMGX_mode_dDDI : AMGX_mode_hDDI;
  AMGX_config_handle config;
  AMGX_resources_handle resources;
  AMGX_matrix_handle A;
  AMGX_vector_handle rhs, solution;
  AMGX_solver_handle solver;
  AMGX_SOLVE_STATUS status;
  int i, iterations, again;

  AMGX_SAFE_CALL(AMGX_initialize());
  AMGX_SAFE_CALL(AMGX_register_print_callback(print));
  AMGX_SAFE_CALL(AMGX_config_create(
      &config,
      "config_version=2, solver(main)=PCG, main:preconditioner(amg)=AMG, main:max_iters=100, "
      "main:tolerance=1e-8, main:convergence=RELATIVE_INI, main:monitor_residual=1"));
  AMGX_SAFE_CALL(AMGX_config_add_parameters(&config, "amg:print_grid_stats=1"));
  AMGX_SAFE_CALL(AMGX_resources_create_simple(&resources, config));
  AMGX_SAFE_CALL(AMGX_matrix_create(&A, resources, mode));
  AMGX_SAFE_CALL(AMGX_vector_create(&rhs, resources, mode));
  AMGX_SAFE_CALL(AMGX_vector_create(&solution, resources, mode));
  AMGX_SAFE_CALL(AMGX_solver_create(&solver, resources, mode, config));

  assemble(4);
  for (i = 0; i < rows; ++i) b[i] = 1;
  AMGX_SAFE_CALL(AMGX_matrix_upload_all(A, rows, row_ptrs[rows], 1, 1, row_ptrs, col_indices, data, NULL));
  AMGX_SAFE_CALL(AMGX_vector_bind(rhs, A));
  AMGX_SAFE_CALL(AMGX_vector_bind(solution, A));
  AMGX_SAFE_CALL(AMGX_vector_upload(rhs, rows, 1, b));
  AMGX_SAFE_CALL(AMGX_vector_set_zero(solution, rows, 1));
  AMGX_SAFE_CALL(AMGX_solver_setup(solver, A));
  AMGX_SAFE_CALL(AMGX_solver_solve(solver, rhs, solution));
  AMGX_SAFE_CALL(AMGX_solver_get_status(solver, &status));
  AMGX_SAFE_CALL(AMGX_solver_get_iterations_number(solver, &iterations));
  AMGX_SAFE_CALL(AMGX_vector_download(solution, x));
  printf("%d iterations, relative residual %.2e\n", iterations, relative_residual());
  REQUIRE(status == AMGX_SOLVE_SUCCESS && iterations < 20 && relative_residual() <= 1.001e-8);

  assemble(4.1);
  AMGX_SAFE_CALL(AMGX_matrix_replace_coefficients(A, rows, row_ptrs[rows], data, NULL));
  AMGX_SAFE_CALL(AMGX_solver_resetup(solver, A));
  AMGX_SAFE_CALL(AMGX_solver_solve_with_0_initial_guess(solver, rhs, solution));
  AMGX_SAFE_CALL(AMGX_solver_get_iterations_number(solver, &again));
  AMGX_SAFE_CALL(AMGX_vector_download(solution, x));
  printf("%d iterations, relative residual %.2e\n", again, relative_residual());
  REQUIRE(again <= iterations && relative_residual() <= 1.001e-8);

  AMGX_SAFE_CALL(AMGX_solver_destroy(solver));
  REQUIRE(AMGX_solver_solve(solver, rhs, solution) == AMGX_RC_BAD_PARAMETERS);
  REQUIRE(AMGX_solver_destroy(solver) == AMGX_RC_BAD_PARAMETERS);
  AMGX_SAFE_CALL(AMGX_vector_destroy(solution));
  AMGX_SAFE_CALL(AMGX_vector_destroy(rhs));
  AMGX_SAFE_CALL(AMGX_matrix_destroy(A));
  AMGX_SAFE_CALL(AMGX_resources_destroy(resources));
  AMGX_SAFE_CALL(AMGX_config_destroy(config));
  AMGX_SAFE_CALL(AMGX_finalize());
  return 0;
}
