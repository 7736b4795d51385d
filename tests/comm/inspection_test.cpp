#include "comm/inspection.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cases.hpp"
#include "comm/checksum_body.hpp"
#include "comm/lanczos.hpp"

namespace Tessera {
namespace {

/// Symmetric with a heavy diagonal, all over the ranks.
test::Dense heavy_diagonal(GlobalIndex n) {
  auto A = test::random_dense(n, n, 5);
  for (GlobalIndex i = 0; i < n; ++i) {
    for (GlobalIndex j = 0; j < i; ++j) A.value[i * n + j] = A(j, i);
    A.value[i * n + i] = 3.0 + 0.125 * static_cast<double>(i);
  }
  return A;
}

TEST(Inspection, IsTheDiagonalTheBoundOfLanczosAndTheChecksum) {
  for (auto const share : test::all_shares) {
    auto const rows = test::shared_out(test::world(), share, 7);
    if (rows.global_size() == 0) continue;
    auto const dense = heavy_diagonal(rows.global_size());
    auto const A = test::distributed(dense, rows, rows);
    auto const found = comm::inspect(Host{}, A);
    ASSERT_EQ(found.diagonal.size(), static_cast<std::size_t>(rows.local_size()));
    std::vector<VertexId> ids;
    for (auto i = rows.begin(); i < rows.end(); ++i) {
      EXPECT_EQ(found.diagonal[i - rows.begin()], dense(i, i));
      ids.push_back(i);
    }
    EXPECT_EQ(found.checksum, comm::checksum(Host{}, A));
    auto const apart = comm::spectral_radius(Host{}, A, found.diagonal.view(), test::view(ids), 5);
    EXPECT_EQ(found.bound, apart.bound);
    auto const told =
        comm::spectral_radius(Host{}, A, found.diagonal.view(), test::view(ids), 5, 0, {}, found.bound);
    EXPECT_EQ(told.bound, apart.bound);
    EXPECT_EQ(told.estimate, apart.estimate);
  }
}

TEST(Inspection, ADiagonalThatIsTooSmallHasNoBound) {
  comm::Distribution const rows(test::world(), 3);
  auto const A = test::distributed(heavy_diagonal(rows.global_size()), rows, rows);
  Array<double, Host> diagonal(Host{}, rows.local_size());
  comm::RowFindings found;
  comm::inspect_into(Host{}, A, diagonal.span(), &found, 3.0);  // that of row 0
  EXPECT_TRUE(std::isfinite(found.bound));
  comm::inspect_into(Host{}, A, diagonal.span(), &found, 3.0625);
  EXPECT_TRUE(std::isinf(found.bound));
}

TEST(Inspection, AMissingDiagonalIsZeroAndAnInfiniteEntryIsNotANumber) {
  comm::Distribution const rows(test::world(), 3);
  auto const n = rows.global_size();
  test::Dense dense{n, n, std::vector<double>(n * n, 0.0)};
  for (GlobalIndex i = 0; i < n; ++i) {
    if (i % 3 != 1) dense.value[i * n + i] = 2;
    if (i % 3 == 1) dense.value[i * n + i - 1] = 4;
    if (i % 3 == 2) dense.value[i * n + i - 1] = std::numeric_limits<double>::infinity();
  }
  auto const found = comm::inspect(Host{}, test::distributed(dense, rows, rows));
  EXPECT_EQ(found.diagonal[0], 2.0);
  EXPECT_EQ(found.diagonal[1], 0.0);
  EXPECT_TRUE(std::isnan(found.diagonal[2]));
}

}  // namespace
}  // namespace Tessera
