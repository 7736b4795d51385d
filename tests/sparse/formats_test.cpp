#include "sparse/formats/formats.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/error.hpp"
#include "core/memory.hpp"
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

/// Few and many rows, short and long ones, empty ones, and a number of them that is no multiple of 32.
std::vector<Csr<double, Host>> matrices() {
  std::vector<Csr<double, Host>> all;
  all.push_back(oracle::random_matrix(5000, 700, 9, 1));
  all.push_back(oracle::random_matrix(40, 3000, 700, 2));
  all.push_back(oracle::laplace(40, 30, 9));
  all.push_back(oracle::laplace(1));
  all.push_back(oracle::make_csr(0, 0, {0}, {}, {}));
  all.push_back(oracle::make_csr(4, 3, {0, 0, 0, 0, 0}, {}, {}));
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

/// Weighs an entry by its place in the format: what a term is told. Padding is zero.
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
  std::vector<Offset> offsets{0};
  std::vector<Index> column;
  Index const n = 20000;
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < (i == 7 ? 5000 : 1); ++c) column.push_back(c);
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  auto const A = oracle::make_csr(n, n, offsets, column, std::vector<double>(column.size(), 1.0));
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
  auto const S = view_of<PjdsView<double>>(rows);
  EXPECT_FALSE(S.in_order());
  EXPECT_EQ(std::vector<Offset>(S.start.begin(), S.start.end()), (std::vector<Offset>{0, 32, 64, 96}));
  EXPECT_EQ(first_five(S.row), (std::vector<Index>{2, 0, 4, 3, 1}));  // of equal lengths in order
  EXPECT_EQ(S.row[5], -1);
  EXPECT_EQ(first_five(S.entries), (std::vector<Index>{3, 2, 2, 1, 0}));
  EXPECT_EQ(first_five(S.value),
            (std::vector<double>{3, 1, 7, 6, 0, /**/ 4, 2, 8, 0, 0, /**/ 5, 0, 0, 0, 0}));
  EXPECT_EQ(first_five(S.column),
            (std::vector<Index>{0, 0, 2, 1, 0, /**/ 1, 1, 3, 1, 0, /**/ 2, 1, 3, 1, 0}));
}

// 32 rows of one entry, 40 of three: diagonal 0 has 96 slots, of which the last 24 hold no row, 1 and 2 have
// two blocks.
TEST(Pjds, BlocksAreAsWideAsTheirLongestRow) {
  std::vector<Offset> offsets{0};
  std::vector<Index> column;
  for (Index i = 0; i < 72; ++i) {
    for (Index c = 0; c < (i < 32 ? 1 : 3); ++c) column.push_back(c);
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  auto const A = oracle::make_csr(72, 3, offsets, column, std::vector<double>(column.size(), 1.0));
  auto const rows = stored(A, MatrixFormat::pjds);
  auto const S = view_of<PjdsView<double>>(rows);
  EXPECT_EQ(std::vector<Offset>(S.start.begin(), S.start.end()), (std::vector<Offset>{0, 96, 160, 224}));
  EXPECT_EQ(S.row[0], 32);
  EXPECT_EQ(S.row[40], 0);
}

TEST(Pjds, OfRowsOfOneLengthIsInOrder) {
  std::vector<Offset> offsets{0};
  std::vector<Index> column;
  for (Index i = 0; i < 100; ++i) {
    column.insert(column.end(), {i / 2, 50 + i / 2});
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  auto const A = oracle::make_csr(100, 100, offsets, column, std::vector<double>(200, 1.0));
  EXPECT_TRUE(view_of<PjdsView<double>>(stored(A, MatrixFormat::pjds)).in_order());
}

TEST(Pjds, HasLessPaddingThanOtherFormats) {
  auto const A = oracle::random_matrix(4096, 500, 8, 2);
  auto const bytes = [&](MatrixFormat format) { return stored(A, format).bytes(); };
  EXPECT_LT(bytes(MatrixFormat::pjds), 1.05 * stored(A, MatrixFormat::csr).bytes());
  EXPECT_LT(bytes(MatrixFormat::pjds), bytes(MatrixFormat::sell));
  EXPECT_LT(bytes(MatrixFormat::sell), bytes(MatrixFormat::ellpack_r));
}

}  // namespace
}  // namespace Tessera::sparse
