// Graphs whose few hubs make smoothed coarse levels fill in.
#include <gtest/gtest.h>

#include "core/memory.hpp"
#include "multigrid/coarsenings.hpp"
#include "multigrid/systems.hpp"

namespace Tessera::multigrid {
namespace {

using Levels = Hierarchy<float, Host>;

#if defined(__SANITIZE_ADDRESS__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

Levels make(comm::DistCsr<double, Host> const& A, Parameters const& parameters, NearNullspace const& B = {}) {
  return {Host{}, A, test::node_ids_on(Host{}, A.rows), B, parameters};
}

std::string all_of(std::vector<std::string> const& warnings) {
  std::string text;
  for (auto const& warning : warnings) text += warning + "\n";
  return text;
}

// Smoothed aggregation had 24.7 times the entries of 15,000 nodes, matchings 12.8 times.
TEST(Hubs, LevelsHoldAFewTimesTheEntriesOfTheMatrix) {
  auto const whole = oracle::preferential_attachment(15000, 3, 1);
  auto const A = test::distribute(whole, test::share(test::world(), whole.rows, false));
  auto const& comm = A.rows.comm();
  auto const matrix = static_cast<double>(whole.column.size()) * (sizeof(Index) + sizeof(double));
  for (auto const& way : test::ways_to_coarsen()) {
    SCOPED_TRACE(way.name);
    Parameters p;
    way.choose(p);
    auto const before = core::memory_use(Host{}).in_use;
    core::reset_peak(Host{});
    auto M = make(A, p);
    auto const peak = core::memory_use(Host{}).peak - before;
    EXPECT_LE(M.report().operator_complexity, 7) << all_of(M.warnings());
    // Ranks hold ghost rows of the hubs, each its own.
    EXPECT_LE(comm.sum(static_cast<double>(peak)), (56 + 4 * comm.size()) * matrix);
    // Unsmoothed and aggressively coarsened levels do not fill in.
    bool const fills = p.coarsening != CoarseningType::unsmoothed && p.classical.aggressive_levels == 0;
    EXPECT_EQ(all_of(M.warnings()).find("entries, for which the hierarchy has no room") != std::string::npos,
              fills)
        << all_of(M.warnings());
    std::vector<double> x;
    EXPECT_LE(test::conjugate_gradients(A, M, std::vector<double>(A.local.rows, 1.0), x), 60);
    auto scaled = test::distribute(whole, A.rows);
    for (int times = 0; times < 2; ++times) {
      for (auto& a : scaled.local.value) a *= 4;
      M.refresh(scaled);
    }
    auto fresh = make(scaled, p);
    EXPECT_EQ(M.report().levels.back().checksum, fresh.report().levels.back().checksum);
    if (sanitized) break;  // sanitizers take ten times as long
  }
}

TEST(Hubs, GridsAreCoarsenedAsBefore) {
  for (auto const& whole : {oracle::laplace(60, 60), oracle::laplace(15, 15, 15)}) {
    auto const A = test::distribute(whole, test::share(test::world(), whole.rows));
    for (auto const& way : test::ways_to_coarsen()) {
      Parameters p;
      p.coarse_max_size = 30;
      way.choose(p);
      auto M = make(A, p);
      EXPECT_EQ(all_of(M.warnings()).find("no room"), std::string::npos) << way.name;
    }
  }
}

// 20 columns an aggregate: also a plain P makes 400 entries of each pair.
TEST(Hubs, TooManyVectorsEndTheCoarsening) {
  auto const whole = oracle::preferential_attachment(4000, 3, 1);
  auto const A = test::distribute(whole, test::share(test::world(), whole.rows));
  NearNullspace B;
  B.vectors = 20;
  for (auto i = A.rows.begin(); i < A.rows.end(); ++i)
    for (int c = 0; c < B.vectors; ++c)
      B.values.push_back(c == 0 ? 1 : core::uniform(static_cast<VertexId>(i), static_cast<std::uint64_t>(c)));
  for (auto const kind : {CoarseningType::smoothed, CoarseningType::unsmoothed}) {
    Parameters p;
    p.coarsening = kind;
    p.coarse_max_size = 100;
    p.aggregation.scheme = aggregation::AggregationScheme::matching;
    p.aggregation.matchings = 5;
    auto M = make(A, p, B);
    EXPECT_EQ(M.report().levels.size(), 1U);
    EXPECT_NE(all_of(M.warnings()).find("coarsening stopped at level 0: R A P would have about"),
              std::string::npos)
        << all_of(M.warnings());
  }
}

}  // namespace
}  // namespace Tessera::multigrid
