#pragma once
/// \file
/// Paths of the matrices of cmake/TesseraMatrices.cmake. Targets that include this header call
/// tessera_use_matrices().
#include <fstream>
#include <string>

namespace Tessera::support {

/// The path NAME.mtx.xz, whether or not the file exists.
inline std::string matrix_path(std::string const& name) {
  return std::string(TESSERA_MATRICES) + "/" + name + ".mtx.xz";
}

inline bool has_matrix(std::string const& name) {
  return std::ifstream(matrix_path(name)).good();
}

}  // namespace Tessera::support

/// Skips the test, with a message, if a matrix does not exist.
#define TESSERA_SKIP_WITHOUT_MATRIX(name)                                                     \
  if (!::Tessera::support::has_matrix(name)) {                                                \
    GTEST_SKIP() << ::Tessera::support::matrix_path(name)                                     \
                 << " is not there: configure with -DTESSERA_MATRICES_DIR=FOLDER of .mtx.xz"; \
  }                                                                                           \
  static_assert(true)
