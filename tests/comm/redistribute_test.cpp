#include "comm/redistribute.hpp"

#include <gtest/gtest.h>

#include "cases.hpp"

namespace Tessera {
namespace {

using test::Share;

TEST(Redistribution, TheFirstRankOfAGroupGetsAllRows) {
  auto const comm = test::world();
  comm::Distribution const from(comm, 3);
  comm::Redistribution<Host> const pairs({}, from, 2);
  bool const has_partner = comm.rank() + 1 < comm.size();
  EXPECT_EQ(pairs.to().local_size(), comm.rank() % 2 != 0 ? 0 : has_partner ? 6 : 3);
  EXPECT_EQ(pairs.to().global_size(), from.global_size());
}

TEST(Redistribution, VectorsMoveForwardAndBackward) {
  for (auto const share : test::all_shares) {
    for (int const group : {1, 2, 3, 100}) {
      for (int const width : {1, 3}) {
        auto const from = test::share_rows(test::world(), share, 5);
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
      auto const from = test::share_rows(test::world(), share, 5);
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

}  // namespace
}  // namespace Tessera
