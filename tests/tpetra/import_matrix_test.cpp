#include "tpetra/import_matrix.hpp"

#include <gtest/gtest.h>

#include <Ifpack2_DiagonalFilter.hpp>
#include <Ifpack2_LocalFilter.hpp>
#include <Teuchos_DefaultSerialComm.hpp>
#include <algorithm>
#include <string>

#include "sample.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::tpetra {
namespace {

using sample::Layout;

/// The sample's rows in Tessera's numbering: rank by rank, in local order.
std::vector<int> numbering(Layout const& layout) {
  std::vector<int> rows;
  auto const ranks = sample::world()->getSize();
  for (int rank = 0; rank < ranks; ++rank) {
    auto const mine = layout.rows_of(rank, ranks);
    rows.insert(rows.end(), mine.begin(), mine.end());
  }
  return rows;
}

/// Every entry of `imported` is scale * sample::entry, and none is missing.
void expect_sample(Layout const& layout, ImportedMatrix const& imported, double scale = 1) {
  auto const rows = numbering(layout);
  auto const& A = imported.A;
  auto const& ghosts = A.halo.ghosts();
  ASSERT_EQ(A.rows.global_size(), sample::rows);
  ASSERT_EQ(A.local.rows, A.rows.local_size());
  ASSERT_EQ(A.local.columns, A.rows.local_size() + A.halo.ghost_count());
  EXPECT_TRUE(std::is_sorted(ghosts.begin(), ghosts.end()));
  for (Index i = 0; i < A.local.rows; ++i) {
    int const row = rows[A.rows.begin() + i];
    std::vector<double> dense(sample::rows, 0);
    for (auto k = A.local.offsets[i]; k < A.local.offsets[i + 1]; ++k) {
      auto const c = A.local.column[k];
      auto const global = c < A.rows.local_size() ? A.rows.begin() + c : ghosts[c - A.rows.local_size()];
      dense[rows[global]] += A.local.value[k];
    }
    for (int j = 0; j < sample::rows; ++j)
      EXPECT_EQ(dense[j], scale * sample::entry(row, j)) << row << " " << j;
  }
}

/// The text of the E that work throws; fails the test if work does not throw.
template <class E, class Work>
std::string text_of(Work const& work) {
  try {
    work();
  } catch (E const& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

TEST(ImportMatrix, HasTheEntriesOfTheTpetraMatrixOnEveryKindOfMap) {
  for (auto const& layout : sample::layouts()) {
    SCOPED_TRACE(layout.name);
    expect_sample(layout, import_matrix(*sample::matrix(layout)));
  }
}

TEST(ImportMatrix, KeepsTheOrderOfLocalRows) {
  for (auto const& layout : sample::layouts()) {
    SCOPED_TRACE(layout.name);
    auto const A = sample::matrix(layout);
    auto const ids = row_ids(*A->getRowMap());
    auto const elements = local_elements(*A->getRowMap());
    ASSERT_EQ(ids.size, static_cast<std::size_t>(elements.size()));
    for (int i = 0; i < elements.size(); ++i) EXPECT_EQ(ids[i], elements[i] - layout.first);
  }
}

TEST(ImportMatrix, ProductWithAVectorIsTpetras) {
  for (auto const& layout : sample::layouts()) {
    SCOPED_TRACE(layout.name);
    auto const A = sample::matrix(layout);
    auto const imported = import_matrix(*A);
    MultiVector x(A->getRowMap(), 1), y(A->getRowMap(), 1);
    auto const n = local_size(*A->getRowMap());
    auto const ids = row_ids(*A->getRowMap());
    std::vector<double> ours(n), result(n);
    for (std::size_t i = 0; i < n; ++i) {
      ours[i] = static_cast<double>(ids[i]) - 3;
      x.replaceLocalValue(static_cast<int>(i), 0, ours[i]);
    }
    A->apply(x, y);
    comm::multiply<double>(Host{}, imported.A, {ours.data(), n}, {result.data(), n});
    auto const theirs = y.getData(0);
    for (std::size_t i = 0; i < n; ++i) EXPECT_DOUBLE_EQ(result[i], theirs[i]);
  }
}

TEST(ImportMatrix, ReadsRowMatricesThatAreNotCrs) {
  for (auto const& layout : sample::layouts()) {
    SCOPED_TRACE(layout.name);
    Ifpack2::DiagonalFilter<RowMatrix> const same(sample::matrix(layout), 0.0, 1.0);
    auto imported = import_matrix(same);
    expect_sample(layout, imported);
    Ifpack2::DiagonalFilter<RowMatrix> const doubled(sample::matrix(layout, 2), 0.0, 1.0);
    import_values(doubled, imported);
    expect_sample(layout, imported, 2);
  }
}

TEST(ImportMatrix, ReadsALocalFilterAsAMatrixOfOneRank) {
  auto const layout = sample::layouts().front();
  auto const A = sample::matrix(layout);
  Ifpack2::LocalFilter<RowMatrix> const filtered(A);
  auto const imported = import_matrix(filtered);
  auto const mine = layout.rows_of(A->getComm()->getRank(), A->getComm()->getSize());
  EXPECT_EQ(imported.A.rows.comm().size(), 1);
  EXPECT_EQ(imported.A.halo.ghost_count(), 0);
  ASSERT_EQ(imported.A.local.rows, static_cast<Index>(mine.size()));
  double sum = 0, expected = 0;
  for (auto const value : imported.A.local.value) sum += value;
  for (int const i : mine) {
    for (int const j : mine) expected += sample::entry(i, j);
  }
  EXPECT_EQ(sum, expected);
}

TEST(ImportMatrix, TakesAMatrixWithoutRows) {
  auto const map = Teuchos::rcp(new Map(0, 0, sample::world()));
  CrsMatrix A(map, 1);
  A.fillComplete();
  auto const imported = import_matrix(A);
  EXPECT_EQ(imported.A.rows.global_size(), 0);
  EXPECT_EQ(imported.A.local.nonzeros(), 0);
}

TEST(ImportMatrix, RefusesAMatrixThatIsNotFillComplete) {
  CrsMatrix const A(sample::layouts().front().map(), 4);
  auto const text = text_of<core::InvalidInput>([&] { import_matrix(A); });
  EXPECT_NE(text.find("fillComplete()"), std::string::npos) << text;
}

TEST(ImportMatrix, RefusesADomainMapThatIsNotTheRowMap) {
  auto const layout = sample::layouts().front();
  auto const other =
      Teuchos::rcp(new Map(sample::rows, 100, sample::world()));  // equally many rows, with other indices
  CrsMatrix domain(layout.map(), 4), range(layout.map(), 4);
  domain.fillComplete(other, layout.map());
  range.fillComplete(layout.map(), other);
  auto const text = text_of<core::InvalidInput>([&] { import_matrix(domain); });
  EXPECT_NE(text.find("domain map differs"), std::string::npos) << text;
  auto const about_range = text_of<core::InvalidInput>([&] { import_matrix(range); });
  EXPECT_NE(about_range.find("range map differs"), std::string::npos) << about_range;
}

TEST(ImportMatrix, RefusesGlobalIndicesTooFarApart) {
  // On several ranks, Tpetra's directory throws first.
  Teuchos::RCP<Teuchos::Comm<int> const> const alone = Teuchos::rcp(new Teuchos::SerialComm<int>);
  std::vector<GlobalOrdinal> const ids{0, GlobalOrdinal{1} << 62};
  auto const map = Teuchos::rcp(new Map(2, Teuchos::arrayViewFromVector(ids), 0, alone));
  CrsMatrix A(map, 1);
  A.fillComplete();
  auto const text = text_of<core::InvalidInput>([&] { import_matrix(A); });
  EXPECT_NE(text.find("below 2^62"), std::string::npos) << text;
}

TEST(ImportValues, GivesTheMatrixThatAFreshImportGives) {
  for (auto const& layout : sample::layouts()) {
    SCOPED_TRACE(layout.name);
    auto imported = import_matrix(*sample::matrix(layout));
    bool const is_copy = !imported.lent_pattern;
    auto const* const before = imported.A.local.value.data();
    import_values(*sample::matrix(layout, -3), imported);
    expect_sample(layout, imported, -3);
    EXPECT_EQ(imported.A.local.value.data() == before, is_copy);
    EXPECT_EQ(!imported.lent_pattern, is_copy);
  }
}

TEST(ImportMatrix, KeepsTheUsersIndicesOfRows) {
  for (auto const& layout : sample::layouts()) {
    SCOPED_TRACE(layout.name);
    auto const A = sample::matrix(layout);
    auto const imported = import_matrix(*A);
    auto const elements = local_elements(*A->getRowMap());
    for (int i = 0; i < elements.size(); ++i) EXPECT_EQ(imported.A.row_name(i), elements[i]);
  }
}

TEST(ImportMatrix, LiesInTpetrasMemoryOnAContiguousMap) {
  if (vectors_on_device) GTEST_SKIP() << "Tpetra's arrays lie on the device";
  auto const layout = sample::layouts().front();
  auto const A = sample::matrix(layout);
  auto imported = import_matrix(*A);
  if (imported.A.local.rows == 0) return;
  auto const local = A->getLocalMatrixHost();
  EXPECT_EQ(imported.A.local.value.data(), local.values.data());
  EXPECT_EQ(imported.A.local.column.data(), local.graph.entries.data());
  EXPECT_EQ(imported.A.local.bytes(), 0u);
}

TEST(ImportMatrix, OutlivesTheTpetraMatrix) {
  auto const layout = sample::layouts().front();
  auto A = sample::matrix(layout);
  auto const imported = import_matrix(*A);
  A = Teuchos::null;
  expect_sample(layout, imported);
}

TEST(ImportValues, TakesCopiesAndOtherKindsOfMatricesAfterBorrowing) {
  auto const layout = sample::layouts().front();
  auto imported = import_matrix(*sample::matrix(layout));
  import_values(Ifpack2::DiagonalFilter<RowMatrix>(sample::matrix(layout, 2), 0.0, 1.0), imported);
  expect_sample(layout, imported, 2);
  import_values(*sample::matrix(layout, 5), imported);
  expect_sample(layout, imported, 5);
}

TEST(ImportValues, RefusesAnotherPatternOnEveryRankAlthoughOneRankSeesIt) {
  for (auto const& layout : sample::layouts()) {
    SCOPED_TRACE(layout.name);
    auto imported = import_matrix(*sample::matrix(layout));
    auto const text =
        text_of<PatternChanged>([&] { import_values(*sample::matrix(layout, 1, 2), imported); });
    EXPECT_NE(text.find("call initialize()"), std::string::npos) << text;
  }
}

TEST(ImportValues, RefusesAPatternWithAsManyEntriesInOtherColumns) {
  // One row has its entry in column 0, then in column 1.
  auto const map = Teuchos::rcp(new Map(2, 0, sample::world()));
  auto const with_column = [&map](GlobalOrdinal column) {
    auto const A = Teuchos::rcp(new CrsMatrix(map, 2));
    for (auto const id : local_elements(*map)) {
      A->insertGlobalValues(id, Teuchos::tuple(id == 0 ? column : GlobalOrdinal{1}), Teuchos::tuple(1.0));
      A->insertGlobalValues(id, Teuchos::tuple(GlobalOrdinal{0}), Teuchos::tuple(0.0));
    }
    A->fillComplete();
    return A;
  };
  auto imported = import_matrix(*with_column(1));
  import_values(*with_column(1), imported);
  EXPECT_THROW(import_values(*with_column(0), imported), PatternChanged);
}

}  // namespace
}  // namespace Tessera::tpetra
