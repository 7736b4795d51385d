// Configurations, warnings, and calls that fail: a code and a text, and never the end of the process.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>

#include "amgx/calls.hpp"
#include "oracle/generators.hpp"

namespace Tessera::test {
namespace {

std::string printed;  ///< by the callback
extern "C" void keep_printed(char const* text, int length) {
  printed.append(text, static_cast<std::size_t>(length));
}

/// The result of AMGX_solver_create.
AMGX_RC created(std::string const& options) {
  AMGX_config_handle config = nullptr;
  AMGX_resources_handle resources = nullptr;
  AMGX_solver_handle solver = nullptr;
  if (auto const code = AMGX_config_create(&config, options.c_str()); code != AMGX_RC_OK) return code;
  EXPECT_RC_OK(AMGX_resources_create_simple(&resources, config));
  auto const code = AMGX_solver_create(&solver, resources, AMGX_mode_hDDI, config);
  EXPECT_EQ(solver == nullptr, code != AMGX_RC_OK);
  return code;
}

TEST_F(Amgx, SolversForOtherSystemsAreRefused) {
  for (auto const* const name :
       {"GMRES", "FGMRES", "PBICGSTAB", "IDR", "DENSE_LU_SOLVER", "MULTICOLOR_DILU", "x"})
    expect_failure(created(solver_of(name)), AMGX_RC_BAD_CONFIGURATION, "take PCG, PCGF or CG");
  expect_failure(created(solver_of("PCG", "MULTICOLOR_ILU")), AMGX_RC_BAD_CONFIGURATION,
                 "preconditioner MULTICOLOR_ILU is not available");
}

TEST_F(Amgx, ParametersOfTesseraAreChecked) {
  auto const with = [](std::string const& parameters) {
    return created(solver_of("PCG", "AMG", ", \"tessera\": " + parameters));
  };
  EXPECT_RC_OK(
      with(R"({"aggregation: drop tol": 0.08, "smoother: type": "fsai", "fsai: pattern level": 2})"));
  expect_failure(with(R"({"agregation: drop tol": 0.08})"), AMGX_RC_BAD_CONFIGURATION,
                 "did you mean \"aggregation: drop tol\"");
  expect_failure(with(R"({"aggregation: drop tol": 8})"), AMGX_RC_BAD_CONFIGURATION, "allowed is 0 to 1");
  expect_failure(with(R"({"aggregation: drop tol": "0.1"})"), AMGX_RC_BAD_CONFIGURATION, "must be double");
  expect_failure(with(R"({"cycle type": "X", "max levels": 0})"), AMGX_RC_BAD_CONFIGURATION,
                 "\n\"tessera\" -> \"max levels\"");
  expect_failure(with(R"({"smoother: params": {"chebyshev: degree": 3}})"), AMGX_RC_BAD_CONFIGURATION,
                 "\"smoother: params\" is an unknown parameter");
  expect_failure(with(R"({"backend: type": "host"})"), AMGX_RC_BAD_CONFIGURATION, "the mode");
  expect_failure(with(R"({"smoother: type": "IFPACK2"})"), AMGX_RC_BAD_CONFIGURATION, "need Trilinos");
  expect_failure(with(R"({"chebyshev: degree": 3, "smoother: type": "RELAXATION"})"),
                 AMGX_RC_BAD_CONFIGURATION, "\"chebyshev: degree\" would have no effect");
  expect_failure(with("3"), AMGX_RC_BAD_CONFIGURATION, "give an object");
}

TEST_F(Amgx, ConfigurationsThatCannotBeReadAreRefused) {
  for (auto const& [text, words] : std::vector<std::pair<std::string, std::string>>{
           {"{\"solver\": ", "not valid JSON"},
           {"PCG", "is no option"},
           {R"({"solver": {"max_iters": 3}})", "without \"solver\""},
           {R"({"solver": {"solver": "PCG", "max_iters": "many"}})", "its type must be int"},
           {R"({"solver": {"solver": "PCG", "max_iters": -1}})", "give 0 to"},
           {R"({"solver": {"solver": "PCG", "tolerance": -1}})", "tolerance is -1"},
           {R"({"solver": {"solver": "PCG", "convergence": "SOON"}})", "convergence SOON is unknown"},
           {R"({"solver": {"solver": "PCG", "preconditioner": {"solver": "AMG", "cycle": "Z"}}})",
            "allowed are"},
           {R"({"solver": {"solver": "PCG", "preconditioner": {"solver": "AMG", "max_levels": "x"}}})",
            "int"},
           {R"({"solver": {"solver": "PCG", "tessera": {"cycle type": "W"}}})", "without \"solver\""}})
    expect_failure(created(text), AMGX_RC_BAD_CONFIGURATION, words);
  EXPECT_RC_OK(created("{\"solver\": \"PCG\", \"list\": " + std::string(100000, '[') +
                       std::string(100000, ']') + "}"));
  std::string deep = "1";
  for (int k = 0; k < 1000; ++k) deep = R"({"solver": "AMG", "smoother": )" + deep + "}";
  expect_failure(created(deep), AMGX_RC_BAD_CONFIGURATION, "depths");
}

TEST_F(Amgx, TheSameConfigurationCanBeWrittenInSeveralWays) {
  auto const A = in_blocks_of(1, oracle::to_dense(oracle::laplace(25, 25).view()));
  auto const b = oracle::random_vector(625, 3);
  auto const solution = [&](AMGX_config_handle config) {
    Objects objects("");
    EXPECT_RC_OK(AMGX_solver_destroy(objects.solver));
    EXPECT_RC_OK(AMGX_solver_create(&objects.solver, objects.resources, objects.mode, config));
    EXPECT_RC_OK(objects.upload(A));
    EXPECT_RC_OK(AMGX_solver_setup(objects.solver, objects.matrix));
    auto const x = objects.solve(A, b);
    EXPECT_EQ(objects.status(), AMGX_SOLVE_SUCCESS);
    return x;
  };
  std::string const json = R"({"config_version": 2, "solver": {"scope": "main", "solver": "PCG",
    "preconditioner": {"scope": "amg", "solver": "AMG", "cycle": "W", "max_iters": 2,
                       "smoother": {"solver": "JACOBI_L1", "relaxation_factor": 0.8}, "presweeps": 2, "postsweeps": 2},
    "max_iters": 50, "tolerance": 1e-7, "convergence": "RELATIVE_INI", "monitor_residual": 1}})";
  std::string const text =
      "config_version=2, solver(main)=PCG, main:preconditioner(amg)=AMG; amg:cycle=W\n# a comment\n"
      "amg:max_iters=2, amg:smoother(s)=JACOBI_L1, s:relaxation_factor=0.8, amg:presweeps=2, "
      "amg:postsweeps=2, "
      "main:max_iters=50, main:tolerance=1e-7, main:convergence=RELATIVE_INI, main:monitor_residual=1";
  AMGX_config_handle by_json = nullptr, by_text = nullptr, by_file = nullptr, by_both = nullptr;
  EXPECT_RC_OK(AMGX_config_create(&by_json, json.c_str()));
  EXPECT_RC_OK(AMGX_config_create(&by_text, text.c_str()));
  auto const name = testing::TempDir() + "tessera_amgx_config.json";
  std::ofstream(name) << json;
  EXPECT_RC_OK(AMGX_config_create_from_file(&by_file, name.c_str()));
  EXPECT_RC_OK(AMGX_config_create_from_file_and_string(&by_both, name.c_str(), "main:tolerance=1e-3"));
  EXPECT_RC_OK(AMGX_config_add_parameters(&by_both, "main:tolerance=1e-7"));
  expect_failure(AMGX_config_add_parameters(&by_both, "main:tolerance=1e-2, nonsense"),
                 AMGX_RC_BAD_CONFIGURATION, "is no option");
  auto const x = solution(by_json);
  for (auto* const other : {by_text, by_file, by_both}) EXPECT_TRUE(oracle::same_bits(x, solution(other)));
  std::remove(name.c_str());
  expect_failure(AMGX_config_create_from_file(&by_file, name.c_str()), AMGX_RC_IO_ERROR, "cannot be read");
}

TEST_F(Amgx, OptionsWithoutCounterpartCauseOneWarning) {
  printed.clear();
  EXPECT_RC_OK(AMGX_register_print_callback(keep_printed));
  auto const options =
      R"({"determinism_flag": 1, "solver": {"solver": "PCG", "preconditioner": {"solver": "AMG",
    "algorithm": "AGGREGATION", "selector": "SIZE_8", "presweeps": 0, "postsweeps": 3, "postsweps": 2}}})";
  EXPECT_RC_OK(created(options));
  auto const once = printed;
  EXPECT_NE(once.find("option selector = SIZE_8 has no counterpart"), std::string::npos) << once;
  EXPECT_NE(once.find("become 2 each"), std::string::npos) << once;
  EXPECT_NE(once.find("did you mean \"postsweeps\""), std::string::npos) << once;
  EXPECT_EQ(once.find("determinism"), std::string::npos) << once;
  EXPECT_RC_OK(created(options));
  EXPECT_EQ(printed, once);
  EXPECT_RC_OK(AMGX_register_print_callback(nullptr));
}

extern "C" void finalize_within(char const* /* text */, int /* length */) {
  expect_failure(AMGX_finalize(), AMGX_RC_BAD_PARAMETERS, "a print callback called the library");
}

TEST_F(Amgx, CallbacksCannotCallTheLibrary) {
  EXPECT_RC_OK(AMGX_register_print_callback(finalize_within));
  EXPECT_RC_OK(created("solver=PCG, only_here=1"));
  EXPECT_RC_OK(AMGX_register_print_callback(nullptr));
}

TEST_F(Amgx, StatisticsGoToTheCallback) {
  auto const A = in_blocks_of(1, oracle::to_dense(oracle::laplace(30, 30).view()));
  printed.clear();
  EXPECT_RC_OK(AMGX_register_print_callback(keep_printed));
  Objects const objects(
      R"({"solver": {"solver": "PCG", "print_solve_stats": 1, "obtain_timings": 1, "tolerance": 1e-6,
    "preconditioner": {"solver": "AMG", "print_grid_stats": 1}}})");
  EXPECT_RC_OK(objects.upload(A));
  EXPECT_RC_OK(AMGX_solver_setup(objects.solver, objects.matrix));
  objects.solve(A, std::vector<double>(900, 1.0));
  EXPECT_RC_OK(AMGX_register_print_callback(nullptr));
  for (auto const* const words :
       {"          900", "operator complexity", "setup: ", "solve: ", "iterations "})
    EXPECT_NE(printed.find(words), std::string::npos) << words << " is missing in\n" << printed;
}

TEST_F(Amgx, BadMatricesAreRefusedAndLeaveTheMatrixEmpty) {
  auto const good = in_blocks_of(2, oracle::to_dense(oracle::random_spd(20, 2, 1).view()));
  Objects const objects(solver_of("PCG"));
  auto const refuse = [&](char const* words, std::function<void(BlockSystem&)> const& spoil) {
    EXPECT_RC_OK(objects.upload(good));
    auto bad = good;
    spoil(bad);
    expect_failure(objects.upload(bad), AMGX_RC_BAD_PARAMETERS, words);
    expect_failure(AMGX_solver_setup(objects.solver, objects.matrix), AMGX_RC_BAD_PARAMETERS,
                   "the matrix is empty");
  };
  refuse("row 3 has an entry in local column 10", [](auto& A) { A.columns[A.offsets[3]] = 10; });
  refuse("row 0 has an entry in local column -1", [](auto& A) { A.columns[0] = -1; });
  refuse("row 4 has offsets", [](auto& A) { A.offsets[5] = A.offsets[4] - 1; });
  refuse("row 0 has offsets 1", [](auto& A) { A.offsets[0] = 1; });
  refuse("has several entries", [](auto& A) { A.columns[1] = A.columns[0]; });
  refuse("finite", [](auto& A) { A.values[5] = std::nan(""); });
  EXPECT_RC_OK(objects.upload(good));
  EXPECT_RC_OK(AMGX_solver_setup(objects.solver, objects.matrix));
  auto bad = good;
  bad.values[5] = std::nan("");
  expect_failure(objects.replace(bad), AMGX_RC_BAD_PARAMETERS, "finite");
  expect_failure(AMGX_solver_resetup(objects.solver, objects.matrix), AMGX_RC_BAD_PARAMETERS,
                 "the matrix is empty");
  expect_failure(objects.replace(good), AMGX_RC_BAD_PARAMETERS, "the matrix is empty");
  bad = good;
  for (double& value : bad.values) value = -value;
  EXPECT_RC_OK(objects.upload(bad));
  expect_failure(AMGX_solver_setup(objects.solver, objects.matrix), AMGX_RC_CORE, "diagonal");
  EXPECT_RC_OK(AMGX_vector_set_zero(objects.b, 10, 2));
  EXPECT_RC_OK(AMGX_vector_set_zero(objects.x, 10, 2));
  expect_failure(AMGX_solver_solve(objects.solver, objects.b, objects.x), AMGX_RC_BAD_PARAMETERS,
                 "call AMGX_solver_setup first");
}

TEST_F(Amgx, BadNumbersAreRefused) {
  auto A = truss(4, 2);
  Objects const objects(solver_of("PCG"));
  auto const upload = [&](int n, int nnz, int rows, int columns) {
    return AMGX_matrix_upload_all(objects.matrix, n, nnz, rows, columns, A.offsets.data(), A.columns.data(),
                                  A.values.data(), nullptr);
  };
  expect_failure(upload(0, 0, 2, 2), AMGX_RC_BAD_PARAMETERS, "the number of blocks is 0");
  expect_failure(upload(16, -1, 2, 2), AMGX_RC_BAD_PARAMETERS, "the number of entries is -1");
  expect_failure(upload(16, A.entries(), 2, 3), AMGX_RC_NOT_SUPPORTED_BLOCKSIZE, "2 x 3");
  expect_failure(upload(16, A.entries(), 17, 17), AMGX_RC_NOT_SUPPORTED_BLOCKSIZE, "give 1 to 16");
  expect_failure(upload(2000000000, A.entries(), 2, 2), AMGX_RC_BAD_PARAMETERS, "than 32 bits count");
  expect_failure(objects.attach(A), AMGX_RC_BAD_PARAMETERS, "the matrix is empty");
  EXPECT_RC_OK(objects.upload(A));
  auto* const x = A.axis[0].data();
  expect_failure(AMGX_matrix_attach_geometry(objects.matrix, x, x, nullptr, 15), AMGX_RC_BAD_PARAMETERS,
                 "coordinates of 15 nodes");
  expect_failure(AMGX_matrix_attach_geometry(objects.matrix, x, nullptr, nullptr, 16), AMGX_RC_BAD_PARAMETERS,
                 "geoy");
  A.axis[1][3] = HUGE_VAL;
  expect_failure(objects.attach(A), AMGX_RC_BAD_PARAMETERS, "not finite");
  expect_failure(AMGX_matrix_replace_coefficients(objects.matrix, 16, 3, A.values.data(), nullptr),
                 AMGX_RC_BAD_PARAMETERS, "the same pattern");
  expect_failure(AMGX_vector_upload(objects.b, 16, 0, x), AMGX_RC_NOT_SUPPORTED_BLOCKSIZE,
                 "blocks have 0 rows");
  int const devices[] = {0, 1};
  AMGX_resources_handle resources = nullptr;
  expect_failure(AMGX_resources_create(&resources, objects.config, nullptr, 2, devices),
                 AMGX_RC_NOT_SUPPORTED_TARGET, "one device");
  EXPECT_RC_OK(AMGX_resources_create(&resources, objects.config, nullptr, 1, devices));
}

TEST_F(Amgx, WrongOrdersAreRefused) {
  Objects const objects(solver_of("PCG"));
  expect_failure(AMGX_initialize(), AMGX_RC_BAD_PARAMETERS, "initialised already");
  expect_failure(AMGX_solver_setup(objects.solver, objects.matrix), AMGX_RC_BAD_PARAMETERS,
                 "upload_all first");
  EXPECT_RC_OK(objects.upload(truss(3, 2)));
  expect_failure(AMGX_solver_resetup(objects.solver, objects.matrix), AMGX_RC_BAD_PARAMETERS, "setup first");
  expect_failure(AMGX_solver_solve(objects.solver, objects.b, objects.x), AMGX_RC_BAD_PARAMETERS,
                 "setup first");
  EXPECT_RC_OK(AMGX_solver_setup(objects.solver, objects.matrix));
  expect_failure(AMGX_solver_solve(objects.solver, objects.b, objects.x), AMGX_RC_BAD_PARAMETERS,
                 "the right-hand side has 0 blocks");
  EXPECT_RC_OK(AMGX_vector_set_zero(objects.b, 9, 2));
  expect_failure(AMGX_solver_solve(objects.solver, objects.b, objects.b), AMGX_RC_BAD_PARAMETERS,
                 "one vector");
  AMGX_SOLVE_STATUS status{};
  expect_failure(AMGX_solver_get_status(objects.solver, &status), AMGX_RC_BAD_PARAMETERS,
                 "there is no solve");
  double download = 0;
  expect_failure(AMGX_vector_download(objects.x, &download), AMGX_RC_BAD_PARAMETERS, "the vector is empty");
}

TEST_F(Amgx, NullAndDestroyedHandlesAndHandlesOfOtherObjectsAreRefused) {
  Objects const objects(solver_of("PCG"));
  AMGX_matrix_handle destroyed = nullptr;
  EXPECT_RC_OK(AMGX_matrix_create(&destroyed, objects.resources, AMGX_mode_hDDI));
  EXPECT_RC_OK(AMGX_matrix_destroy(destroyed));
  auto* const other = reinterpret_cast<AMGX_matrix_handle>(objects.b);
  int number = 0;
  for (auto const& [handle, words] : std::vector<std::pair<AMGX_matrix_handle, char const*>>{
           {nullptr, "is null"}, {destroyed, "was destroyed"}, {other, "a handle of the vector"}}) {
    auto const refused = [&, words = words](AMGX_RC code) {
      expect_failure(code, AMGX_RC_BAD_PARAMETERS, words);
    };
    refused(AMGX_matrix_destroy(handle));
    refused(AMGX_matrix_upload_all(handle, 1, 1, 1, 1, &number, &number, &number, nullptr));
    refused(AMGX_matrix_replace_coefficients(handle, 1, 1, &number, nullptr));
    refused(AMGX_matrix_get_size(handle, &number, &number, &number));
    refused(AMGX_matrix_attach_geometry(handle, nullptr, nullptr, nullptr, 1));
    refused(AMGX_vector_bind(objects.b, handle));
    refused(AMGX_solver_setup(objects.solver, handle));
    refused(AMGX_solver_resetup(objects.solver, handle));
  }
  EXPECT_EQ(AMGX_config_destroy(nullptr), AMGX_RC_BAD_PARAMETERS);
  EXPECT_EQ(AMGX_resources_destroy(nullptr), AMGX_RC_BAD_PARAMETERS);
  EXPECT_EQ(AMGX_vector_destroy(nullptr), AMGX_RC_BAD_PARAMETERS);
  EXPECT_EQ(AMGX_solver_destroy(nullptr), AMGX_RC_BAD_PARAMETERS);
}

TEST_F(Amgx, NullPointersAreRefused) {
  Objects const objects(solver_of("PCG"));
  EXPECT_RC_OK(objects.upload(truss(3, 2)));
  EXPECT_RC_OK(AMGX_vector_set_zero(objects.x, 9, 2));
  int n = 0;
  char* text = nullptr;
  char buffer[8];
  for (auto const code : {AMGX_config_create(nullptr, ""),
                          AMGX_config_create_from_file(nullptr, "x"),
                          AMGX_config_add_parameters(nullptr, ""),
                          AMGX_resources_create_simple(nullptr, objects.config),
                          AMGX_resources_create(nullptr, objects.config, nullptr, 1, &n),
                          AMGX_matrix_create(nullptr, objects.resources, AMGX_mode_hDDI),
                          AMGX_vector_create(nullptr, objects.resources, AMGX_mode_hDDI),
                          AMGX_solver_create(nullptr, objects.resources, AMGX_mode_hDDI, objects.config),
                          AMGX_matrix_upload_all(objects.matrix, 1, 1, 1, 1, nullptr, &n, &n, nullptr),
                          AMGX_matrix_upload_all(objects.matrix, 1, 1, 1, 1, &n, nullptr, &n, nullptr),
                          AMGX_matrix_upload_all(objects.matrix, 1, 1, 1, 1, &n, &n, nullptr, nullptr),
                          AMGX_matrix_replace_coefficients(objects.matrix, 9, 49, nullptr, nullptr),
                          AMGX_matrix_get_size(objects.matrix, &n, nullptr, &n),
                          AMGX_matrix_attach_geometry(objects.matrix, nullptr, nullptr, nullptr, 9),
                          AMGX_vector_upload(objects.x, 9, 2, nullptr),
                          AMGX_vector_download(objects.x, nullptr),
                          AMGX_vector_get_size(objects.x, &n, nullptr),
                          AMGX_solver_get_status(objects.solver, nullptr),
                          AMGX_solver_get_iterations_number(objects.solver, nullptr),
                          AMGX_solver_get_iteration_residual(objects.solver, 0, 0, nullptr),
                          AMGX_get_api_version(&n, nullptr),
                          AMGX_get_build_info_strings(&text, nullptr, &text),
                          AMGX_get_error_string(AMGX_RC_OK, nullptr, 8),
                          AMGX_get_error_string(AMGX_RC_OK, buffer, 0),
                          AMGX_pin_memory(nullptr, 8),
                          AMGX_unpin_memory(nullptr)})
    EXPECT_EQ(code, AMGX_RC_BAD_PARAMETERS);
  AMGX_config_handle config = nullptr;
  EXPECT_EQ(AMGX_config_create(&config, nullptr), AMGX_RC_BAD_PARAMETERS);
  EXPECT_EQ(AMGX_config_create_from_file(&config, nullptr), AMGX_RC_BAD_PARAMETERS);
  EXPECT_EQ(AMGX_config_create_from_file_and_string(&config, "x", nullptr), AMGX_RC_BAD_PARAMETERS);
  EXPECT_EQ(AMGX_config_add_parameters(&config, ""), AMGX_RC_BAD_PARAMETERS);
  EXPECT_EQ(config, nullptr);
}

TEST_F(Amgx, ModesThatDoNotExistOrHaveNoDeviceAreRefused) {
  Objects const objects(solver_of("PCG"));
  AMGX_matrix_handle matrix = nullptr;
  expect_failure(AMGX_matrix_create(&matrix, objects.resources, static_cast<AMGX_Mode>(42)), AMGX_RC_BAD_MODE,
                 "the mode is 42");
  for (auto const mode : {AMGX_mode_hDFI, AMGX_mode_hFFI, AMGX_mode_dDFI, AMGX_mode_dFFI, AMGX_mode_hZZI,
                          AMGX_mode_dZZI, AMGX_mode_hZCI, AMGX_mode_dZCI, AMGX_mode_hCCI, AMGX_mode_dCCI})
    EXPECT_EQ(AMGX_matrix_create(&matrix, objects.resources, mode), AMGX_RC_BAD_MODE);
  auto const code = AMGX_matrix_create(&matrix, objects.resources, AMGX_mode_dDDI);
  if (code == AMGX_RC_OK) {
    expect_failure(AMGX_solver_setup(objects.solver, matrix), AMGX_RC_BAD_MODE, "different modes");
  } else {
    expect_failure(code, AMGX_RC_NOT_SUPPORTED_TARGET, "CUDA");
  }
}

TEST(AmgxSession, EverythingFailsBeforeTheLibraryIsInitialised) {
  AMGX_config_handle config = nullptr;
  expect_failure(AMGX_config_create(&config, ""), AMGX_RC_BAD_PARAMETERS, "call AMGX_initialize first");
  expect_failure(AMGX_finalize(), AMGX_RC_BAD_PARAMETERS, "call AMGX_initialize first");
  EXPECT_RC_OK(AMGX_initialize());
  EXPECT_RC_OK(AMGX_config_create(&config, ""));
  EXPECT_RC_OK(AMGX_finalize());
  EXPECT_EQ(AMGX_config_destroy(config), AMGX_RC_BAD_PARAMETERS);
  EXPECT_RC_OK(AMGX_initialize());
  expect_failure(AMGX_config_destroy(config), AMGX_RC_BAD_PARAMETERS, "was destroyed");
  EXPECT_RC_OK(AMGX_finalize());
}

TEST(AmgxSession, WhatNeedsNoObjectIsAlwaysAvailable) {
  int major = 0, minor = -1;
  EXPECT_RC_OK(AMGX_get_api_version(&major, &minor));
  EXPECT_EQ((std::vector{major, minor}), (std::vector{2, 0}));
  char *version = nullptr, *date = nullptr, *time = nullptr;
  EXPECT_RC_OK(AMGX_get_build_info_strings(&version, &date, &time));
  EXPECT_EQ(std::string(version).rfind("Tessera ", 0), 0U);
  EXPECT_RC_OK(AMGX_install_signal_handler());
  EXPECT_RC_OK(AMGX_reset_signal_handler());
  EXPECT_RC_OK(AMGX_initialize_plugins());
  EXPECT_RC_OK(AMGX_finalize_plugins());
  double numbers[4];
  EXPECT_RC_OK(AMGX_pin_memory(numbers, sizeof numbers));
  EXPECT_RC_OK(AMGX_unpin_memory(numbers));
  EXPECT_EQ(error_text(AMGX_RC_NO_MEMORY), "out of memory");
  EXPECT_EQ(error_text(static_cast<AMGX_RC>(99)), "no code of this library");
  char tiny[4];
  EXPECT_RC_OK(AMGX_get_error_string(AMGX_RC_NO_MEMORY, tiny, sizeof tiny));
  EXPECT_STREQ(tiny, "out");
}

}  // namespace
}  // namespace Tessera::test
