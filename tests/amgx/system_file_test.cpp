// AMGX_read_system: Matrix Market files with AmgX's extension.
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "amgx/calls.hpp"
#include "core/error.hpp"
#include "oracle/generators.hpp"

namespace Tessera::test {
namespace {

/// A file of the test that is removed at its end.
class File {
 public:
  explicit File(std::string const& text)
      : path_(std::filesystem::temp_directory_path() / core::message("tessera_amgx_", getpid(), ".mtx")) {
    std::ofstream(path_) << text;
  }
  File(File const&) = delete;
  File& operator=(File const&) = delete;
  ~File() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

std::string digits(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

/// Entries of the blocks in reverse order, so that no block is in one piece. with_diagonal: also blocks on
/// the diagonal.
std::string entries_of(BlockSystem const& A, int base, bool with_diagonal, int* count) {
  std::string text;
  *count = 0;
  int const b = A.block;
  for (int place = b * b - 1; place >= 0; --place) {
    for (int i = 0; i < A.nodes(); ++i) {
      for (int k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
        if (A.columns[k] == i && !with_diagonal) continue;
        text += core::message(i * b + place / b + base, " ", A.columns[k] * b + place % b + base, " ") +
                digits(A.values[k * b * b + place]) + "\n";
        ++*count;
      }
    }
  }
  return text;
}

std::string lines_of(std::vector<double> const& values) {
  std::string text;
  for (double const value : values) text += digits(value) + "\n";
  return text;
}

std::vector<double> some_values(std::size_t size) {
  std::vector<double> values(size);
  for (std::size_t i = 0; i < size; ++i) values[i] = std::sin(0.7 * static_cast<double>(i)) + 0.1;
  return values;
}

std::vector<double> downloaded(AMGX_vector_handle vector) {
  int n = 0, block = 0;
  EXPECT_RC_OK(AMGX_vector_get_size(vector, &n, &block));
  std::vector<double> values(static_cast<std::size_t>(n) * static_cast<std::size_t>(block));
  EXPECT_RC_OK(AMGX_vector_download(vector, values.data()));
  return values;
}

/// The solution from the file's first guess.
std::vector<double> solved(Objects const& objects) {
  EXPECT_RC_OK(AMGX_solver_setup(objects.solver, objects.matrix));
  EXPECT_RC_OK(AMGX_solver_solve(objects.solver, objects.b, objects.x));
  EXPECT_EQ(objects.status(), AMGX_SOLVE_SUCCESS);
  return downloaded(objects.x);
}

TEST_F(Amgx, SystemsFromFilesAreThoseThatArraysGive) {
  for (int const block : {1, 2, 3}) {
    for (bool const own_diagonal : {false, true}) {
      auto const A =
          block == 1 ? in_blocks_of(1, oracle::to_dense(oracle::laplace(9, 8).view())) : truss(4, block);
      auto const size = static_cast<std::size_t>(A.nodes() * block);
      auto const b = some_values(size);
      int count = 0;
      auto const entries = entries_of(A, 0, !own_diagonal, &count);
      std::string diagonal;
      for (int i = 0; own_diagonal && i < A.nodes(); ++i)
        for (int k = A.offsets[i]; k < A.offsets[i + 1]; ++k)
          for (int place = 0; A.columns[k] == i && place < block * block; ++place)
            diagonal += digits(A.values[k * block * block + place]) + " ";
      File const file(core::message("%%MatrixMarket matrix coordinate real general\n% a comment\n%%NVAMG ",
                                    block, own_diagonal ? " diagonal" : "", " rhs solution base0 sorted\n",
                                    size, " ", size, " ", count, "\n") +
                      entries + diagonal + "\n" + lines_of(b) + lines_of(some_values(size)));
      Objects const by_file(solver_of("PCG")), by_arrays(solver_of("PCG"));
      ASSERT_NO_FATAL_FAILURE(
          EXPECT_RC_OK(AMGX_read_system(by_file.matrix, by_file.b, by_file.x, file.path().c_str())));
      EXPECT_EQ(downloaded(by_file.b), b);
      EXPECT_EQ(downloaded(by_file.x), some_values(size));
      int n = 0, rows = 0, columns = 0;
      EXPECT_RC_OK(AMGX_matrix_get_size(by_file.matrix, &n, &rows, &columns));
      EXPECT_EQ(n, A.nodes());
      EXPECT_EQ(rows, block);
      EXPECT_EQ(columns, block);

      EXPECT_RC_OK(by_arrays.upload(A));
      EXPECT_RC_OK(AMGX_vector_upload(by_arrays.b, n, block, b.data()));
      EXPECT_RC_OK(AMGX_vector_upload(by_arrays.x, n, block, some_values(size).data()));
      auto const x = solved(by_file), expected = solved(by_arrays);
      if (own_diagonal) {  // comes first in its row, so sums have another order
        EXPECT_LT(relative_residual(A, x, b), 1e-8);
      } else {
        EXPECT_EQ(x, expected) << block;
      }
    }
  }
}

TEST_F(Amgx, FilesWithoutVectorsHaveOnesAndZeros) {
  File const file(
      "%%MatrixMarket matrix coordinate real symmetric\n%%AMGX\n3 3 5\n1 1 2\n2 1 -1\n2 2 2\n3 2 -1\n3 3 "
      "2\n");
  Objects const objects(solver_of("PCG"));
  EXPECT_RC_OK(AMGX_read_system(objects.matrix, objects.b, objects.x, file.path().c_str()));
  EXPECT_EQ(downloaded(objects.b), std::vector<double>({1, 1, 1}));
  EXPECT_EQ(downloaded(objects.x), std::vector<double>({0, 0, 0}));
  auto const x = solved(objects);
  EXPECT_NEAR(x[0], 1.5, 1e-8);
  EXPECT_NEAR(x[1], 2, 1e-8);
  EXPECT_RC_OK(AMGX_read_system(nullptr, objects.b, nullptr, file.path().c_str()));
  EXPECT_RC_OK(AMGX_matrix_attach_coloring(objects.matrix, nullptr, 0, 0));
}

TEST_F(Amgx, FilesThatCannotBeReadChangeNothing) {
  Objects const objects(solver_of("PCG"));
  auto const A = in_blocks_of(1, oracle::to_dense(oracle::laplace(3, 3).view()));
  EXPECT_RC_OK(objects.upload(A));
  auto const refused = [&](std::string const& text, std::string const& words) {
    File const file(text);
    expect_failure(AMGX_read_system(objects.matrix, objects.b, objects.x, file.path().c_str()),
                   AMGX_RC_IO_ERROR, words);
    int n = 0, rows = 0, columns = 0;
    EXPECT_RC_OK(AMGX_matrix_get_size(objects.matrix, &n, &rows, &columns));
    EXPECT_EQ(n, 9);
    EXPECT_RC_OK(AMGX_vector_get_size(objects.b, &n, &rows));
    EXPECT_EQ(n, 0);
  };
  std::string const banner = "%%MatrixMarket matrix coordinate real general\n", two = "1 1 1\n2 2 1\n";
  refused(banner + "%%AMGX rhs\n2 2 2\n" + two + "1\n",
          ":6: the file ends after 1 of the 2 values of the right-hand side");
  refused(banner + "%%AMGX rhs\n2 2 2\n" + two + "1 2 3\n", "\"3\" follows the last value");
  refused(banner + "%%AMGX rhs\n2 2 2\n" + two + "1 2\n3\n",
          ":7: more lines than the sizes and the extension announce");
  refused(banner + "%%AMGX rsh\n2 2 2\n" + two, ":2: \"rsh\" is no word of AmgX's extension");
  refused(banner + "%%AMGX 3\n2 2 2\n" + two, "2 rows are no number of blocks of 3");
  refused(banner + "%%AMGX 17\n2 2 2\n" + two, "a block has \"17\" rows or columns");
  refused(banner + "%%AMGX 1 2\n2 2 2\n" + two, "blocks are 1 x 2");
  refused(banner + "2 2 3\n" + two + "2 2 1\n", "was given in line 4 already");
  refused(banner + "2 2 2\n0 0 1\n1 1 1\n", "seems to count from 0");
  refused(banner + "2 3 2\n" + two, "the matrix is 2 x 3");
  refused(banner + "%%AMGX rhs\n2 2 2\n" + two + "1 nan\n", "not a finite number");
  refused("%%MatrixMarket matrix array real general\n2 1\n1\n2\n", "is an array");
  refused("%%NVAMGBinary\n", "is a binary file of AmgX");
  expect_failure(AMGX_read_system(objects.matrix, nullptr, nullptr, "/nowhere.mtx"), AMGX_RC_IO_ERROR,
                 "/nowhere.mtx");
  expect_failure(AMGX_read_system(objects.matrix, nullptr, nullptr, nullptr), AMGX_RC_BAD_PARAMETERS, "null");
}

}  // namespace
}  // namespace Tessera::test
