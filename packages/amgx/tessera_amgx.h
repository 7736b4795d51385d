/* The C interface of AmgX (API version 2) on Tessera, for one GPU or the host: libtessera_amgx.so.
 *
 * Names, arguments and numbers are those of AmgX's reference manual, so programs that were compiled for AmgX,
 * or load it by name, run unchanged. docs/embedding.md describes what differs: solvers are for symmetric
 * positive definite matrices, and configurations also take Tessera's parameters.
 *
 * Every function but those of the section "No object is needed" fails before AMGX_initialize(). A function
 * that fails returns a code other than AMGX_RC_OK and changes nothing, unless its comment says more;
 * AMGX_get_error_string() then has the reason. Calls of several threads run one after another. */
#ifndef TESSERA_AMGX_H
#define TESSERA_AMGX_H

/* NOLINTBEGIN(modernize-deprecated-headers, modernize-use-using): this is C. */
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  AMGX_RC_OK = 0,
  AMGX_RC_BAD_PARAMETERS = 1,
  AMGX_RC_UNKNOWN = 2,
  AMGX_RC_NOT_SUPPORTED_TARGET = 3,
  AMGX_RC_NOT_SUPPORTED_BLOCKSIZE = 4,
  AMGX_RC_CUDA_FAILURE = 5,
  AMGX_RC_THRUST_FAILURE = 6,
  AMGX_RC_NO_MEMORY = 7,
  AMGX_RC_IO_ERROR = 8,
  AMGX_RC_BAD_MODE = 9,
  AMGX_RC_CORE = 10,
  AMGX_RC_PLUGIN = 11,
  AMGX_RC_BAD_CONFIGURATION = 12,
  AMGX_RC_NOT_IMPLEMENTED = 13,
  AMGX_RC_LICENSE_NOT_FOUND = 14,
  AMGX_RC_INTERNAL = 15
} AMGX_RC;

typedef enum {
  AMGX_SOLVE_SUCCESS = 0,      /* also: b - A x has reached the rounding level of double */
  AMGX_SOLVE_FAILED = 1,       /* matrix or preconditioner not positive definite, or b not in the range */
  AMGX_SOLVE_DIVERGED = 2,     /* not a number, or infinite */
  AMGX_SOLVE_NOT_CONVERGED = 3
} AMGX_SOLVE_STATUS;

/* Memory (h: host, d: device), vectors, matrix (D: double, F: float, Z and C: complex), indices (I: 32 bits). All
 * but the first two are refused: setups choose the precision of cycles themselves. */
typedef enum {
  AMGX_mode_hDDI = 8192,
  AMGX_mode_dDDI = 8193,
  AMGX_mode_hDFI = 8448,
  AMGX_mode_dDFI = 8449,
  AMGX_mode_hFFI = 8464,
  AMGX_mode_dFFI = 8465,
  AMGX_mode_hZZI = 8736,
  AMGX_mode_dZZI = 8737,
  AMGX_mode_hZCI = 8992,
  AMGX_mode_dZCI = 8993,
  AMGX_mode_hCCI = 9008,
  AMGX_mode_dCCI = 9009
} AMGX_Mode;

typedef struct AMGX_config_opaque *AMGX_config_handle;
typedef struct AMGX_resources_opaque *AMGX_resources_handle;
typedef struct AMGX_matrix_opaque *AMGX_matrix_handle;
typedef struct AMGX_vector_opaque *AMGX_vector_handle;
typedef struct AMGX_solver_opaque *AMGX_solver_handle;

/* msg: `length` characters and a null. */
typedef void (*AMGX_print_callback)(const char *msg, int length);
/* NOLINTEND(modernize-deprecated-headers, modernize-use-using) */

/* No object is needed. */

AMGX_RC AMGX_initialize(void);
/* Also destroys all objects that are left. */
AMGX_RC AMGX_finalize(void);
/* Without effect: there are no plugins. */
AMGX_RC AMGX_initialize_plugins(void);
AMGX_RC AMGX_finalize_plugins(void);
AMGX_RC AMGX_get_api_version(int *major, int *minor);
/* Pointers to texts that stay valid. Date and time are empty, so that builds can be reproduced. */
AMGX_RC AMGX_get_build_info_strings(char **version, char **date, char **time);
/* The reason of this thread's last failure if `err` is its code, else the code's meaning; at most buf_len - 1
 * characters and a null. */
AMGX_RC AMGX_get_error_string(AMGX_RC err, char *buf, int buf_len);
/* Null: statistics go to the standard output, warnings to the standard error. */
AMGX_RC AMGX_register_print_callback(AMGX_print_callback func);
/* Without effect: signals keep the handlers of the program. */
AMGX_RC AMGX_install_signal_handler(void);
AMGX_RC AMGX_reset_signal_handler(void);
/* Without effect: copies go through page-locked memory of Tessera's own. */
AMGX_RC AMGX_pin_memory(void *ptr, unsigned int bytes);
AMGX_RC AMGX_unpin_memory(void *ptr);

/* options: JSON, or scope:name(new scope)=value, separated by commas, semicolons or lines. */
AMGX_RC AMGX_config_create(AMGX_config_handle *cfg, const char *options);
AMGX_RC AMGX_config_create_from_file(AMGX_config_handle *cfg, const char *param_file);
AMGX_RC AMGX_config_create_from_file_and_string(AMGX_config_handle *cfg, const char *param_file,
                                                const char *options);
AMGX_RC AMGX_config_add_parameters(AMGX_config_handle *cfg, const char *options);
AMGX_RC AMGX_config_destroy(AMGX_config_handle cfg);

AMGX_RC AMGX_resources_create_simple(AMGX_resources_handle *rsc, AMGX_config_handle cfg);
/* comm: a pointer to an MPI communicator of one rank, or null. device_num: 1. */
AMGX_RC AMGX_resources_create(AMGX_resources_handle *rsc, AMGX_config_handle cfg, void *comm, int device_num,
                              const int *devices);
AMGX_RC AMGX_resources_destroy(AMGX_resources_handle rsc);

AMGX_RC AMGX_matrix_create(AMGX_matrix_handle *mtx, AMGX_resources_handle rsc, AMGX_Mode mode);
AMGX_RC AMGX_matrix_destroy(AMGX_matrix_handle mtx);
/* A copy of block CSR in the memory of the host or of the device, whatever the mode. n rows and nnz entries of
 * square row-major blocks of 1 to 16 rows. diag_data: n blocks that the rows do not hold, or null. After a
 * failure the matrix is empty. */
AMGX_RC AMGX_matrix_upload_all(AMGX_matrix_handle mtx, int n, int nnz, int block_dimx, int block_dimy,
                               const int *row_ptrs, const int *col_indices, const void *data,
                               const void *diag_data);
/* New values of the same pattern. After a failure the matrix is empty. */
AMGX_RC AMGX_matrix_replace_coefficients(AMGX_matrix_handle mtx, int n, int nnz, const void *data,
                                         const void *diag_data);
AMGX_RC AMGX_matrix_get_size(AMGX_matrix_handle mtx, int *n, int *block_dimx, int *block_dimy);
/* Coordinates of the n nodes, after the upload; geoz null: in the plane. Blocks of 2 rows in the plane, and of
 * 3 in space, are displacements: setups then preserve rigid-body modes. */
AMGX_RC AMGX_matrix_attach_geometry(AMGX_matrix_handle mtx, double *geox, double *geoy, double *geoz, int n);

/* Without effect but for a warning: no smoother needs colours. */
AMGX_RC AMGX_matrix_attach_coloring(AMGX_matrix_handle mtx, int *row_coloring, int num_rows, int num_colors);

AMGX_RC AMGX_vector_create(AMGX_vector_handle *vec, AMGX_resources_handle rsc, AMGX_Mode mode);
AMGX_RC AMGX_vector_destroy(AMGX_vector_handle vec);
/* A copy of n blocks in the memory of the host or of the device, whatever the mode. */
AMGX_RC AMGX_vector_upload(AMGX_vector_handle vec, int n, int block_dim, const void *data);
AMGX_RC AMGX_vector_download(AMGX_vector_handle vec, void *data);
AMGX_RC AMGX_vector_set_zero(AMGX_vector_handle vec, int n, int block_dim);
AMGX_RC AMGX_vector_get_size(AMGX_vector_handle vec, int *n, int *block_dim);
/* Without effect on one GPU, but that the handles are checked. */
AMGX_RC AMGX_vector_bind(AMGX_vector_handle vec, AMGX_matrix_handle mtx);

AMGX_RC AMGX_solver_create(AMGX_solver_handle *slv, AMGX_resources_handle rsc, AMGX_Mode mode,
                           AMGX_config_handle cfg);
AMGX_RC AMGX_solver_destroy(AMGX_solver_handle slv);
AMGX_RC AMGX_solver_setup(AMGX_solver_handle slv, AMGX_matrix_handle mtx);
/* Refreshes values and keeps aggregates and patterns, if the matrix is that of the last setup with replaced
 * coefficients; otherwise a setup. */
AMGX_RC AMGX_solver_resetup(AMGX_solver_handle slv, AMGX_matrix_handle mtx);
/* From the values of sol. A solve that does not converge is no failure: AMGX_solver_get_status() tells. */
AMGX_RC AMGX_solver_solve(AMGX_solver_handle slv, AMGX_vector_handle rhs, AMGX_vector_handle sol);
/* From zero; sol may be empty. */
AMGX_RC AMGX_solver_solve_with_0_initial_guess(AMGX_solver_handle slv, AMGX_vector_handle rhs,
                                               AMGX_vector_handle sol);
AMGX_RC AMGX_solver_get_status(AMGX_solver_handle slv, AMGX_SOLVE_STATUS *st);
AMGX_RC AMGX_solver_get_iterations_number(AMGX_solver_handle slv, int *n);
/* ||b - A x||_2 after `it` iterations, 0 before the first. idx: 0, since norms are of all components. */
AMGX_RC AMGX_solver_get_iteration_residual(AMGX_solver_handle slv, int it, int idx, double *res);

/* Matrix, right-hand side and first guess of a coordinate file of Matrix Market, also compressed by gzip or xz.
 * Its line of words after %%AMGX or %%NVAMG may hold the size of blocks, diagonal, rhs, solution and base0. A
 * right-hand side that the file lacks is all ones, a first guess zero. Each handle may be null. A file that
 * cannot be read changes nothing: AMGX_RC_IO_ERROR. */
AMGX_RC AMGX_read_system(AMGX_matrix_handle mtx, AMGX_vector_handle rhs, AMGX_vector_handle sol,
                         const char *filename);

#ifdef __cplusplus
}
#endif

/* Ends the program with the reason if a call fails. */
#define AMGX_SAFE_CALL(call)                                             \
  do {                                                                   \
    AMGX_RC amgx_code_ = (call);                                         \
    if (amgx_code_ != AMGX_RC_OK) {                                      \
      char amgx_text_[2048];                                             \
      AMGX_get_error_string(amgx_code_, amgx_text_, sizeof amgx_text_);  \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, amgx_text_);    \
      exit(amgx_code_);                                                  \
    }                                                                    \
  } while (0)
#endif
