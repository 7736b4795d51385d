#pragma once
/// \file
/// Levels that were fetched to the host.
#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "multigrid/levels/hierarchy.hpp"

namespace Tessera::test {

/// Entries that are not zero, which formats may leave out, of this rank.
inline std::vector<std::tuple<GlobalIndex, GlobalIndex, double>> entries(comm::HostMatrix const& A) {
  std::vector<std::tuple<GlobalIndex, GlobalIndex, double>> all;
  for (Index i = 0; i < A.local.rows; ++i)
    for (auto k = A.local.offsets[i]; k < A.local.offsets[i + 1]; ++k)
      if (A.local.value[k] != 0) all.emplace_back(A.row[i], A.column[A.local.column[k]], A.local.value[k]);
  return all;
}

/// What is fetched of two hierarchies is the same, bit by bit.
template <class One, class Other>
void expect_same_fetched(One const& one, Other const& other) {
  ASSERT_EQ(one.level_count(), other.level_count());
  for (std::size_t l = 0; l < one.level_count(); ++l) {
    auto const a = one.fetch_matrices(l), b = other.fetch_matrices(l);
    EXPECT_EQ(entries(a.A), entries(b.A)) << "level " << l;
    ASSERT_EQ(a.P.has_value(), b.P.has_value());
    if (!a.P) continue;
    EXPECT_EQ(entries(*a.P), entries(*b.P)) << "level " << l;
    EXPECT_EQ(entries(*a.R), entries(*b.R)) << "level " << l;
    auto const of_one = one.fetch_aggregates(l), of_other = other.fetch_aggregates(l);
    EXPECT_EQ(of_one.aggregate, of_other.aggregate);
    EXPECT_EQ(of_one.coarse_nullspace, of_other.coarse_nullspace);
  }
}

}  // namespace Tessera::test
