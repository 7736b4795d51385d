#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/hash.hpp"
#include "core/interleaved.hpp"
#include "core/parallel.hpp"
#include "in_runs.hpp"
#include "oracle/dense.hpp"
#include "oracle/generators.hpp"
#include "sparse/engine/row_reduce.hpp"
#include "sparse/formats/sell.hpp"
#include "support/device.hpp"
#include "support/stored.hpp"

namespace Tessera::sparse {
namespace {

/// Few and many rows, short, long and empty rows, and numbers of rows around multiples of a chunk.
std::vector<Csr<double, Host>> matrices() {
  std::vector<Csr<double, Host>> all;
  all.push_back(oracle::make_csr(0, 0, {0}, {}, {}));
  all.push_back(oracle::laplace(1));
  all.push_back(oracle::make_csr(4, 3, {0, 0, 0, 0, 0}, {}, {}));
  all.push_back(oracle::make_csr(3, 4, {0, 3, 3, 4}, {0, 1, 3, 2}, {1, 1, 1, 4}));
  for (Index rows : {31, 32, 33, 255, 257}) all.push_back(oracle::laplace(rows));
  all.push_back(oracle::random_matrix(5000, 700, 9, 1));
  all.push_back(oracle::random_matrix(40, 3000, 700, 2));
  all.push_back(oracle::random_matrix(3000, 900, 60, 3));
  all.push_back(oracle::random_matrix(200000, 5000, 3, 4));
  all.push_back(oracle::random_matrix(200000, 5000, 25, 5));
  all.push_back(oracle::laplace(70, 50, 60));
  all.push_back(test::stencil_with_gaps());
  for (auto& A : test::matrices_in_runs()) all.push_back(std::move(A));
  return all;
}

constexpr SellShape shapes[] = {{1, 1},
                                {4, 1},
                                {5, 10},
                                {16, 64},
                                {32, 1},
                                {32, 256},
                                {32, 1, 0.05, run_width},
                                {32, 256, 0.05, run_width}};

template <class T>
std::vector<T> numbers(std::size_t n, std::uint64_t seed) {
  auto const x = oracle::random_vector(n, seed);
  return {x.begin(), x.end()};
}

/// y after work(space, x, y), with x and y in the memory of space.
template <class T, class Space, class Work>
std::vector<T> after(Space const& space, std::vector<T> const& x, std::vector<T> const& y, Work const& work) {
  auto const x_there = core::to_space(space, x);
  auto y_there = core::to_space(space, y);
  work(space, x_there.view(), y_there.span());
  return core::to_vector(space, y_there.view());
}

template <class T>
class ProductsOnTheGpu : public ::testing::Test {};
using Types = ::testing::Types<double, float>;
TYPED_TEST_SUITE(ProductsOnTheGpu, Types);

TYPED_TEST(ProductsOnTheGpu, AreBitwiseThoseOfTheHostInEveryFormat) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  using T = TypeParam;
  auto const device = core::make_cuda(0);
  for (auto const& source : matrices()) {
    auto const A = copied<T>(Host{}, source, Host{});
    auto const on_device = copied<T>(Host{}, A, device);
    auto const x = numbers<T>(A.columns, 6), b = numbers<T>(A.rows, 7);
    auto const product = [](auto view) {
      return [=](auto const& space, Span<T const> from, Span<T> y) {
        row_reduce(space, view, OneVector<T>{from.data()}, StoreProduct<T>{y.data()});
      };
    };
    auto const overwrite = [](auto view) {
      return [=](auto const& space, Span<T const> from, Span<T> y) {
        row_reduce(space, view, OneVector<T>{from.data()}, StoreResidual<T>{y.data(), y.data()});
      };
    };
    auto const y = after(Host{}, x, b, product(A.view())), r = after(Host{}, x, b, overwrite(A.view()));
    EXPECT_EQ(after(device, x, b, product(on_device.view())), y) << A.rows << " rows of CSR";
    EXPECT_EQ(after(device, x, b, overwrite(on_device.view())), r) << A.rows << " rows of CSR";
    for (auto shape : shapes) {
      auto const S = to_sell<T>(device, on_device.view(), shape);
      EXPECT_EQ(after(device, x, b, product(S.view())), y) << A.rows << " rows, chunks of " << shape.chunk;
      EXPECT_EQ(after(device, x, b, overwrite(S.view())), r) << A.rows << " rows, chunks of " << shape.chunk;
    }
  }
}

TEST(SellOnTheGpu, StoresNoColumnsOfChunksOnDiagonals) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = core::make_cuda(0);
  auto const stored = [&](Csr<double, Host> const& A) {
    auto const S = to_sell<float>(device, copied<double>(Host{}, A, device).view(), {32, 1});
    return static_cast<double>(S.column.size()) / static_cast<double>(S.value.size());
  };
  EXPECT_LT(stored(oracle::laplace(70, 50, 60)), 0.1);
  auto const mixed = stored(test::stencil_with_gaps());
  EXPECT_GT(mixed, 0.2);
  EXPECT_LT(mixed, 0.5);
  EXPECT_EQ(stored(oracle::random_matrix(100000, 100000, 5, 3)), 1);
  EXPECT_EQ(stored(oracle::laplace(30, 30, 30)), 1);  // few chunks
}

TYPED_TEST(ProductsOnTheGpu, InMagnitudeAreBitwiseThoseOfTheHost) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  using T = TypeParam;
  auto const device = core::make_cuda(0);
  for (auto const& source : matrices()) {
    auto const A = copied<T>(Host{}, source, Host{});
    auto const on_device = copied<T>(Host{}, A, device);
    auto const x = numbers<T>(A.columns, 6), y = std::vector<T>(A.rows);
    auto const product = [](auto view) {
      return [=](auto const& space, Span<T const> from, Span<T> to) {
        row_reduce(space, view, InMagnitude{}(OneVector<T>{from.data()}), StoreProduct<T>{to.data()});
      };
    };
    auto const expected = after(Host{}, x, y, product(A.view()));
    EXPECT_EQ(after(device, x, y, product(on_device.view())), expected) << A.rows << " rows of CSR";
    for (auto shape : shapes) {
      auto const S = to_sell<T>(device, on_device.view(), shape);
      EXPECT_EQ(after(device, x, y, product(S.view())), expected) << A.rows << " rows, " << shape.chunk;
    }
  }
}

TYPED_TEST(ProductsOnTheGpu, OfListedRowsTouchThoseRowsOnly) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  using T = TypeParam;
  auto const device = core::make_cuda(0);
  for (auto const& source : {oracle::laplace(50, 40), oracle::random_matrix(500, 400, 70, 8)}) {
    auto const A = copied<T>(Host{}, source, Host{});
    auto const on_device = copied<T>(Host{}, A, device);
    auto const x = numbers<T>(A.columns, 9), y = numbers<T>(A.rows, 10);
    for (bool ascending : {true, false}) {
      std::vector<Index> list;
      for (Index i = 0; i < A.rows; ++i) {
        if (i % 100 > 20) list.push_back(ascending ? i : A.rows - 1 - i);
      }
      auto const there = core::to_space(device, list);
      auto const add = [](auto view) {
        return [=](auto const& space, Span<T const> from, Span<T> to) {
          row_reduce(space, view, OneVector<T>{from.data()}, AddProduct<T>{to.data()});
        };
      };
      auto const rows = listed_rows(A.view(), {list.data(), list.size()});
      auto const rows_there = listed_rows(on_device.view(), there.view());
      auto const expected = after(Host{}, x, y, add(to_sell<T>(Host{}, rows, {32, 1}).view()));
      for (auto shape : shapes) {
        auto const S = to_sell<T>(device, rows_there, shape);
        EXPECT_EQ(after(device, x, y, add(S.view())), expected) << "chunks of " << shape.chunk;
      }
      EXPECT_EQ(after(device, x, y, add(rows_there)), expected);
    }
  }
}

TEST(RowReduceOnTheGpu, ReadGhostsBehindOwnedColumns) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = core::make_cuda(0);
  auto const A = oracle::random_matrix(1000, 800, 20, 11);
  auto const on_device = copied<double>(Host{}, A, device);
  auto const x = oracle::random_vector(800, 12), y = oracle::random_vector(1000, 13);
  Index const owned = 500;
  auto const product = [=](auto view) {
    return [=](auto const& space, Span<double const> from, Span<double> to) {
      row_reduce(space, view, OwnedAndGhosts<double>{from.data(), from.data() + owned, owned},
                 StoreProduct<double>{to.data()});
    };
  };
  auto const expected = after(Host{}, x, y, product(A.view()));
  EXPECT_EQ(after(device, x, y, product(on_device.view())), expected);
  EXPECT_EQ(after(device, x, y, product(to_sell<double>(device, on_device.view(), {}).view())), expected);
}

TEST(RowReduceOnTheGpu, OfAFloatMatrixAndADoubleVectorAddInDouble) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = core::make_cuda(0);
  auto const A = copied<float>(Host{}, oracle::random_matrix(3000, 2000, 40, 14), Host{});
  auto const on_device = copied<float>(Host{}, A, device);
  auto const x = oracle::random_vector(2000, 15), y = oracle::random_vector(3000, 16);
  auto const product = [](auto view) {
    return [=](auto const& space, Span<double const> from, Span<double> to) {
      row_reduce(space, view, OneVector<double>{from.data()}, StoreProduct<double>{to.data()});
    };
  };
  auto const expected = after(Host{}, x, y, product(A.view()));
  EXPECT_EQ(after(device, x, y, product(on_device.view())), expected);
  EXPECT_EQ(after(device, x, y, product(to_sell<float>(device, on_device.view(), {}).view())), expected);
}

TYPED_TEST(ProductsOnTheGpu, OfRowsInAnyFormatAreBitwiseThoseOfTheHost) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  using T = TypeParam;
  auto const device = core::make_cuda(0);
  for (auto const& A : matrices()) {
    auto const on_device = copied<double>(Host{}, A, device);
    std::vector<Index> list;
    for (Index i = 0; i < A.rows; ++i) {
      if (i % 100 > 20) list.push_back(i);
    }
    auto const there = core::to_space(device, list);
    auto const x = numbers<T>(A.columns, 9), y = numbers<T>(A.rows, 10);
    auto const add = [](auto view) {
      return [=](auto const& space, Span<T const> from, Span<T> to) {
        row_reduce(space, view, OneVector<T>{from.data()}, AddProduct<T>{to.data()});
      };
    };
    auto const rounded = copied<T>(Host{}, A, Host{});
    auto const compare = [&](CsrRows<T> rows, Span<Index const> list_there) {
      auto const expected = after(Host{}, x, y, add(rows));
      test::for_each_stored<T>(
          device, on_device.view(), list_there, [&](char const* format, auto view, auto& stored) {
            EXPECT_EQ(after(device, x, y, add(view)), expected) << A.rows << " rows, " << format;
            stored.refresh(device, on_device.view());
            EXPECT_EQ(after(device, x, y, add(view)), expected) << A.rows << " rows, refreshed, " << format;
          });
    };
    compare(all_rows(rounded.view()), {});
    if (!list.empty()) compare(listed_rows(rounded.view(), {list.data(), list.size()}), there.view());
  }
}

/// A number summed in storage order; a hash and the number of diagonal entries in any order.
struct HashAndCount {
  std::uint64_t hash = 0;
  double count = 0;
  TESSERA_HD HashAndCount& operator+=(HashAndCount const& other) {
    hash += other.hash;
    count += other.count;
    return *this;
  }
};
using Checks = PartlyOrdered<double, HashAndCount>;
struct CheckEntry {
  TESSERA_HD Checks operator()(Index i, Offset, double a, Index c) const {
    return {fabs(a), {core::mix64(static_cast<std::uint64_t>(i) * 1000003 + c), c == i ? 1.0 : 0.0}};
  }
};
struct StoreChecks {
  Checks* of_row;
  TESSERA_HD void operator()(Index i, Checks const& sums) const { of_row[i] = sums; }
};

TEST(RowReduceOnTheGpu, SumsOfSeveralNumbersAreBitwiseThoseOfTheHost) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = core::make_cuda(0);
  for (auto const& A : matrices()) {
    auto const there = copied<double>(Host{}, A, device);
    Array<Checks, Host> of_host(Host{}, A.rows);
    Array<Checks, Cuda> of_device(device, A.rows);
    row_reduce(Host{}, A.view(), CheckEntry{}, StoreChecks{of_host.data()});
    row_reduce(device, there.view(), CheckEntry{}, StoreChecks{of_device.data()});
    auto const found = core::to_vector(device, of_device.view());
    for (Index i = 0; i < A.rows; ++i) {
      ASSERT_EQ(found[i].ordered, of_host[i].ordered) << i;
      ASSERT_EQ(found[i].rest.hash, of_host[i].rest.hash) << i;
      ASSERT_EQ(found[i].rest.count, of_host[i].rest.count) << i;
    }
  }
}

template <class Sum>
struct ScaledEntries {
  TESSERA_HD Sum operator()(Index i, Offset, double a, Index c) const {
    Sum term;
    for (int j = 0; j < core::columns_of<Sum>; ++j)
      term.column[j] = static_cast<core::NumberOf<Sum>>(a / (1 + j + i % 5 + c % 3));
    return term;
  }
};
template <class Sum>
struct StoreSum {
  Sum* of_row;
  TESSERA_HD void operator()(Index i, Sum const& sum) const { of_row[i] = sum; }
};

template <class Sum>
void expect_the_hosts_sums(Cuda const& device, Csr<double, Host> const& A) {
  auto const there = copied<double>(Host{}, A, device);
  Array<Sum, Host> of_host(Host{}, A.rows);
  Array<Sum, Cuda> of_device(device, A.rows);
  row_reduce(Host{}, A.view(), ScaledEntries<Sum>{}, StoreSum<Sum>{of_host.data()});
  row_reduce(device, there.view(), ScaledEntries<Sum>{}, StoreSum<Sum>{of_device.data()});
  auto const found = core::to_vector(device, of_device.view());
  for (Index i = 0; i < A.rows; ++i) {
    for (int j = 0; j < core::columns_of<Sum>; ++j)
      ASSERT_EQ(found[i].column[j], of_host[i].column[j]) << i << ", number " << j;
  }
}

TEST(RowReduceOnTheGpu, SumsOfNumbersSideBySideAreBitwiseThoseOfTheHost) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = core::make_cuda(0);
  for (auto const& A : matrices()) {
    SCOPED_TRACE(A.rows);
    expect_the_hosts_sums<core::Interleaved<float, 4>>(device, A);
    expect_the_hosts_sums<core::Interleaved<double, 6>>(device, A);
    expect_the_hosts_sums<core::Interleaved<double, 8>>(device, A);
  }
}

/// Entry k of a Sell is its value[k], and padding is zero.
struct SquareOfEntry {
  double const* value;
  TESSERA_HD double operator()(Index i, Offset k, double a, Index) const {
    return (a + i) * value[k] - i * a;
  }
};

TEST(RowReduceOnTheGpu, TermsOfASellKnowItsEntries) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = core::make_cuda(0);
  for (auto const& A : matrices()) {
    auto const there = copied<double>(Host{}, A, device);
    std::vector<double> expected(A.rows);
    row_reduce(Host{}, A.view(), SquareOfEntry{A.value.data()}, StoreProduct<double>{expected.data()});
    for (auto shape : shapes) {
      auto const S = to_sell<double>(device, there.view(), shape);
      Array<double, Cuda> y(device, A.rows);
      row_reduce(device, S.view(), SquareOfEntry{S.value.data()}, StoreProduct<double>{y.data()});
      EXPECT_EQ(core::to_vector(device, y.view()), expected) << A.rows << " rows, chunks of " << shape.chunk;
    }
    test::for_each_stored<double>(device, there.view(), {}, [&](char const* format, auto view, auto&) {
      Array<double, Cuda> y(device, A.rows);
      row_reduce(device, view, SquareOfEntry{view.value.data()}, StoreProduct<double>{y.data()});
      EXPECT_EQ(core::to_vector(device, y.view()), expected) << A.rows << " rows, " << format;
    });
  }
}

struct TimesVector {
  double const *y, *x;
  TESSERA_HD double operator()(Index i) const { return y[i] * x[i]; }
};
struct Twice {
  TESSERA_HD double operator()(Index i, double sum) const { return 2 * sum + i; }
};

/// y, the sum of y x in the fixed tree, and that of 2 y + i.
template <class Space, class Matrix>
std::vector<double> joined(Space const& space, Matrix const& A, Span<double const> x) {
  Array<double, Space> y(space, x.size()), found(space, 2);
  core::ReduceScratch<Space> scratch(space, x.size(), sizeof(double));
  row_reduce_into(space, A, OneVector<double>{x.data()}, StoreProduct<double>{y.data()},
                  TimesVector{y.data(), x.data()}, core::Plus{}, 0.0, core::StoreResult<double>{found.data()},
                  scratch);
  row_reduce_into(space, A, OneVector<double>{x.data()}, Twice{}, core::Plus{}, 0.0,
                  core::StoreResult<double>{found.data() + 1}, scratch);
  auto result = core::to_vector(space, y.view());
  for (double const sum : core::to_vector(space, found.view())) result.push_back(sum);
  return result;
}

// Short rows, long ones, chunks in order and sorted: one launch and two.
TEST(RowReduceOnTheGpu, IntoIsBitwiseWhatItIsOnTheHost) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = core::make_cuda(0);
  for (auto const& A : {oracle::laplace(70, 50, 60), oracle::random_matrix(3000, 3000, 60, 3),
                        oracle::random_matrix(100000, 100000, 3, 4), oracle::laplace(1)}) {
    auto const x = oracle::random_vector(A.columns, 17);
    auto const there = copied<double>(Host{}, A, device);
    auto const x_there = core::to_space(device, x);
    auto const expected = joined(Host{}, A.view(), Span<double const>(x.data(), x.size()));
    EXPECT_EQ(joined(device, there.view(), x_there.view()), expected) << A.rows << " rows of CSR";
    for (auto shape : shapes)
      EXPECT_EQ(joined(device, to_sell<double>(device, there.view(), shape).view(), x_there.view()), expected)
          << A.rows << " rows, chunks of " << shape.chunk;
    test::for_each_stored<double>(device, there.view(), {}, [&](char const* format, auto view, auto&) {
      EXPECT_EQ(joined(device, view, x_there.view()), expected) << A.rows << " rows, " << format;
    });
  }
}

TEST(FormatsOnTheGpu, HoldWhatTheyHoldOnTheHost) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = core::make_cuda(0);
  for (auto const& A : matrices()) {
    auto const there = copied<double>(Host{}, A, device);
    auto const of_host = test::contents<float>(Host{}, A.view());
    auto const of_device = test::contents<float>(device, there.view());
    ASSERT_EQ(of_host.size(), of_device.size());
    for (std::size_t k = 0; k < of_host.size(); ++k) {
      if (of_host[k].format == "SELL-C-sigma" || of_host[k].format == "pJDS") continue;
      // their chunks on a host have no columns on diagonals, nor have matrices of fewer columns than a run
      if (of_host[k].format == "SELL-runs" && A.columns < run_width) continue;
      EXPECT_TRUE(of_host[k] == of_device[k]) << A.rows << " rows, " << of_host[k].format;
    }
  }
}

TEST(AutomaticOnTheGpu, TakesRunsWhereManyLongRowsHaveThem) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = core::make_cuda(0);
  auto const taken = [&](Csr<double, Host> const& A) {
    auto const there = copied<double>(Host{}, A, device);
    SplitRows<float, Cuda> const S(device, there.view(), {true, {}}, {}, {});
    SplitRows<float, Cuda> const plain(device, there.view(), {true, {}}, {}, {MatrixFormat::sell});
    EXPECT_LE(S.product_bytes(), plain.product_bytes());
    return std::string(S.format());
  };
  EXPECT_EQ(taken(test::brick(41)), "SELL-runs");
  EXPECT_EQ(taken(test::in_blocks(oracle::laplace(30, 30, 30), 3)), "SELL-runs");
  EXPECT_EQ(taken(oracle::laplace(70, 50, 60)), "SELL-C-sigma");
  EXPECT_EQ(taken(oracle::random_matrix(100000, 90000, 20, 19)), "SELL-C-sigma");
  EXPECT_EQ(taken(test::brick(20)), "SELL-C-sigma");  // so few rows that warps share chunks
}

// One window of 2^20 rows: a comparison of all pairs of rows would take 10^12 steps.
TEST(SellOnTheGpu, ManyRowsAreSortedInOneWindowAsOnTheHost) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = core::make_cuda(0);
  for (int const sigma : {256, 1 << 20}) {
    auto const A = oracle::random_matrix(1 << 20, 1000, 3, 18);
    auto const there = copied<double>(Host{}, A, device);
    auto const of_host = to_sell<float>(Host{}, A.view(), {32, sigma});
    auto const of_device = to_sell<float>(device, there.view(), {32, sigma});
    EXPECT_EQ(core::to_vector(device, of_device.row.view()), core::to_vector(Host{}, of_host.row.view()));
    EXPECT_EQ(core::to_vector(device, of_device.value.view()), core::to_vector(Host{}, of_host.value.view()));
  }
}

}  // namespace
}  // namespace Tessera::sparse
