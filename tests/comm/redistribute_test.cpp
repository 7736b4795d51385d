#include "comm/redistribute.hpp"

#include <gtest/gtest.h>

#include "cases.hpp"
#include "comm/dense_gather.hpp"

namespace Tessera {
namespace {

using test::Share;

TEST(Redistribution, TheFirstOfEachGroupTakesAll) {
  auto const comm = test::world();
  comm::Distribution const from(comm, 3);
  comm::Redistribution<Host> const pairs({}, from, 2);
  bool const has_partner = comm.rank() + 1 < comm.size();
  EXPECT_EQ(pairs.to().local_size(), comm.rank() % 2 != 0 ? 0 : has_partner ? 6 : 3);
  EXPECT_EQ(pairs.to().global_size(), from.global_size());
}

TEST(Redistribution, VectorsGoThereAndBack) {
  for (auto const share : test::all_shares) {
    for (int const group : {1, 2, 3, 100}) {
      for (int const width : {1, 3}) {
        auto const from = test::shared_out(test::world(), share, 5);
        comm::Redistribution<Host> const moved({}, from, group);
        auto const whole = test::random_vector<float>(from.global_size() * width, 1);
        auto const source = test::owned_part(from, whole, width);
        std::vector<float> target(moved.to().local_size() * width), back(source.size());
        moved.forward(Host{}, test::view(source), test::span(target), width);
        EXPECT_EQ(target, test::owned_part(moved.to(), whole, width));
        moved.backward(Host{}, test::view(target), test::span(back), width);
        EXPECT_EQ(back, source);
      }
    }
  }
}

TEST(Redistribution, TheMatrixIsTheSameMatrix) {
  for (auto const share : test::all_shares) {
    for (int const group : {1, 2, 3, 100}) {
      auto const from = test::shared_out(test::world(), share, 5);
      auto dense = test::random_dense(from.global_size(), from.global_size(), 3);
      auto A = test::distributed(dense, from, from);
      comm::Redistribution<Host> const moved({}, from, group);
      auto B = moved.matrix(Host{}, A);
      auto const expect_equal = [&] {
        auto const C = test::distributed(dense, moved.to(), moved.to());
        EXPECT_EQ(B.halo.ghosts(), C.halo.ghosts());
        EXPECT_EQ(B.local.columns, C.local.columns);
        EXPECT_TRUE(std::equal(B.local.offsets.begin(), B.local.offsets.end(), C.local.offsets.begin(),
                               C.local.offsets.end()));
        EXPECT_TRUE(std::equal(B.local.column.begin(), B.local.column.end(), C.local.column.begin(),
                               C.local.column.end()));
        EXPECT_TRUE(std::equal(B.local.value.begin(), B.local.value.end(), C.local.value.begin(),
                               C.local.value.end()));
      };
      expect_equal();
      for (auto& value : A.local.value) value *= 3;
      for (auto& value : dense.value) value *= 3;
      moved.refresh(Host{}, A, B);
      expect_equal();
    }
  }
}

TEST(DenseGather, TheRootHoldsTheMatrixColumnMajor) {
  auto const comm = test::world();
  for (auto const share : test::all_shares) {
    auto const rows = test::shared_out(comm, share, 5);
    auto const n = rows.global_size();
    auto const dense = test::random_dense(n, n, 6);
    int const root = comm.size() - 1;
    auto const gathered = comm::gather_dense(Host{}, test::distributed(dense, rows, rows), root);
    ASSERT_EQ(gathered.size(), comm.rank() == root ? static_cast<std::size_t>(n * n) : 0u);
    for (std::size_t k = 0; k < gathered.size(); ++k) EXPECT_EQ(gathered[k], dense(k % n, k / n));
  }
}

template <class T>
void expect_vector_there_and_back(Share share) {
  auto const d = test::shared_out(test::world(), share, 5);
  auto const x = test::random_vector<T>(d.global_size(), 2);
  auto const mine = test::owned_part(d, x);
  comm::VectorGather<T, Host> gather({}, d);
  std::vector<T> whole(gather.is_root() ? x.size() : 0), back(mine.size());
  gather.gather(Host{}, test::view(mine), test::span(whole));
  if (gather.is_root()) {
    EXPECT_EQ(whole, x);
  }
  gather.scatter(Host{}, test::view(whole), test::span(back));
  EXPECT_EQ(back, mine);
}

TEST(DenseGather, VectorsGoToTheRootAndBack) {
  for (auto const share : test::all_shares) {
    expect_vector_there_and_back<double>(share);
    expect_vector_there_and_back<float>(share);
  }
}

}  // namespace
}  // namespace Tessera
