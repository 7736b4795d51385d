#include "sparse/formats/formats.hpp"

#include <gtest/gtest.h>

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
  test::for_each_stored<T>(Host{}, all_rows(source.view()), [&](char const* format, auto view, auto const&) {
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
  auto const rows = listed_rows(A.view(), {list.data(), list.size()});
  test::for_each_stored<double>(Host{}, rows, [&](char const* format, auto view, auto const&) {
    EXPECT_FALSE(view.in_order());
    auto const y = product(view, x);
    for (Index i = 0; i < A.rows; ++i) EXPECT_EQ(y[i], i >= 3 && i % 100 > 20 ? expected[i] : 7.0) << format;
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
    test::for_each_stored<double>(
        Host{}, all_rows(A.view()), [&](char const* format, auto view, auto const&) {
          std::vector<double> y(x.size());
          double found = 0;
          row_reduce_into(Host{}, view, OneVector<double>{x.data()}, StoreProduct<double>{y.data()},
                          TimesVector{y.data(), x.data()}, core::Plus{}, 0.0,
                          core::StoreResult<double>{&found}, scratch);
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
  test::for_each_stored<double>(Host{}, all_rows(A.view()), [&](char const* format, auto view, auto const&) {
    row_reduce(Host{}, view, SquareOfEntry{view.value.data()}, StoreProduct<double>{y.data()});
    EXPECT_EQ(y, expected) << format;
  });
}

TEST(Formats, DoNotDependOnThreads) {
  auto const A = oracle::random_matrix(9000, 500, 5, 3);
  auto const make = [&] { return test::contents<float>(Host{}, all_rows(A.view())); };
  auto const one = testing::with_threads(1, make), three = testing::with_threads(3, make);
  EXPECT_EQ(one.size() + 1, test::formats().size());
  for (std::size_t k = 0; k < one.size(); ++k) EXPECT_TRUE(one[k] == three[k]) << one[k].format;
}

}  // namespace
}  // namespace Tessera::sparse
