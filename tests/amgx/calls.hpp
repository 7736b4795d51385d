#pragma once
/// \file
/// Block systems, and the calls that solve them, for tests of the C interface.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "amgx/tessera_amgx.h"
#include "oracle/dense.hpp"

namespace Tessera::test {

/// Block CSR, and coordinates of the nodes if there are any.
struct BlockSystem {
  int block = 1;
  std::vector<int> offsets{0}, columns;
  std::vector<double> values, axis[3];
  int nodes() const { return static_cast<int>(offsets.size()) - 1; }
  int entries() const { return static_cast<int>(columns.size()); }
};

/// The blocks of A that are not zero.
inline BlockSystem in_blocks_of(int block, oracle::Dense const& A) {
  BlockSystem system;
  system.block = block;
  for (Index i = 0; i < A.rows; i += block) {
    for (Index j = 0; j < A.columns; j += block) {
      std::vector<double> values;
      bool is_zero = true;
      for (Index r = 0; r < block; ++r)
        for (Index c = 0; c < block; ++c) values.push_back(A(i + r, j + c));
      for (double const value : values) is_zero = is_zero && value == 0;
      if (is_zero) continue;
      system.columns.push_back(j / block);
      system.values.insert(system.values.end(), values.begin(), values.end());
    }
    system.offsets.push_back(system.entries());
  }
  return system;
}

/// Bars between all neighbours, diagonal ones too, of n x n or n x n x n nodes; the nodes at x = 0 are held
/// by springs. A free node set would move rigidly without energy, so rigid-body modes are the slow errors.
inline BlockSystem truss(int n, int dimension) {
  BlockSystem system;
  system.block = dimension;
  int const layers = dimension == 3 ? n : 1, square = dimension * dimension;
  auto const inside = [&](int i, int m) { return 0 <= i && i < m; };
  for (int z = 0; z < layers; ++z) {
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x) {
        int const at[3] = {x, y, z};
        for (int axis = 0; axis < dimension; ++axis) system.axis[axis].push_back(at[axis]);
        std::vector<double> own(square, 0.0);
        if (x == 0)
          for (int r = 0; r < dimension; ++r) own[r * dimension + r] = 1;
        auto place_of_own = std::string::npos;
        for (int dz = -1; dz <= 1; ++dz) {
          for (int dy = -1; dy <= 1; ++dy) {
            for (int dx = -1; dx <= 1; ++dx) {
              if (!inside(x + dx, n) || !inside(y + dy, n) || !inside(z + dz, layers)) continue;
              int const d[3] = {dx, dy, dz}, length2 = dx * dx + dy * dy + dz * dz;
              system.columns.push_back(x + dx + n * (y + dy + n * (z + dz)));
              if (length2 == 0) place_of_own = system.values.size();
              for (int r = 0; r < dimension; ++r) {
                for (int c = 0; c < dimension; ++c) {
                  double const stiffness = length2 == 0 ? 0.0 : static_cast<double>(d[r] * d[c]) / length2;
                  own[r * dimension + c] += stiffness;
                  system.values.push_back(-stiffness);
                }
              }
            }
          }
        }
        std::copy(own.begin(), own.end(), system.values.begin() + static_cast<std::ptrdiff_t>(place_of_own));
        system.offsets.push_back(system.entries());
      }
    }
  }
  return system;
}

inline std::vector<double> product(BlockSystem const& A, std::vector<double> const& x) {
  std::vector<double> y(x.size(), 0.0);
  int const b = A.block;
  for (int i = 0; i < A.nodes(); ++i)
    for (int k = A.offsets[i]; k < A.offsets[i + 1]; ++k)
      for (int r = 0; r < b; ++r)
        for (int c = 0; c < b; ++c) y[i * b + r] += A.values[(k * b + r) * b + c] * x[A.columns[k] * b + c];
  return y;
}

inline double norm(std::vector<double> const& x) {
  double sum = 0;
  for (double const value : x) sum += value * value;
  return std::sqrt(sum);
}

/// ||b - A x|| / ||b||
inline double relative_residual(BlockSystem const& A, std::vector<double> const& x,
                                std::vector<double> const& b) {
  auto r = product(A, x);
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = b[i] - r[i];
  return norm(r) / norm(b);
}

inline std::string error_text(AMGX_RC code) {
  char text[2048];
  EXPECT_EQ(AMGX_get_error_string(code, text, sizeof text), AMGX_RC_OK);
  return text;
}

#define EXPECT_RC_OK(call)                                                            \
  do {                                                                                \
    auto const code_of_call = (call);                                                 \
    EXPECT_EQ(code_of_call, AMGX_RC_OK) << ::Tessera::test::error_text(code_of_call); \
  } while (false)

/// Expects a failure with this code, whose text has these words.
inline void expect_failure(AMGX_RC code, AMGX_RC wanted, std::string const& words) {
  EXPECT_EQ(code, wanted);
  EXPECT_NE(error_text(code).find(words), std::string::npos) << error_text(code) << "\nlacks: " << words;
}

/// One of each object.
struct Objects {
  AMGX_Mode mode;
  AMGX_config_handle config = nullptr;
  AMGX_resources_handle resources = nullptr;
  AMGX_matrix_handle matrix = nullptr;
  AMGX_vector_handle b = nullptr, x = nullptr;
  AMGX_solver_handle solver = nullptr;

  explicit Objects(std::string const& options, AMGX_Mode of = AMGX_mode_hDDI) : mode(of) {
    EXPECT_RC_OK(AMGX_config_create(&config, options.c_str()));
    EXPECT_RC_OK(AMGX_resources_create_simple(&resources, config));
    EXPECT_RC_OK(AMGX_matrix_create(&matrix, resources, mode));
    EXPECT_RC_OK(AMGX_vector_create(&b, resources, mode));
    EXPECT_RC_OK(AMGX_vector_create(&x, resources, mode));
    EXPECT_RC_OK(AMGX_solver_create(&solver, resources, mode, config));
  }
  Objects(Objects const&) = delete;
  Objects& operator=(Objects const&) = delete;
  ~Objects() {
    EXPECT_RC_OK(AMGX_solver_destroy(solver));
    EXPECT_RC_OK(AMGX_vector_destroy(x));
    EXPECT_RC_OK(AMGX_vector_destroy(b));
    EXPECT_RC_OK(AMGX_matrix_destroy(matrix));
    EXPECT_RC_OK(AMGX_resources_destroy(resources));
    EXPECT_RC_OK(AMGX_config_destroy(config));
  }

  AMGX_RC upload(BlockSystem const& A, double const* diagonal = nullptr) const {
    return AMGX_matrix_upload_all(matrix, A.nodes(), A.entries(), A.block, A.block, A.offsets.data(),
                                  A.columns.data(), A.values.data(), diagonal);
  }
  AMGX_RC attach(BlockSystem& A) const {
    return AMGX_matrix_attach_geometry(matrix, A.axis[0].data(), A.axis[1].data(),
                                       A.block == 3 ? A.axis[2].data() : nullptr, A.nodes());
  }
  AMGX_RC replace(BlockSystem const& A) const {
    return AMGX_matrix_replace_coefficients(matrix, A.nodes(), A.entries(), A.values.data(), nullptr);
  }
  /// Solves from zero.
  std::vector<double> solve(BlockSystem const& A, std::vector<double> const& rhs) const {
    std::vector<double> solution(rhs.size(), 0.0);
    EXPECT_RC_OK(AMGX_vector_upload(b, A.nodes(), A.block, rhs.data()));
    EXPECT_RC_OK(AMGX_vector_upload(x, A.nodes(), A.block, solution.data()));
    EXPECT_RC_OK(AMGX_solver_solve(solver, b, x));
    EXPECT_RC_OK(AMGX_vector_download(x, solution.data()));
    return solution;
  }
  AMGX_SOLVE_STATUS status() const {
    AMGX_SOLVE_STATUS result{};
    EXPECT_RC_OK(AMGX_solver_get_status(solver, &result));
    return result;
  }
  int iterations() const {
    int result = -1;
    EXPECT_RC_OK(AMGX_solver_get_iterations_number(solver, &result));
    return result;
  }
};

/// A session of the library.
class Amgx : public testing::Test {
 protected:
  void SetUp() override { EXPECT_RC_OK(AMGX_initialize()); }
  void TearDown() override { EXPECT_RC_OK(AMGX_finalize()); }
};

/// A solver with residuals relative to the initial one.
inline std::string solver_of(std::string const& name, std::string const& preconditioner = "AMG",
                             std::string const& more = "") {
  return R"({"solver": {"solver": ")" + name +
         R"(", "convergence": "RELATIVE_INI", "tolerance": 1e-9, "max_iters": 1000, "monitor_residual": 1,
         "preconditioner": {"solver": ")" +
         preconditioner + R"("}})" + more + "}";
}

}  // namespace Tessera::test
