// The functions of tessera_amgx.h. Each runs its work in guarded(), from which no exception leaves.
#include "amgx/tessera_amgx.h"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <fstream>
#include <sstream>

#include "amgx/library.hpp"
#include "core/device.hpp"
#include "core/version.hpp"

namespace Tessera::amgx {
namespace {

/// Runs work whose input is a configuration.
template <class Work>
void configure(Work const& work) {
  try {
    work();
  } catch (core::InvalidInput const& error) {
    throw Refusal(AMGX_RC_BAD_CONFIGURATION, error.what());
  }
}

void add_text(Options& options, char const* text) {
  require_pointer(text, "the text of options");
  options.add(text);
}

void add_file(Options& options, char const* name) {
  require_pointer(name, "the name of the file");
  std::ifstream file(name);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  require(file && text, AMGX_RC_IO_ERROR, "the file ", core::excerpt(name, 300), " cannot be read");
  options.add(text.str());
}

template <class Fill>
AMGX_RC create_configuration(char const* function, AMGX_config_handle* cfg, Fill const& fill) noexcept {
  return guarded(function, [&] {
    require_pointer(cfg, "the target of the handle");
    Configuration made;
    configure([&] { fill(made.options); });
    store(cfg, std::move(made));
  });
}

Device const& device_for(Resources& resources, AMGX_Mode mode) {
  require(mode == AMGX_mode_hDDI || mode == AMGX_mode_dDDI, AMGX_RC_BAD_MODE, "the mode is ", int{mode},
          "; take AMGX_mode_hDDI (", int{AMGX_mode_hDDI}, ") or AMGX_mode_dDDI (", int{AMGX_mode_dDDI}, ")");
  if (mode == AMGX_mode_hDDI) return *resources.host;
#if defined(TESSERA_HAVE_CUDA)
  if (resources.cuda == nullptr) resources.cuda = make_device(core::make_cuda(resources.device));
  return *resources.cuda;
#else
  throw core::Unavailable("mode dDDI is not available: " + core::cuda_unavailable_reason() +
                          "; or take mode hDDI");
#endif
}

void require_same_mode(AMGX_Mode one, AMGX_Mode other) {
  require(one == other, AMGX_RC_BAD_MODE,
          "the objects have different modes; create both in mode hDDI, or both in dDDI");
}

void require_size(int n, int block) {
  constexpr int largest = 16;
  require(n > 0, AMGX_RC_BAD_PARAMETERS, "the number of blocks is ", n, "; give one that is positive");
  require(block >= 1 && block <= largest, AMGX_RC_NOT_SUPPORTED_BLOCKSIZE, "blocks have ", block,
          " rows; give 1 to ", largest);
  require(n <= INT_MAX / block, AMGX_RC_BAD_PARAMETERS, n, " blocks of ", block,
          " rows have more rows than 32 bits count");
}

using Clock = std::chrono::steady_clock;
void print_time(SolverObject const& solver, char const* what, Clock::time_point start) {
  if (!solver.plan.print_times) return;
  double const seconds = std::chrono::duration<double>(Clock::now() - start).count();
  print(core::formatted("%s: %.6f s\n", what, seconds), stdout);
}

AMGX_RC set_up(char const* function, AMGX_solver_handle slv, AMGX_matrix_handle mtx, bool again) noexcept {
  return guarded(function, [&] {
    auto& solver = at(slv);
    auto const& matrix = at(mtx);
    require_same_mode(solver.mode, matrix.mode);
    require(matrix.object->n > 0, AMGX_RC_BAD_PARAMETERS,
            "the matrix is empty; call AMGX_matrix_upload_all first");
    auto const start = Clock::now();
    if (again) {
      require(solver.was_set_up, AMGX_RC_BAD_PARAMETERS, "there was no setup; call AMGX_solver_setup first");
      solver.object->resetup(matrix.object);
    } else {
      solver.object->setup(matrix.object);
    }
    solver.was_set_up = true;
    solver.has_solved = false;
    for (auto const& warning : solver.object->warnings()) warn_once(warning);
    if (solver.plan.print_grid) print(solver.object->grid(), stdout);
    print_time(solver, again ? "resetup" : "setup", start);
  });
}

std::string statistics(Solve const& solve) {
  std::string text = core::formatted("%10s %16s\n", "iteration", "residual norm");
  for (std::size_t i = 0; i < solve.residuals.size(); ++i)
    text += core::formatted("%10d %16.6e\n", static_cast<int>(i), solve.residuals[i]);
  return text + core::formatted("iterations %d, %s\n", solve.iterations,
                                solve.status == Status::success ? "success" : "no success");
}

AMGX_RC solve(char const* function, AMGX_solver_handle slv, AMGX_vector_handle rhs, AMGX_vector_handle sol,
              bool from_zero) noexcept {
  return guarded(function, [&] {
    auto& solver = at(slv);
    auto const& b = at(rhs);
    auto& x = at(sol);
    require_same_mode(solver.mode, b.mode);
    require_same_mode(solver.mode, x.mode);
    solver.has_solved = false;
    auto const start = Clock::now();
    solver.last = solver.object->solve(*b.object, *x.object, from_zero);
    solver.has_solved = true;
    if (solver.plan.print_solve) print(statistics(solver.last), stdout);
    if (solver.last.status != Status::success) print("Tessera: " + solver.last.reason + "\n", stderr);
    print_time(solver, "solve", start);
  });
}

SolverObject const& solved(AMGX_solver_handle slv) {
  auto const& solver = at(slv);
  require(solver.has_solved, AMGX_RC_BAD_PARAMETERS,
          "there is no solve since the last setup; call AMGX_solver_solve first");
  return solver;
}

char const* meaning(AMGX_RC code) {
  static char const* const all[] = {"no error",
                                    "bad parameters",
                                    "unknown error",
                                    "not supported on this target",
                                    "block size not supported",
                                    "failure of CUDA",
                                    "failure of Thrust",
                                    "out of memory",
                                    "input or output failed",
                                    "bad mode",
                                    "numerical failure",
                                    "failure of a plugin",
                                    "bad configuration",
                                    "not implemented",
                                    "no license",
                                    "internal error"};
  auto const number = static_cast<std::size_t>(code);
  return number < std::size(all) ? all[number] : "no code of this library";
}

}  // namespace
}  // namespace Tessera::amgx

using namespace Tessera;
using namespace Tessera::amgx;

AMGX_RC AMGX_initialize() {
  auto const work = [] {
    require(!library().initialised, AMGX_RC_BAD_PARAMETERS,
            "the library is initialised already; call AMGX_finalize first");
    library().initialised = true;
  };
  return guarded(__func__, work, Needs::nothing);
}

AMGX_RC AMGX_finalize() {
  return guarded(__func__, [] {
    library().objects.clear();
    library().initialised = false;
  });
}

AMGX_RC AMGX_initialize_plugins() {
  return AMGX_RC_OK;
}
AMGX_RC AMGX_finalize_plugins() {
  return AMGX_RC_OK;
}
AMGX_RC AMGX_install_signal_handler() {
  return AMGX_RC_OK;
}
AMGX_RC AMGX_reset_signal_handler() {
  return AMGX_RC_OK;
}

AMGX_RC AMGX_get_api_version(int* major, int* minor) {
  auto const work = [&] {
    require_pointer(major, "major");
    require_pointer(minor, "minor");
    *major = 2;
    *minor = 0;
  };
  return guarded(__func__, work, Needs::nothing);
}

AMGX_RC AMGX_get_build_info_strings(char** version, char** date, char** time) {
  static std::string const text = "Tessera " + core::version();
  static char none[] = "";
  auto const work = [&] {
    for (auto* const target : {version, date, time}) require_pointer(target, "a target of a text");
    *version = const_cast<char*>(text.c_str());
    *date = *time = none;
  };
  return guarded(__func__, work, Needs::nothing);
}

AMGX_RC AMGX_get_error_string(AMGX_RC err, char* buf, int buf_len) {
  if (buf == nullptr || buf_len <= 0) return AMGX_RC_BAD_PARAMETERS;
  bool const is_last = err == last_code && err != AMGX_RC_OK;
  std::snprintf(buf, static_cast<std::size_t>(buf_len), "%s", is_last ? last_text : meaning(err));
  return AMGX_RC_OK;
}

AMGX_RC AMGX_register_print_callback(AMGX_print_callback func) {
  return guarded(
      __func__, [&] { library().callback = func; }, Needs::nothing);
}

AMGX_RC AMGX_pin_memory(void* ptr, unsigned int /* bytes */) {
  return guarded(
      __func__, [&] { require_pointer(ptr, "the memory"); }, Needs::nothing);
}
AMGX_RC AMGX_unpin_memory(void* ptr) {
  return guarded(
      __func__, [&] { require_pointer(ptr, "the memory"); }, Needs::nothing);
}

AMGX_RC AMGX_config_create(AMGX_config_handle* cfg, char const* options) {
  return create_configuration(__func__, cfg, [&](Options& all) { add_text(all, options); });
}
AMGX_RC AMGX_config_create_from_file(AMGX_config_handle* cfg, char const* param_file) {
  return create_configuration(__func__, cfg, [&](Options& all) { add_file(all, param_file); });
}
AMGX_RC AMGX_config_create_from_file_and_string(AMGX_config_handle* cfg, char const* param_file,
                                                char const* options) {
  return create_configuration(__func__, cfg, [&](Options& all) {
    require_pointer(options, "the text of options");
    add_file(all, param_file);
    add_text(all, options);
  });
}

AMGX_RC AMGX_config_add_parameters(AMGX_config_handle* cfg, char const* options) {
  return guarded(__func__, [&] {
    require_pointer(cfg, "the pointer to the handle");
    auto& held = at(*cfg).options;
    auto changed = held;
    configure([&] { add_text(changed, options); });
    held = std::move(changed);
  });
}

AMGX_RC AMGX_config_destroy(AMGX_config_handle cfg) {
  return destroy(__func__, cfg);
}

AMGX_RC AMGX_resources_create_simple(AMGX_resources_handle* rsc, AMGX_config_handle cfg) {
  return guarded(__func__, [&] {
    require_pointer(rsc, "the target of the handle");
    at(cfg);
    store(rsc, Resources{0, make_device(Host{}), nullptr});
  });
}

AMGX_RC AMGX_resources_create(AMGX_resources_handle* rsc, AMGX_config_handle cfg, void* comm, int device_num,
                              int const* devices) {
  return guarded(__func__, [&] {
    require_pointer(rsc, "the target of the handle");
    require_pointer(devices, "the list of devices");
    at(cfg);
    int size = 1, runs = 0;
    MPI_Initialized(&runs);
    if (comm != nullptr && runs != 0) MPI_Comm_size(*static_cast<MPI_Comm*>(comm), &size);
    require(size == 1 && device_num == 1, AMGX_RC_NOT_SUPPORTED_TARGET, "there are ", size, " ranks and ",
            device_num, " devices, but this interface is for one rank and one device");
    store(rsc, Resources{devices[0], make_device(Host{}), nullptr});
  });
}

AMGX_RC AMGX_resources_destroy(AMGX_resources_handle rsc) {
  return destroy(__func__, rsc);
}

AMGX_RC AMGX_matrix_create(AMGX_matrix_handle* mtx, AMGX_resources_handle rsc, AMGX_Mode mode) {
  return guarded(__func__, [&] {
    require_pointer(mtx, "the target of the handle");
    store(mtx, MatrixObject{{mode, device_for(at(rsc), mode).matrix()}});
  });
}

AMGX_RC AMGX_matrix_destroy(AMGX_matrix_handle mtx) {
  return destroy(__func__, mtx);
}

AMGX_RC AMGX_matrix_upload_all(AMGX_matrix_handle mtx, int n, int nnz, int block_dimx, int block_dimy,
                               int const* row_ptrs, int const* col_indices, void const* data,
                               void const* diag_data) {
  return guarded(__func__, [&] {
    auto& matrix = *at(mtx).object;
    require(block_dimx == block_dimy, AMGX_RC_NOT_SUPPORTED_BLOCKSIZE, "blocks are ", block_dimx, " x ",
            block_dimy, "; give square ones");
    require_size(n, block_dimx);
    require(nnz >= 0, AMGX_RC_BAD_PARAMETERS, "the number of entries is ", nnz,
            "; give one that is not negative");
    require_pointer(row_ptrs, "row_ptrs");
    if (nnz > 0) {
      require_pointer(col_indices, "col_indices");
      require_pointer(data, "data");
    }
    matrix.upload({n, nnz, block_dimx, row_ptrs, col_indices, static_cast<double const*>(data),
                   static_cast<double const*>(diag_data)});
  });
}

AMGX_RC AMGX_matrix_replace_coefficients(AMGX_matrix_handle mtx, int n, int nnz, void const* data,
                                         void const* diag_data) {
  return guarded(__func__, [&] {
    auto& matrix = *at(mtx).object;
    require(matrix.n > 0, AMGX_RC_BAD_PARAMETERS, "the matrix is empty; call AMGX_matrix_upload_all first");
    require(n == matrix.n && nnz == matrix.entries, AMGX_RC_BAD_PARAMETERS, "there are ", n, " rows and ",
            nnz, " entries, but the matrix has ", matrix.n, " and ", matrix.entries,
            "; give the same pattern, or call AMGX_matrix_upload_all");
    if (nnz > 0) require_pointer(data, "data");
    require((diag_data != nullptr) == matrix.has_diagonal, AMGX_RC_BAD_PARAMETERS, "diag_data is ",
            diag_data == nullptr ? "null, but the matrix was" : "given, but the matrix was not",
            " uploaded with it");
    matrix.replace({n, nnz, matrix.block, nullptr, nullptr, static_cast<double const*>(data),
                    static_cast<double const*>(diag_data)});
  });
}

AMGX_RC AMGX_matrix_get_size(AMGX_matrix_handle mtx, int* n, int* block_dimx, int* block_dimy) {
  return guarded(__func__, [&] {
    auto const& matrix = *at(mtx).object;
    for (auto const* const target : {n, block_dimx, block_dimy})
      require_pointer(target, "a target of a size");
    *n = matrix.n;
    *block_dimx = *block_dimy = matrix.block;
  });
}

AMGX_RC AMGX_matrix_attach_geometry(AMGX_matrix_handle mtx, double* geox, double* geoy, double* geoz, int n) {
  return guarded(__func__, [&] {
    auto& matrix = *at(mtx).object;
    require(matrix.n > 0, AMGX_RC_BAD_PARAMETERS, "the matrix is empty; call AMGX_matrix_upload_all first");
    require(n > 0 && matrix.n % n == 0, AMGX_RC_BAD_PARAMETERS, "there are coordinates of ", n,
            " nodes, but the matrix has ", matrix.n, " block rows; give one node for each");
    require_pointer(geox, "geox");
    require_pointer(geoy, "geoy");
    int const dimension = geoz == nullptr ? 2 : 3;
    std::vector<double> all;
    double const* const axes[] = {geox, geoy, geoz};
    for (int axis = 0; axis < dimension; ++axis) {
      auto const where = core::memory_space_mismatch(Host{}, axes[axis]);
      require(where.empty(), AMGX_RC_BAD_PARAMETERS, "coordinates lie ", where, "; give memory of the host");
    }
    for (int node = 0; node < n; ++node)
      for (int axis = 0; axis < dimension; ++axis) all.push_back(axes[axis][node]);
    require(std::all_of(all.begin(), all.end(), [](double x) { return x * 0 == 0; }), AMGX_RC_BAD_PARAMETERS,
            "a coordinate is not finite");
    matrix.coordinates = std::move(all);
    matrix.dimension = dimension;
  });
}

AMGX_RC AMGX_matrix_attach_coloring(AMGX_matrix_handle mtx, int*, int, int) {
  return guarded(__func__, [&] {
    at(mtx);
    warn_once("colours of rows have no effect, because no smoother of this library needs them");
  });
}

AMGX_RC AMGX_vector_create(AMGX_vector_handle* vec, AMGX_resources_handle rsc, AMGX_Mode mode) {
  return guarded(__func__, [&] {
    require_pointer(vec, "the target of the handle");
    store(vec, VectorObject{{mode, device_for(at(rsc), mode).vector()}});
  });
}

AMGX_RC AMGX_vector_destroy(AMGX_vector_handle vec) {
  return destroy(__func__, vec);
}

AMGX_RC AMGX_vector_upload(AMGX_vector_handle vec, int n, int block_dim, void const* data) {
  return guarded(__func__, [&] {
    auto& vector = *at(vec).object;
    require_size(n, block_dim);
    require_pointer(data, "data");
    vector.upload(n, block_dim, static_cast<double const*>(data));
  });
}

AMGX_RC AMGX_vector_set_zero(AMGX_vector_handle vec, int n, int block_dim) {
  return guarded(__func__, [&] {
    auto& vector = *at(vec).object;
    require_size(n, block_dim);
    vector.set_zero(n, block_dim);
  });
}

AMGX_RC AMGX_vector_download(AMGX_vector_handle vec, void* data) {
  return guarded(__func__, [&] {
    auto const& vector = *at(vec).object;
    require(vector.n > 0, AMGX_RC_BAD_PARAMETERS, "the vector is empty; call AMGX_vector_upload first");
    require_pointer(data, "data");
    vector.download(static_cast<double*>(data));
  });
}

AMGX_RC AMGX_vector_get_size(AMGX_vector_handle vec, int* n, int* block_dim) {
  return guarded(__func__, [&] {
    auto const& vector = *at(vec).object;
    require_pointer(n, "n");
    require_pointer(block_dim, "block_dim");
    *n = vector.n;
    *block_dim = vector.block;
  });
}

AMGX_RC AMGX_vector_bind(AMGX_vector_handle vec, AMGX_matrix_handle mtx) {
  return guarded(__func__, [&] { require_same_mode(at(vec).mode, at(mtx).mode); });
}

AMGX_RC AMGX_solver_create(AMGX_solver_handle* slv, AMGX_resources_handle rsc, AMGX_Mode mode,
                           AMGX_config_handle cfg) {
  return guarded(__func__, [&] {
    require_pointer(slv, "the target of the handle");
    auto const& device = device_for(at(rsc), mode);
    SolverObject made;
    made.mode = mode;
    configure([&] {
      made.plan = plan_of(at(cfg).options);
      settings_of(made.plan, 1);
    });
    made.object = device.solver(made.plan);
    for (auto const& warning : made.plan.warnings) warn_once(warning);
    store(slv, std::move(made));
  });
}

AMGX_RC AMGX_solver_destroy(AMGX_solver_handle slv) {
  return destroy(__func__, slv);
}

AMGX_RC AMGX_solver_setup(AMGX_solver_handle slv, AMGX_matrix_handle mtx) {
  return set_up(__func__, slv, mtx, false);
}
AMGX_RC AMGX_solver_resetup(AMGX_solver_handle slv, AMGX_matrix_handle mtx) {
  return set_up(__func__, slv, mtx, true);
}

AMGX_RC AMGX_solver_solve(AMGX_solver_handle slv, AMGX_vector_handle rhs, AMGX_vector_handle sol) {
  return solve(__func__, slv, rhs, sol, false);
}
AMGX_RC AMGX_solver_solve_with_0_initial_guess(AMGX_solver_handle slv, AMGX_vector_handle rhs,
                                               AMGX_vector_handle sol) {
  return solve(__func__, slv, rhs, sol, true);
}

AMGX_RC AMGX_solver_get_status(AMGX_solver_handle slv, AMGX_SOLVE_STATUS* st) {
  return guarded(__func__, [&] {
    auto const& solver = solved(slv);
    require_pointer(st, "the target of the status");
    *st = static_cast<AMGX_SOLVE_STATUS>(solver.last.status);
  });
}

AMGX_RC AMGX_solver_get_iterations_number(AMGX_solver_handle slv, int* n) {
  return guarded(__func__, [&] {
    auto const& solver = solved(slv);
    require_pointer(n, "the target of the number");
    *n = solver.last.iterations;
  });
}

AMGX_RC AMGX_solver_get_iteration_residual(AMGX_solver_handle slv, int it, int idx, double* res) {
  return guarded(__func__, [&] {
    auto const& residuals = solved(slv).last.residuals;
    require_pointer(res, "the target of the norm");
    require(it >= 0 && static_cast<std::size_t>(it) < residuals.size(), AMGX_RC_BAD_PARAMETERS, "iteration ",
            it, " was not made; give 0 to ", residuals.size() - 1);
    require(idx == 0, AMGX_RC_BAD_PARAMETERS, "component ", idx,
            " has no norm of its own; give 0, for the norm of all components");
    *res = residuals[static_cast<std::size_t>(it)];
  });
}
