// Errors of the reader. Every message names the file and, if known, the line; every rank throws.
#include <gtest/gtest.h>

#include <vector>

#include "core/error.hpp"
#include "sample.hpp"
#include "scratch_file.hpp"
#include "tpetra/matrix_market.hpp"

namespace Tessera::tpetra {
namespace {

struct BadFile {
  std::string name, text;
  int line;          ///< that the message names; 0: the file only
  std::string says;  ///< part of the message
};

/// The message has these, whichever rank reads it.
template <class Read>
void expect_refused(BadFile const& bad, Read const& read) {
  SCOPED_TRACE(bad.name);
  ScratchFile const file(bad.text);
  try {
    read(file.path());
    ADD_FAILURE() << "was not refused";
  } catch (core::InvalidInput const& error) {
    std::string const text = error.what();
    EXPECT_LT(text.size(), 1000U);
    auto const place = file.path() + ":" + (bad.line > 0 ? std::to_string(bad.line) + ":" : "");
    EXPECT_NE(text.find(place), std::string::npos) << text;
    EXPECT_NE(text.find(bad.says), std::string::npos) << text;
  }
}

std::string const symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
std::string const general = "%%MatrixMarket matrix coordinate real general\n";
std::string const array = "%%MatrixMarket matrix array real general\n";

TEST(BadMatrixFile, IsRefusedWithFileAndLine) {
  for (auto const& bad : std::vector<BadFile>{
           {"empty file", "", 0, "is empty"},
           {"no banner", "2 2 1\n1 1 1.0\n", 1, "not a Matrix Market file"},
           {"another object", "%%MatrixMarket vector coordinate real general\n", 1, "object is \"vector\""},
           {"another format", "%%MatrixMarket matrix dense real general\n", 1, "format is \"dense\""},
           {"complex", "%%MatrixMarket matrix coordinate complex general\n", 1,
            "complex matrices are not read"},
           {"another field", "%%MatrixMarket matrix coordinate quad general\n", 1, "field is \"quad\""},
           {"hermitian", "%%MatrixMarket matrix coordinate real hermitian\n", 1, "write \"symmetric\""},
           {"Harwell-Boeing",
            "A title                                                                 KEY\n"
            "             3             1             1             1             0\n"
            "RSA                        2             2             2             0\n",
            1, "sparse_matrix_converter FILE HB A.mtx MM"},
           {"Rutherford-Boeing", "A title|KEY\n  3  1  1  1\nrsa  2  2  2  0\n", 1,
            "is a Harwell-Boeing file"},
           {"PETSc's matrix", std::string("\0\x12\x7B\x50\0\0\0\2", 8), 0,
            "readBinaryFile(FILE, \"scipy.sparse\")"},
           {"PETSc's matrix, long", std::string("\0\0\0\0\0\x12\x7B\x50", 8), 0, "is a matrix in PETSc's"},
           {"PETSc's vector", std::string("\0\x12\x7B\x4E\0\0\0\2", 8), 0, "is a vector in PETSc's"},
           {"a no-break space",
            general + "2 2 1\n1\xC2\xA0"
                      "1 1.0\n",
            3, "1\\xC2\\xA01"},
           {"skew-symmetric", "%%MatrixMarket matrix coordinate real skew-symmetric\n", 1, "skew-symmetric"},
           {"another symmetry", "%%MatrixMarket matrix coordinate real Toeplitz\n", 1,
            "symmetry is \"toeplitz\""},
           {"banner too short", "%%MatrixMarket matrix coordinate\n1 1 1\n1 1 1\n", 1, "field is \"\""},
           {"banner too long", "%%MatrixMarket matrix coordinate real general now\n", 1,
            "\"now\" follows the banner"},
           {"an array", array + "1 1\n1.0\n", 1, "is an array"},
           {"no sizes", general + "% nothing\n", 2, "ends before the line of sizes"},
           {"sizes too few", general + "2 2\n1 1 1.0\n", 2, "number of entries is missing"},
           {"sizes too many", general + "2 2 1 7\n1 1 1.0\n", 2, "\"7\" follows the sizes"},
           {"a size that is not a number", general + "two 2 1\n", 2,
            "number of rows \"two\" is not an integer"},
           {"a negative size", general + "-2 -2 1\n1 1 1.0\n", 2, "negative"},
           {"a size too large", general + "3000000000 3000000000 1\n1 1 1.0\n", 2, "2^31 - 1"},
           {"a size far too large", general + "99999999999999999999 2 1\n", 2, "below 2^63"},
           {"not square", general + "2 3 1\n1 1 1.0\n", 0, "2 x 3, not square"},
           {"rows out of all proportion", general + "2147483647 2147483647 1\n1 1 1.0\n", 0,
            "rows are empty"},
           {"a word without end", general + "2 2 1\n1 1 " + std::string(1000000, 'x') + "\n", 3,
            "1000000 bytes"},
           {"control characters", general + "2 2 1\n1 1 \x1b[2J\n", 3, "\"\\x1B[2J\" is not a number"},
           {"too few entries", general + "2 2 3\n1 1 1.0\n2 2 1.0\n", 4, "ends after 2 of the 3 entries"},
           {"too many entries", general + "2 2 1\n1 1 1.0\n2 2 1.0\n", 4, "more than the 1 entries"},
           {"row 0", general + "2 2 1\n0 1 1.0\n", 3, "seems to count from 0"},
           {"column 0", general + "2 2 1\n\n% x\n1 0 1.0\n", 5, "column 0 is out of range"},
           {"row beyond the last", general + "2 2 1\n3 1 1.0\n", 3,
            "row 3 is out of range (indices run from 1 to 2)"},
           {"negative column", general + "2 2 1\n1 -1 1.0\n", 3, "column -1 is out of range"},
           {"index that is not whole", general + "2 2 1\n1.0 1 1.0\n", 3, "row \"1.0\" is not an integer"},
           {"no column", general + "2 2 1\n1\n", 3, "column is missing"},
           {"no value", general + "2 2 1\r\n1 1\r\n", 3, "value is missing"},
           {"words for values", general + "2 2 1\n1 1 one\n", 3, "value \"one\" is not a number"},
           {"value and rubbish", general + "2 2 1\n1 1 1.0x\n", 3, "value \"1.0x\" is not a number"},
           {"exponent without its letter", general + "2 2 1\n1 1 1.0-3\n", 3,
            "value \"1.0-3\" has an exponent without its letter, as Fortran writes"},
           {"large exponent without its letter", general + "2 2 1\n1 1 -.5+100\n", 3, "write -.5E+100"},
           {"words with a sign within", general + "2 2 1\n1 1 1.0-x\n", 3, "value \"1.0-x\" is not a number"},
           {"UTF-16", std::string("\xFF\xFE%\0%\0", 6), 0, "is text in UTF-16"},
           {"hexadecimal value", general + "2 2 1\n1 1 0x10\n", 3, "value \"0x10\" is not a number"},
           {"value nan", general + "2 2 1\n1 1 nan\n", 3, "\"nan\" is not a finite number"},
           {"value inf", general + "2 2 1\n1 1 -inf\n", 3, "\"-inf\" is not a finite number"},
           {"value beyond double", general + "2 2 1\n1 1 1e999\n", 3, "\"1e999\" is not a finite number"},
           {"imaginary part", general + "2 2 1\n1 1 1.0 2.0\n", 3, "\"2.0\" follows the entry"},
           {"pattern with values", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1 1.0\n", 3,
            "\"1.0\" follows the entry"},
           {"fraction in an integer file",
            "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 1.5\n", 3, "not an integer"},
           {"an entry twice", general + "2 2 3\n1 2 1.0\n2 2 1.0\n1 2 1.0\n", 5,
            "entry (1, 2) was given in line 3 already"},
           {"both triangles", symmetric + "2 2 4\n1 1 1.0\n1 2 1.0\n2 1 1.0\n2 2 1.0\n", 5,
            "entry (2, 1) was given in line 4 already (one triangle"},
       }) {
    expect_refused(bad, [](std::string const& path) { read_matrix(path, sample::world()); });
  }
}

TEST(BadDenseFile, IsRefusedWithFileAndLine) {
  auto const map = Teuchos::rcp(new Map(2, 0, sample::world()));
  for (auto const& bad : std::vector<BadFile>{
           {"pattern array", "%%MatrixMarket matrix array pattern general\n", 1,
            "field cannot be \"pattern\""},
           {"symmetric array", "%%MatrixMarket matrix array real symmetric\n", 1,
            "symmetric arrays are not read"},
           {"too few rows", array + "1 1\n1.0\n", 0, "has 1 rows, where 2 are needed"},
           {"too many rows", array + "3 1\n1\n2\n3\n", 0, "has 3 rows, where 2 are needed"},
           {"no columns", array + "2 0\n", 0, "has 0 columns"},
           {"too many columns", general + "2 2000000000 0\n", 0, "has 2000000000 columns"},
           {"columns out of all proportion", general + "2 9999 1\n1 1 1\n", 0, "columns are zero"},
           {"too few values", array + "2 2\n1\n2\n3\n", 5, "ends after 3 of the 4 entries"},
           {"too many values", array + "2 1\n1\n2\n3\n", 5, "more than the 2 entries"},
           {"two values in a line", array + "2 1\n1 2\n", 3, "one value a line"},
           {"exponent without its letter", array + "2 1\n1\n1.0+100\n", 4, "write 1.0E+100"},
           {"value nan", array + "2 1\n1\nNaN\n", 4, "\"NaN\" is not a finite number"},
           {"an entry twice", general + "2 1 2\n1 1 1\n1 1 2\n", 4, "was given in line 3 already"},
           {"symmetric coordinates", symmetric + "2 2 1\n1 1 1\n", 1, "make it general"},
       }) {
    expect_refused(bad, [&map](std::string const& path) { read_dense(path, map); });
  }
}

template <class Work>
std::string text_of(Work const& work) {
  try {
    work();
  } catch (core::InvalidInput const& error) {
    return error.what();
  }
  ADD_FAILURE() << "was not refused";
  return {};
}

TEST(BadPath, IsNamed) {
  auto const missing = text_of([] { read_matrix("no/such.mtx", sample::world()); });
  EXPECT_NE(missing.find("no/such.mtx: cannot be opened (No such file or directory)"), std::string::npos)
      << missing;
  auto const directory = text_of([] { read_matrix("/", sample::world()); });
  EXPECT_NE(directory.find("is a directory"), std::string::npos) << directory;
  auto const endless = text_of([] { read_matrix("/dev/zero", sample::world()); });
  EXPECT_NE(endless.find("/dev/zero: is a device"), std::string::npos) << endless;
  auto const A = sample::matrix(sample::layouts()[0]);
  auto const written = text_of([&] { write_matrix("no/such.mtx", *A); });
  EXPECT_NE(written.find("no/such.mtx: cannot be written"), std::string::npos) << written;
}

TEST(BadPath, OfAFullDeviceIsNamed) {
  auto const A = sample::matrix(sample::layouts()[0]);
  auto const text = text_of([&] { write_matrix("/dev/full", *A); });
  EXPECT_NE(text.find("/dev/full: cannot be written to its end (No space left"), std::string::npos) << text;
}

TEST(BadEquations, AreRefused) {
  ScratchFile const file(symmetric + "3 3 1\n1 1 1\n");
  auto const text = text_of([&] { read_matrix(file.path(), sample::world(), 2); });
  EXPECT_NE(text.find("the number of equations, 2, does not divide"), std::string::npos) << text;
  EXPECT_THROW(read_matrix(file.path(), sample::world(), 0), core::InvalidInput);
}

}  // namespace
}  // namespace Tessera::tpetra
