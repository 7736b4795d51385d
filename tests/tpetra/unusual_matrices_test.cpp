// Row matrices with contradictory members: read correctly, or rejected on every rank with the row.
#include <gtest/gtest.h>

#include <Ifpack2_DiagonalFilter.hpp>
#include <Ifpack2_LocalFilter.hpp>
#include <Ifpack2_SparsityFilter.hpp>
#include <Teuchos_DefaultSerialComm.hpp>
#include <Tpetra_BlockCrsMatrix.hpp>
#include <string>

#include "sample.hpp"
#include "tpetra/import_matrix.hpp"
#include "tpetra/magnitudes.hpp"
#include "tpetra/matrix_checks.hpp"

namespace Tessera::tpetra {
namespace {

using Teuchos::RCP;
using Teuchos::rcp;

/// A matrix without a graph.
class WithoutGraph : public Ifpack2::DiagonalFilter<RowMatrix> {
 public:
  explicit WithoutGraph(RCP<tpetra::RowMatrix const> const& A) : DiagonalFilter(A, 0.0, 1.0) {}
  RCP<::Tpetra::RowGraph<LocalOrdinal, GlobalOrdinal, Node> const> getGraph() const override {
    return Teuchos::null;
  }
};

/// A matrix that reports one entry more, or fewer, for a row than its copy has.
class Miscounting : public Ifpack2::DiagonalFilter<RowMatrix> {
 public:
  Miscounting(RCP<tpetra::RowMatrix const> const& A, GlobalOrdinal row, int by)
      : DiagonalFilter(A, 0.0, 1.0), row_(A->getRowMap()->getLocalElement(row)), by_(by) {}
  std::size_t getNumEntriesInLocalRow(LocalOrdinal i) const override {
    auto const count = DiagonalFilter::getNumEntriesInLocalRow(i);
    return i == row_ ? count + static_cast<std::size_t>(by_) : count;
  }

 private:
  LocalOrdinal row_;
  int by_;
};

std::string refusal(RowMatrix const& A) {
  try {
    import_matrix(A);
  } catch (core::InvalidInput const& error) {
    return error.what();
  }
  return {};
}

bool has(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}

/// A = diag(1 ... n), assembled from local rows; row `odd` stores its diagonal entry in two parts.
RCP<CrsMatrix> in_two_parts(RCP<Map const> const& map, GlobalOrdinal odd) {
  using Local = CrsMatrix::local_matrix_device_type;
  using Graph = Local::staticcrsgraph_type;
  auto const n = local_size(*map), entries = n + (map->isNodeGlobalElement(odd) ? 1 : 0);
  Graph::row_map_type::non_const_type offsets_there("offsets", n + 1);
  Graph::entries_type::non_const_type column_there("columns", entries);
  Local::values_type::non_const_type value_there("values", entries);
  auto const offsets = Kokkos::create_mirror_view(offsets_there);
  auto const column = Kokkos::create_mirror_view(column_there);
  auto const value = Kokkos::create_mirror_view(value_there);
  std::size_t k = 0;
  for (std::size_t i = 0; i < n; ++i) {
    auto const row = map->getGlobalElement(static_cast<LocalOrdinal>(i));
    for (int part = 0; part < (row == odd ? 2 : 1); ++part) {
      column(k) = static_cast<LocalOrdinal>(i);
      value(k++) = static_cast<double>(row + 1) / (row == odd ? 2 : 1);
    }
    offsets(i + 1) = k;
  }
  Kokkos::deep_copy(offsets_there, offsets);
  Kokkos::deep_copy(column_there, column);
  Kokkos::deep_copy(value_there, value);
  Local const local("parts", static_cast<LocalOrdinal>(n), static_cast<LocalOrdinal>(n), k, value_there,
                    offsets_there, column_there);
  return rcp(new CrsMatrix(local, map, map, map, map));
}

TEST(UnusualMatrices, AMatrixWithoutGraphIsReadOnAnyNumberOfRanks) {
  for (auto const& layout : sample::layouts()) {
    auto const A = sample::matrix(layout);
    WithoutGraph const plain(A);
    auto const expected = import_matrix(*A), imported = import_matrix(plain);
    EXPECT_EQ(imported.A.halo.ghosts(), expected.A.halo.ghosts()) << layout.name;
    ASSERT_EQ(imported.A.local.value.size(), expected.A.local.value.size());
    for (std::size_t k = 0; k < imported.A.local.value.size(); ++k) {
      EXPECT_EQ(imported.A.local.value[k], expected.A.local.value[k]);
      EXPECT_EQ(imported.A.local.column[k], expected.A.local.column[k]);
    }
    MultiVector x(A->getRowMap(), 1), y(A->getRowMap(), 1);
    x.putScalar(1);
    multiply_magnitudes(plain, x, y);
    for (auto const id : local_elements(*A->getRowMap())) {
      double sum = 0;
      for (int j = 0; j < sample::rows; ++j) sum += sample::entry(layout.row(id), j);
      EXPECT_EQ(y.getData(0)[A->getRowMap()->getLocalElement(id)], sum);
    }
  }
}

TEST(UnusualMatrices, CountsThatContradictCopiesAreRefusedByRowOnEveryRank) {
  for (auto const& layout : sample::layouts()) {
    auto const id = layout.id(3);
    for (int const by : {1, -1, 1000}) {
      auto const text = refusal(Miscounting(sample::matrix(layout), id, by));
      EXPECT_TRUE(has(text, "row " + std::to_string(id) + " has ")) << layout.name << by << text;
      EXPECT_TRUE(has(text, "getLocalRowCopy()")) << text;
    }
  }
}

TEST(UnusualMatrices, ASparsityFilterIsRefusedWhereItDropsEntries) {
  auto const alone = rcp(new Teuchos::SerialComm<int>);
  auto const map = rcp(new Map(40, 0, alone));
  auto const A = rcp(new CrsMatrix(map, 40));
  for (GlobalOrdinal i = 0; i < 40; ++i) {
    for (GlobalOrdinal j = 0; j < (i == 7 ? 40 : 2); ++j)
      A->insertGlobalValues(i, Teuchos::tuple(j == 0 ? i : (i + j) % 40), Teuchos::tuple(1.0 + j));
  }
  A->fillComplete();
  auto const local = rcp(new Ifpack2::LocalFilter<RowMatrix>(A));
  auto const text = refusal(Ifpack2::SparsityFilter<RowMatrix>(local, 10, 1000));
  EXPECT_TRUE(has(text, "row 7 has 40 entries by getNumEntriesInLocalRow() but 11 in")) << text;
}

TEST(UnusualMatrices, AColumnThatARowHasTwiceIsRefusedOnEveryRank) {
  auto const map = rcp(new Map(30, 0, sample::world()));
  EXPECT_EQ(refusal(*in_two_parts(map, -1)), "");
  for (GlobalOrdinal const odd : {0, 17, 29}) {
    auto const text = refusal(*in_two_parts(map, odd));
    auto const name = std::to_string(odd);
    EXPECT_TRUE(has(text, "row " + name + " has several entries in column " + name)) << text;
    EXPECT_TRUE(has(text, "; rows count from 0")) << text;
  }
}

TEST(UnusualMatrices, RowsInPartsOnSeveralRanksGetAdvice) {
  auto const comm = sample::world();
  if (comm->getSize() == 1) GTEST_SKIP() << "one rank has whole rows";
  // Elements 0 .. ranks - 1 couple the vertices at their ends; each rank has the rows of its element.
  GlobalOrdinal const rank = comm->getRank();
  std::vector<GlobalOrdinal> const ids{rank, rank + 1};
  auto const invalid = Teuchos::OrdinalTraits<::Tpetra::global_size_t>::invalid();
  auto const parts = rcp(new Map(invalid, Teuchos::arrayViewFromVector(ids), 0, comm));
  auto const owners = ::Tpetra::createOneToOne<LocalOrdinal, GlobalOrdinal, Node>(parts);
  CrsMatrix A(parts, 2);
  for (int i = 0; i < 2; ++i)
    A.insertGlobalValues(rank + i, Teuchos::tuple(rank, rank + 1),
                         i == 0 ? Teuchos::tuple(1.0, -1.0) : Teuchos::tuple(-1.0, 1.0));
  A.fillComplete(owners, owners);
  auto const text = refusal(A);
  EXPECT_TRUE(has(text, "not one-to-one")) << text;
  EXPECT_TRUE(has(text, "doExport()")) << text;
  // The advice of the message.
  CrsMatrix summed(owners, 3);
  summed.doExport(A, ::Tpetra::Export<LocalOrdinal, GlobalOrdinal, Node>(parts, owners), ::Tpetra::ADD);
  summed.fillComplete();
  EXPECT_EQ(refusal(summed), "");
}

TEST(UnusualMatrices, RectangularAndBlockMatricesAreRefusedByName) {
  auto const map = rcp(new Map(12, 0, sample::world())), narrow = rcp(new Map(5, 0, sample::world()));
  CrsMatrix tall(map, 1);
  for (auto const i : local_elements(*map))
    tall.insertGlobalValues(i, Teuchos::tuple<GlobalOrdinal>(i % 5), Teuchos::tuple(1.0));
  tall.fillComplete(narrow, map);
  auto const text = refusal(tall);
  EXPECT_TRUE(has(text, "the matrix is rectangular, 12 x 5 ")) << text;

  CrsGraph graph(map, 1);
  for (auto const i : local_elements(*map)) graph.insertGlobalIndices(i, Teuchos::tuple<GlobalOrdinal>(i));
  graph.fillComplete();
  ::Tpetra::BlockCrsMatrix<Scalar, LocalOrdinal, GlobalOrdinal, Node> const blocks(graph, 3);
  auto const about_blocks = refusal(blocks);
  EXPECT_TRUE(has(about_blocks, "12 rows of blocks for vectors of 36 numbers")) << about_blocks;
  EXPECT_TRUE(has(about_blocks, "Tpetra::convertToCrsMatrix()")) << about_blocks;
}

TEST(RowBase, IsAppendedIfARowIsNamed) {
  Map const from_one(3, 1, sample::world());
  EXPECT_EQ(with_row_base("row 3 is bad", from_one), "row 3 is bad; rows count from 1");
  EXPECT_EQ(with_row_base("a(1, 2) is 3", from_one), "a(1, 2) is 3; rows count from 1");
  EXPECT_EQ(with_row_base("at row -7)", from_one), "at row -7); rows count from 1");
  for (auto const* text : {"5 rows", "a row too many", "arrow 3", "row 3; rows count from 0"})
    EXPECT_EQ(with_row_base(text, from_one), text);
}

}  // namespace
}  // namespace Tessera::tpetra
