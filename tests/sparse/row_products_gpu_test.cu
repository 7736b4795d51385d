#include <gtest/gtest.h>

#include <vector>

#include "core/parallel.hpp"
#include "oracle/dense.hpp"
#include "oracle/generators.hpp"
#include "sparse/row_products.hpp"
#include "sparse/spmv.hpp"
#include "support/device.hpp"

namespace Tessera::sparse {
namespace {

/// Few and many rows, short and long ones, empty ones, ends of chunks on either side of a row.
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
  return all;
}

constexpr SellShape shapes[] = {{1, 1}, {4, 1}, {5, 10}, {16, 64}, {32, 1}, {32, 256}};

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
      return [=](auto const& space, Span<T const> from, Span<T> y) { spmv(space, view, from, y); };
    };
    auto const overwrite = [](auto view) {
      return [=](auto const& space, Span<T const> from, Span<T> y) { residual(space, view, from, y, y); };
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
        for_each_row_product(space, view, InMagnitude{}(OneVector<T>{from.data()}),
                             StoreProduct<T>{to.data()});
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
          for_each_row_product(space, view, OneVector<T>{from.data()}, AddProduct<T>{to.data()});
        };
      };
      Span<Index const> const rows(list.data(), list.size());
      auto const expected = after(Host{}, x, y, add(to_sell<T>(Host{}, A.view(), rows, {32, 1}).view()));
      for (auto shape : shapes) {
        auto const S = to_sell<T>(device, on_device.view(), there.view(), shape);
        EXPECT_EQ(after(device, x, y, add(S.view())), expected) << "chunks of " << shape.chunk;
      }
      EXPECT_EQ(after(device, x, y,
                      [&](Cuda const& space, Span<T const> from, Span<T> to) {
                        for_each_row_product(space, on_device.view(), there.view(), OneVector<T>{from.data()},
                                             AddProduct<T>{to.data()});
                      }),
                expected);
    }
  }
}

TEST(RowProductsOnTheGpu, ReadGhostsBehindOwnedColumns) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = core::make_cuda(0);
  auto const A = oracle::random_matrix(1000, 800, 20, 11);
  auto const on_device = copied<double>(Host{}, A, device);
  auto const x = oracle::random_vector(800, 12), y = oracle::random_vector(1000, 13);
  Index const owned = 500;
  auto const product = [=](auto view) {
    return [=](auto const& space, Span<double const> from, Span<double> to) {
      for_each_row_product(space, view, OwnedAndGhosts<double>{from.data(), from.data() + owned, owned},
                           StoreProduct<double>{to.data()});
    };
  };
  auto const expected = after(Host{}, x, y, product(A.view()));
  EXPECT_EQ(after(device, x, y, product(on_device.view())), expected);
  EXPECT_EQ(after(device, x, y, product(to_sell<double>(device, on_device.view(), {}).view())), expected);
}

TEST(RowProductsOnTheGpu, OfAFloatMatrixAndADoubleVectorAddInDouble) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = core::make_cuda(0);
  auto const A = copied<float>(Host{}, oracle::random_matrix(3000, 2000, 40, 14), Host{});
  auto const on_device = copied<float>(Host{}, A, device);
  auto const x = oracle::random_vector(2000, 15), y = oracle::random_vector(3000, 16);
  auto const product = [](auto view) {
    return [=](auto const& space, Span<double const> from, Span<double> to) {
      for_each_row_product(space, view, OneVector<double>{from.data()}, StoreProduct<double>{to.data()});
    };
  };
  auto const expected = after(Host{}, x, y, product(A.view()));
  EXPECT_EQ(after(device, x, y, product(on_device.view())), expected);
  EXPECT_EQ(after(device, x, y, product(to_sell<float>(device, on_device.view(), {}).view())), expected);
}

}  // namespace
}  // namespace Tessera::sparse
