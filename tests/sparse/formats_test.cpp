#include "sparse/formats/formats.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "core/error.hpp"
#include "core/memory.hpp"
#include "in_runs.hpp"
#include "oracle/dense.hpp"
#include "oracle/generators.hpp"
#include "sparse/engine/row_reduce.hpp"
#include "support/stored.hpp"
#include "support/threads.hpp"

namespace Tessera::sparse {
namespace {

template <class View>
std::vector<double> product(View const& A, std::vector<double> const& x) {
  std::vector<double> y(detail::row_count(detail::rows_of(A)), 7.0);
  row_reduce(Host{}, A, OneVector<double>{x.data()}, StoreProduct<double>{y.data()});
  return y;
}

/// Few and many rows, short, long and empty rows, and numbers of rows that are no multiple of 32.
std::vector<Csr<double, Host>> matrices() {
  std::vector<Csr<double, Host>> all;
  all.push_back(oracle::random_matrix(5000, 700, 9, 1));
  all.push_back(oracle::random_matrix(40, 3000, 700, 2));
  all.push_back(oracle::laplace(40, 30, 9));
  all.push_back(oracle::laplace(1));
  all.push_back(oracle::make_csr(0, 0, {0}, {}, {}));
  all.push_back(oracle::make_csr(4, 3, {0, 0, 0, 0, 0}, {}, {}));
  for (auto& A : test::matrices_in_runs()) all.push_back(std::move(A));
  return all;
}

template <class T>
void expect_products_of_csr(Csr<double, Host> const& source) {
  auto const A = copied<T>(Host{}, source, Host{});
  auto const x = oracle::random_vector(A.columns, 3);
  auto const expected = product(A.view(), x);
  test::for_each_stored<T>(Host{}, source.view(), {}, [&](char const* format, auto view, auto const&) {
    for (int threads : {1, 2, 3}) {
      auto const y = testing::with_threads(threads, [&] { return product(view, x); });
      EXPECT_EQ(y, expected) << format << ", " << A.rows << " rows, " << threads << " threads";
    }
  });
}

TEST(Formats, ProductsAreBitwiseThoseOfCsr) {
  for (auto const& A : matrices()) {
    expect_products_of_csr<double>(A);
    expect_products_of_csr<float>(A);
  }
}

TEST(Formats, ListedRowsAreTouchedAlone) {
  auto const A = oracle::random_matrix(3000, 400, 7, 4);
  auto const x = oracle::random_vector(A.columns, 5);
  auto const expected = product(A.view(), x);
  std::vector<Index> list;
  for (Index i = 3; i < A.rows; ++i) {
    if (i % 100 > 20) list.push_back(i);
  }
  test::for_each_stored<double>(Host{}, A.view(), {list.data(), list.size()},
                                [&](char const* format, auto view, auto const&) {
                                  EXPECT_FALSE(view.in_order());
                                  auto const y = product(view, x);
                                  for (Index i = 0; i < A.rows; ++i)
                                    EXPECT_EQ(y[i], i >= 3 && i % 100 > 20 ? expected[i] : 7.0) << format;
                                });
}

TEST(Formats, RefreshTakesNewValuesAndAllocatesNothing) {
  auto A = oracle::random_matrix(900, 300, 8, 6);
  auto const x = oracle::random_vector(A.columns, 7);
  for (auto const& [name, format] : test::formats()) {
    SplitRows<double, Host> S(Host{}, A.view(), {true, {}}, {}, {format});
    EXPECT_STREQ(S.format(), name);
    for (auto& a : A.value) a = 1 - a;
    core::reset_peak(Host{});
    auto const before = core::memory_use(Host{});
    S.refresh(Host{}, A.view());
    EXPECT_EQ(core::memory_use(Host{}).peak, before.in_use) << name;
    S.visit_first([&](auto view) { EXPECT_EQ(product(view, x), product(A.view(), x)) << name; });
  }
}

struct TimesVector {
  double const *y, *x;
  TESSERA_HD double operator()(Index i) const { return y[i] * x[i]; }
};

TEST(Formats, JoinRowsInTheFixedTree) {
  for (auto const& A : {oracle::laplace(70, 50, 3), oracle::random_matrix(5000, 5000, 9, 8)}) {
    auto const x = oracle::random_vector(A.columns, 9);
    auto const expected = product(A.view(), x);
    auto const dot = core::sum(Host{}, x.size(), TimesVector{expected.data(), x.data()});
    core::ReduceScratch<Host> scratch(Host{}, x.size(), sizeof(double));
    test::for_each_stored<double>(Host{}, A.view(), {}, [&](char const* format, auto view, auto const&) {
      std::vector<double> y(x.size());
      double found = 0;
      row_reduce_into(Host{}, view, OneVector<double>{x.data()}, StoreProduct<double>{y.data()},
                      TimesVector{y.data(), x.data()}, core::Plus{}, 0.0, core::StoreResult<double>{&found},
                      scratch);
      EXPECT_EQ(y, expected) << format;
      EXPECT_EQ(found, dot) << format;
    });
  }
}

/// Weights an entry by its place in the format, an argument of the term. Padding is zero.
struct SquareOfEntry {
  double const* value;
  TESSERA_HD double operator()(Index i, Offset k, double a, Index) const {
    return (a + i) * value[k] - i * a;
  }
};

TEST(Formats, TermsKnowTheEntries) {
  auto const A = oracle::random_matrix(999, 300, 6, 2);
  std::vector<double> expected(A.rows), y(A.rows);
  row_reduce(Host{}, A.view(), SquareOfEntry{A.value.data()}, StoreProduct<double>{expected.data()});
  test::for_each_stored<double>(Host{}, A.view(), {}, [&](char const* format, auto view, auto const&) {
    row_reduce(Host{}, view, SquareOfEntry{view.value.data()}, StoreProduct<double>{y.data()});
    EXPECT_EQ(y, expected) << format;
  });
}

TEST(Formats, DoNotDependOnThreads) {
  auto const A = oracle::random_matrix(9000, 500, 5, 3);
  auto const make = [&] { return test::contents<float>(Host{}, A.view()); };
  auto const one = testing::with_threads(1, make), three = testing::with_threads(3, make);
  EXPECT_EQ(one.size() + 1, test::formats().size());
  for (std::size_t k = 0; k < one.size(); ++k) EXPECT_TRUE(one[k] == three[k]) << one[k].format;
}

//     [ 1 2 . . ]    in 32 slots, of which the first five:
//     [ . . . . ]
// A = [ 3 4 5 . ]
//     [ . 6 . . ]
//     [ . . 7 8 ]
Csr<double, Host> small() {
  return oracle::make_csr(5, 4, {0, 2, 2, 5, 6, 8}, {0, 1, 0, 1, 2, 1, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8});
}

/// Row i has length(i) entries, in columns from 0 on.
template <class Length>
Csr<double, Host> with_lengths(Index rows, Length const& length) {
  std::vector<Offset> offsets{0};
  std::vector<Index> column;
  Index columns = 1;
  for (Index i = 0; i < rows; ++i) {
    for (Index c = 0; c < length(i); ++c) column.push_back(c);
    offsets.push_back(static_cast<Offset>(column.size()));
    columns = std::max(columns, length(i));
  }
  auto const n = column.size();
  return oracle::make_csr(rows, columns, offsets, column, std::vector<double>(n, 1.0));
}

/// The first five of each 32.
template <class T>
std::vector<T> first_five(Span<T const> a) {
  std::vector<T> result;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (k % 32 < 5) result.push_back(a[k]);
  }
  return result;
}

SplitRows<double, Host> stored(Csr<double, Host> const& A, MatrixFormat format) {
  return {Host{}, A.view(), {true, {}}, {}, {format}};
}

template <class View>
View view_of(SplitRows<double, Host> const& S) {
  View found;
  S.visit_first([&](auto const& view) {
    if constexpr (std::is_same_v<View const&, decltype(view)>) found = view;
  });
  return found;
}

TEST(EllpackR, OfASmallMatrixIsExact) {
  auto const rows = stored(small(), MatrixFormat::ellpack_r);
  auto const S = view_of<EllpackRView<double>>(rows);
  EXPECT_TRUE(S.in_order());
  EXPECT_EQ(S.value.size(), 96u);
  EXPECT_EQ(first_five(S.entries), (std::vector<Index>{2, 0, 3, 1, 2}));
  EXPECT_EQ(first_five(S.value),
            (std::vector<double>{1, 0, 3, 6, 7, /**/ 2, 0, 4, 0, 8, /**/ 0, 0, 5, 0, 0}));
  EXPECT_EQ(first_five(S.column),
            (std::vector<Index>{0, 0, 0, 1, 2, /**/ 1, 0, 1, 1, 3, /**/ 1, 0, 2, 1, 3}));
}

TEST(EllpackR, IsRefusedWhereAllButAllIsPadding) {
  auto const A = with_lengths(20000, [](Index i) { return i == 7 ? 5000 : 1; });
  try {
    stored(A, MatrixFormat::ellpack_r);
    FAIL();
  } catch (core::InvalidInput const& error) {
    EXPECT_NE(std::string(error.what()).find("ELLPACK-R stores 5000 entries for each of 20000 rows"),
              std::string::npos)
        << error.what();
  }
}

TEST(Pjds, OfASmallMatrixIsExact) {
  auto const rows = stored(small(), MatrixFormat::pjds);
  auto const S = view_of<SellView<double>>(rows);
  EXPECT_FALSE(S.in_order());
  EXPECT_EQ(std::vector<Offset>(S.offsets.begin(), S.offsets.end()), (std::vector<Offset>{0, 96}));
  EXPECT_EQ(first_five(S.row), (std::vector<Index>{2, 0, 4, 3, 1}));  // of equal lengths in order
  EXPECT_EQ(S.row[5], -1);
  EXPECT_EQ(first_five(S.value),
            (std::vector<double>{3, 1, 7, 6, 0, /**/ 4, 2, 8, 0, 0, /**/ 5, 0, 0, 0, 0}));
  EXPECT_EQ(first_five(S.column),
            (std::vector<Index>{0, 0, 2, 1, 0, /**/ 1, 1, 3, 1, 0, /**/ 2, 1, 3, 1, 0}));
}

// 32 rows of one entry, 40 of three: two blocks of three entries, of which the second ends with 24 rows of
// one, and one block of one.
TEST(Pjds, BlocksAreAsWideAsTheirLongestRow) {
  auto const A = with_lengths(72, [](Index i) { return i < 32 ? 1 : 3; });
  auto const rows = stored(A, MatrixFormat::pjds);
  auto const S = view_of<SellView<double>>(rows);
  EXPECT_EQ(std::vector<Offset>(S.offsets.begin(), S.offsets.end()), (std::vector<Offset>{0, 96, 192, 224}));
  EXPECT_EQ(S.row[0], 32);
  EXPECT_EQ(S.row[40], 0);
}

// A thousand windows of SELL-C-sigma, and 31 of 32 rows of equal length: sorting saves less padding than is
// tolerated.
TEST(Pjds, SortsAllRowsWhateverItSaves) {
  auto const A = with_lengths(32000, [](Index i) { return i % 32 == 0 ? 41 : 40; });
  auto const rows = stored(A, MatrixFormat::pjds);
  auto const S = view_of<SellView<double>>(rows);
  EXPECT_EQ(S.value.size(), 32u * (32 * 41 + 968 * 40));
  EXPECT_EQ(S.row[999], 31968);
  EXPECT_EQ(S.row[1000], 1);
}

TEST(Pjds, OfRowsOfOneLengthIsInOrder) {
  auto const A = with_lengths(100, [](Index) { return 2; });
  EXPECT_TRUE(view_of<SellView<double>>(stored(A, MatrixFormat::pjds)).in_order());
}

TEST(Pjds, HasLessPaddingThanOtherFormats) {
  auto const A = oracle::random_matrix(4096, 500, 8, 2);
  auto const bytes = [&](MatrixFormat format) { return stored(A, format).bytes(); };
  EXPECT_LT(bytes(MatrixFormat::pjds), 1.05 * stored(A, MatrixFormat::csr).bytes());
  EXPECT_LT(bytes(MatrixFormat::pjds), bytes(MatrixFormat::sell));
  EXPECT_LT(bytes(MatrixFormat::sell), bytes(MatrixFormat::ellpack_r));
}

// Mean length 8 / 5, so that candidates of the regular width are 1 to 5. Width 2 costs 2 x 12 bytes for each
// of 32 slots and 3 x 20 bytes for the one entry beyond; width 1 costs less.
TEST(Hyb, OfASmallMatrixIsExact) {
  auto const rows = stored(small(), MatrixFormat::hyb);
  auto const S = view_of<HybView<double>>(rows);
  EXPECT_TRUE(S.in_order());
  EXPECT_EQ(S.regular, 1);
  EXPECT_EQ(first_five(S.entries), (std::vector<Index>{2, 0, 3, 1, 2}));
  EXPECT_EQ(first_five(Span<double const>(S.value.data(), 32)), (std::vector<double>{1, 0, 3, 6, 7}));
  EXPECT_EQ(std::vector<double>(S.value.begin() + 32, S.value.end()), (std::vector<double>{2, 4, 5, 8}));
  EXPECT_EQ(std::vector<Index>(S.column.begin() + 32, S.column.end()), (std::vector<Index>{1, 1, 2, 3}));
  EXPECT_EQ(std::vector<Offset>(S.rest.begin(), S.rest.begin() + 6), (std::vector<Offset>{0, 1, 1, 3, 3, 4}));
}

TEST(Hyb, HasNoRestWhereRowsAreAlike) {
  auto const rows = stored(with_lengths(64, [](Index) { return 4; }), MatrixFormat::hyb);
  auto const S = view_of<HybView<double>>(rows);
  EXPECT_EQ(S.regular, 4);
  EXPECT_EQ(S.value.size(), 256u);
  EXPECT_TRUE(S.rest.empty());
}

// One row in a hundred is long: the regular width is that of the other rows.
TEST(Hyb, IsCutWhereItMovesTheFewestBytes) {
  auto const rows =
      stored(with_lengths(6400, [](Index i) { return i % 100 == 0 ? 60 : 7; }), MatrixFormat::hyb);
  auto const S = view_of<HybView<double>>(rows);
  EXPECT_EQ(S.regular, 8);  // the mean is 7.53
  EXPECT_EQ(S.value.size(), 6400u * 8 + 64 * 52);
}

struct Choice {
  char const* what;
  Csr<double, Host> matrix;
  char const* format;
};

TEST(Automatic, TakesWhatMovesTheFewestBytes) {
  Choice const choices[] = {
      {"a stencil", oracle::laplace(40, 30, 9), "SELL-C-sigma"},
      {"rows of random lengths", oracle::random_matrix(5000, 700, 9, 1), "SELL-C-sigma"},
      {"no rows", oracle::make_csr(0, 0, {0}, {}, {}), "CSR"},
      {"one long row in 300", with_lengths(30000, [](Index i) { return i % 300 == 0 ? 100 : 7; }), "HYB"},
      {"half of the rows four times as long, one in 300 much longer",
       with_lengths(30000, [](Index i) { return i % 300 == 0 ? 3000
                                                : i % 2 == 0 ? 4
                                                             : 16; }), "CSR"}};
  for (auto const& [what, A, format] : choices) {
    core::reset_peak(Host{});
    auto const before = core::memory_use(Host{}).in_use;
    SplitRows<double, Host> const S(Host{}, A.view(), {true, {}}, {}, {});
    EXPECT_STREQ(S.format(), format) << what;
    // Slots, lengths and sort keys are temporary memory; a second format is not.
    EXPECT_LT(core::memory_use(Host{}).peak - before, S.bytes() + 64u * (A.rows + 64)) << what;
  }
}

// Both sets of rows of a rank are in one format.
TEST(Automatic, LooksAtBothSetsOfRows) {
  auto const A = with_lengths(3000, [](Index i) { return i >= 1000 && i % 300 == 0 ? 100 : 7; });
  std::vector<Index> first(1000), second(2000);
  std::iota(first.begin(), first.end(), 0);
  std::iota(second.begin(), second.end(), 1000);
  auto const set = [](std::vector<Index> const& list) {
    return RowSet<Host>{false, core::to_space(Host{}, list)};
  };
  SplitRows<double, Host> const S(Host{}, A.view(), set(first), set(second), {});
  EXPECT_STREQ(S.format(), "HYB");
  auto const x = oracle::random_vector(A.columns, 3);
  std::vector<double> y(A.rows, 7.0);
  auto const multiply = [&](auto const& view) {
    row_reduce(Host{}, view, OneVector<double>{x.data()}, StoreProduct<double>{y.data()});
  };
  S.visit_first(multiply);
  S.visit_second(multiply);
  EXPECT_EQ(y, product(A.view(), x));
}

}  // namespace
}  // namespace Tessera::sparse
