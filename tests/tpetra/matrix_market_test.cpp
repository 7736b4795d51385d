#include "tpetra/matrix_market.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "sample.hpp"
#include "scratch_file.hpp"

namespace Tessera::tpetra {
namespace {

using Dense = std::vector<std::vector<double>>;

/// This rank's rows of A, by global row; other rows stay zero.
Dense local_rows(CrsMatrix const& A) {
  auto const n = A.getGlobalNumRows();
  Dense dense(n, std::vector<double>(n, 0));
  auto const local = A.getLocalMatrixHost();
  auto const rows = local_elements(*A.getRowMap());
  auto const columns = local_elements(*A.getColMap());
  for (int i = 0; i < rows.size(); ++i) {
    for (auto k = local.graph.row_map(i); k < local.graph.row_map(i + 1); ++k) {
      dense[rows[i]][columns[local.graph.entries(k)]] += local.values(k);
    }
  }
  return dense;
}

void expect_matrix(CrsMatrix const& A, Dense const& expected) {
  ASSERT_EQ(A.getGlobalNumRows(), expected.size());
  ASSERT_TRUE(A.isFillComplete());
  auto const dense = local_rows(A);
  for (auto const row : local_elements(*A.getRowMap())) EXPECT_EQ(dense[row], expected[row]) << "row " << row;
}

/// [ 4 -1  0 ]
/// [-1  4 -2 ]
/// [ 0 -2  5 ]
Dense const small{{4, -1, 0}, {-1, 4, -2}, {0, -2, 5}};

TEST(ReadMatrix, TakesEveryDialectOfTheFormat) {
  struct Dialect {
    char const *name, *text;
  };
  for (auto const& [name, text] : {
           Dialect{"general",
                   "%%MatrixMarket matrix coordinate real general\n3 3 7\n1 1 4\n1 2 -1\n2 1 -1\n"
                   "2 2 4\n2 3 -2\n3 2 -2\n3 3 5\n"},
           Dialect{"lower triangle",
                   "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 4\n2 1 -1\n2 2 4\n3 2 -2\n3 "
                   "3 5\n"},
           Dialect{"upper triangle, columns descending",
                   "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n3 3 5\n2 3 -2\n2 2 4\n1 2 -1\n1 "
                   "1 4\n"},
           Dialect{"banner in other case",
                   "%%matrixmarket MATRIX Coordinate REAL Symmetric\n3 3 5\n1 1 4\n2 1 -1\n2 2 4\n3 2 -2\n3 "
                   "3 5\n"},
           Dialect{"CR",
                   "%%MatrixMarket matrix coordinate real symmetric\r% a comment\r3 3 5\r1 1 4\r2 1 -1\r"
                   "2 2 4\r3 2 -2\r3 3 5\r"},
           Dialect{"CRLF",
                   "%%MatrixMarket matrix coordinate real symmetric\r\n3 3 5\r\n1 1 4\r\n2 1 -1\r\n"
                   "2 2 4\r\n3 2 -2\r\n3 3 5\r\n"},
           Dialect{"comments and blank lines",
                   "%%MatrixMarket matrix coordinate real symmetric\n% a\n\n%b\n  \n3 3 5\n1 1 4\n\n2 1 -1\n"
                   "% c\n2 2 4\n3 2 -2\n3 3 5\n\n\n"},
           Dialect{"blanks before a comment's percent sign",
                   "%%MatrixMarket matrix coordinate real symmetric\n % a\n\t%b\n3 3 5\n1 1 4\n  %c\n2 1 "
                   "-1\n2 2 4\n3 2 -2\n3 3 5\n \t % end\n"},
           Dialect{"a byte order mark",
                   "\xEF\xBB\xBF%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 4\n2 1 -1\n2 2 "
                   "4\n3 2 -2\n3 3 5\n"},
           Dialect{
               "no last line end",
               "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 4\n2 1 -1\n2 2 4\n3 2 -2\n3 3 5"},
           Dialect{"integer, tabs and plus signs",
                   "%%MatrixMarket matrix coordinate integer symmetric\n 3\t3 5\n+1 1 +4\n2\t1\t-1\n2 2 4 \n"
                   "3 2 -2\n3 3 5\n"},
           Dialect{
               "Fortran exponents",
               "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 4.0D+0\n2 1 -0.1d1\n2 2 40D-1\n"
               "3 2 -.2E+01\n3 3 5.e0\n"},
       }) {
    SCOPED_TRACE(name);
    ScratchFile const file(text);
    expect_matrix(*read_matrix(file.path(), sample::world()), small);
  }
}

TEST(ReadMatrix, GivesPatternEntriesTheValueOne) {
  ScratchFile const file("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n1 1\n3 1\n3 3\n");
  expect_matrix(*read_matrix(file.path(), sample::world()), {{1, 0, 1}, {0, 0, 0}, {1, 0, 1}});
}

TEST(ReadMatrix, TakesMatricesOfNoRowsAndOfOne) {
  ScratchFile const none("%%MatrixMarket matrix coordinate real general\n0 0 0\n");
  EXPECT_EQ(read_matrix(none.path(), sample::world())->getGlobalNumRows(), 0u);
  ScratchFile const one("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1e-310\n");
  expect_matrix(*read_matrix(one.path(), sample::world()), {{1e-310}});
}

TEST(ReadMatrix, KeepsTheRowsOfANodeOnOneRank) {
  // Five nodes of three equations.
  std::string text = "%%MatrixMarket matrix coordinate pattern symmetric\n15 15 15\n";
  for (int i = 1; i <= 15; ++i) text += std::to_string(i) + " " + std::to_string(i) + "\n";
  ScratchFile const file(text);
  auto const A = read_matrix(file.path(), sample::world(), 3);
  auto const rows = local_size(*A->getRowMap());
  EXPECT_EQ(rows % 3, 0u);
  if (rows > 0) {
    EXPECT_EQ(A->getRowMap()->getMinGlobalIndex() % 3, 0);
  }
  auto const nodes = node_map(*A->getRowMap(), 3);
  EXPECT_EQ(nodes->getGlobalNumElements(), 5u);
  EXPECT_EQ(local_size(*nodes) * 3, rows);
}

TEST(ReadMatrix, ReadsWhatWasWritten) {
  for (auto const& layout : sample::layouts()) {
    if (layout.step != 1) continue;
    SCOPED_TRACE(layout.name);
    auto const A = sample::matrix(layout, 1.0 / 3.0);
    ScratchFile const file;
    write_matrix(file.path(), *A);
    Dense expected(sample::rows, std::vector<double>(sample::rows));
    for (int i = 0; i < sample::rows; ++i) {
      for (int j = 0; j < sample::rows; ++j) expected[i][j] = 1.0 / 3.0 * sample::entry(i, j);
    }
    expect_matrix(*read_matrix(file.path(), sample::world()), expected);
  }
}

TEST(ReadDense, ReadsArraysAndCoordinatesOnAnyMap) {
  std::string array = "%%MatrixMarket matrix array real general\n% columns one after the other\n11 2\n";
  std::string coordinate = "%%MatrixMarket matrix coordinate real general\n11 2 21\n";
  for (int c = 0; c < 2; ++c) {
    for (int i = 0; i < sample::rows; ++i) {
      auto const value = std::to_string(100 * c + i);
      array += value + "\n";
      // The zero need not be listed.
      if (c + i > 0) coordinate += std::to_string(i + 1) + " " + std::to_string(c + 1) + " " + value + "\n";
    }
  }
  for (auto const& text : {array, coordinate}) {
    ScratchFile const file(text);
    for (auto const& layout : sample::layouts()) {
      if (layout.step != 1) continue;
      SCOPED_TRACE(layout.name);
      auto const map = layout.map();
      auto const X = read_dense(file.path(), map);
      ASSERT_EQ(X->getNumVectors(), 2u);
      auto const ids = local_elements(*map);
      for (std::size_t c = 0; c < 2; ++c) {
        auto const data = X->getData(c);
        for (int i = 0; i < ids.size(); ++i) EXPECT_EQ(data[i], 100.0 * c + layout.row(ids[i]));
      }
    }
  }
}

TEST(ReadDense, ReadsBitwiseWhatWasWritten) {
  for (auto const& layout : sample::layouts()) {
    if (layout.step != 1) continue;
    SCOPED_TRACE(layout.name);
    auto const map = layout.map();
    MultiVector X(map, 3);
    auto const ids = local_elements(*map);
    for (int i = 0; i < ids.size(); ++i) {
      X.replaceLocalValue(i, 0, core::uniform(ids[i], 1));
      X.replaceLocalValue(i, 1, std::numeric_limits<double>::denorm_min() * (1 + ids[i]));
      X.replaceLocalValue(i, 2, -1e300 / 3 - static_cast<double>(ids[i]));
    }
    ScratchFile const file;
    write_dense(file.path(), X);
    auto const Y = read_dense(file.path(), map);
    ASSERT_EQ(Y->getNumVectors(), 3u);
    for (std::size_t c = 0; c < 3; ++c) {
      auto const x = X.getData(c), y = Y->getData(c);
      for (int i = 0; i < x.size(); ++i) EXPECT_EQ(x[i], y[i]);
    }
  }
}

TEST(WriteDense, ListsColumnAfterColumn) {
  MultiVector X(sample::layouts()[0].map(), 1);
  X.putScalar(0.1);
  ScratchFile const file;
  write_dense(file.path(), X);
  std::string expected = "%%MatrixMarket matrix array real general\n11 1\n";
  for (int i = 0; i < sample::rows; ++i) expected += "0.1\n";
  EXPECT_EQ(file.text(), expected);
}

TEST(NodeMap, RefusesNodesThatARankDoesNotOwnWhole) {
  auto const map = Teuchos::rcp(new Map(7, 0, sample::world()));
  EXPECT_THROW(node_map(*map, 2), core::InvalidInput);
}

}  // namespace
}  // namespace Tessera::tpetra
