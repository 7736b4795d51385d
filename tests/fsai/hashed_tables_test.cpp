#include <gtest/gtest.h>

#include "cases.hpp"
#include "fsai/pattern.hpp"
#include "fsai/row_systems.hpp"
#include "support/threads.hpp"

namespace Tessera {
namespace {

struct Results {
  std::vector<std::vector<Index>> pattern, grown;
  std::vector<double> solved, filtered;
  std::vector<Index> kept;
};

/// Results of the last rows only, which one thread computes.
Results results(sparse::Csr<double, Host> const& A) {
  auto const p = test::parameters(2, 0.0, 0.1);
  Index const rows = 14;
  fsai::LowerRows const lower{A.view(), {A.rows - rows, {}}};
  auto const filtered = fsai::prefiltered(Host{}, lower, 0.0);
  std::vector<unsigned char> cut(rows);
  fsai::RowBound const bound{p.pattern_level, fsai::largest_row};
  auto const pattern =
      fsai::static_pattern(Host{}, filtered.view(), lower.own, bound, {cut.data(), cut.size()});
  std::vector<double> value(pattern.column.size());
  Span<double> const values(value.data(), value.size());
  Results found;
  found.pattern = test::rows_of(pattern.view());
  fsai::solve_rows(Host{}, lower, pattern.view(), values, 1 << 20);
  found.solved = value;
  std::vector<unsigned char> active(rows, 1);
  found.grown = test::rows_of(fsai::grown_pattern(Host{}, lower, pattern.view(), Span<double const>(values),
                                                  Span<unsigned char>(active.data(), rows), {3, 1024, 0.0})
                                  .view());
  std::vector<unsigned char> keep(value.size());
  found.kept.resize(rows);
  fsai::postfilter(Host{}, lower, pattern.view(), 0.1, p.postfilter_norm, values, {keep.data(), keep.size()},
                   {found.kept.data(), rows});
  found.filtered = value;
  return found;
}

/// If tables of all columns take too much memory for the number of threads, threads use tables that fit a
/// row. The requested threads are never started: one thread handles a few rows, and the diagonal of so few
/// entries.
TEST(HashedTables, EqualDenseTables) {
  auto const A = oracle::random_spd(2400, 3.0, 37);
  auto const dense = testing::with_threads(1, [&] { return results(A); });
  auto const hashed = testing::with_threads(8192, [&] { return results(A); });
  EXPECT_EQ(hashed.pattern, dense.pattern);
  EXPECT_EQ(hashed.grown, dense.grown);
  EXPECT_EQ(hashed.solved, dense.solved);
  EXPECT_EQ(hashed.filtered, dense.filtered);
  EXPECT_EQ(hashed.kept, dense.kept);
  EXPECT_NE(dense.solved, dense.filtered);
}

}  // namespace
}  // namespace Tessera
