// The bodies of the aggregation called in plain loops, on hand-made graphs.
#include "aggregation/aggregates_body.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace Tessera {
namespace {

using namespace aggregation;

// Vertex 4 has edges of weight 1/2 to 0 and 1 (of the root named 70), of 3/4 to 2 (of the root named 50) and
// of 1/4 to 3, which has no aggregate:
//     0   1
//      \ /
//   3 - 4 - 2
struct Fork {
  std::vector<Offset> offsets{0, 0, 0, 0, 0, 4};
  std::vector<Index> neighbour{3, 2, 0, 1};
  std::vector<float> weight{0.25f, 0.75f, 0.5f, 0.5f};
  std::vector<VertexId> root_id{70, 70, 50, -1, -1};
  std::vector<GlobalIndex> aggregate{7, 7, 5, -1, -1};
  std::vector<Index> joined = std::vector<Index>(5, left_over);
  GlobalIndex join() {
    JoinStrongestBody const body{{offsets.data(), neighbour.data(), weight.data()},
                                 joined.data(),
                                 left_over,
                                 root_id.data(),
                                 aggregate.data(),
                                 nullptr};
    body(core::SingleThread{}, 4);
    return aggregate[4];
  }
};

TEST(JoinStrongest, AddsUpTheEdgesToAnAggregate) {
  EXPECT_EQ(Fork{}.join(), 7);
}

TEST(JoinStrongest, PrefersOneStrongEdgeToTwoWeakOnes) {
  Fork fork;
  fork.weight = {0.25f, 0.75f, 0.25f, 0.25f};
  EXPECT_EQ(fork.join(), 5);
}

TEST(JoinStrongest, TakesTheSmallerRootIdOfEqualConnections) {
  Fork fork;
  fork.weight = {0.25f, 1.0f, 0.5f, 0.5f};
  EXPECT_EQ(fork.join(), 5);
  Fork other;
  other.weight = fork.weight;
  other.root_id = {30, 30, 50, -1, -1};
  EXPECT_EQ(other.join(), 7);
}

TEST(JoinStrongest, LeavesAVertexWithoutAggregatesAround) {
  Fork fork;
  fork.root_id = {-1, -1, -1, -1, -1};
  EXPECT_EQ(fork.join(), -1);
}

// 0 (new root) - 1 - 2, all left over: 1 is next to the root, 2 is not.
TEST(JoinRoot, TakesTheRootAndItsNeighbours) {
  std::vector<Offset> const offsets{0, 1, 3, 4};
  std::vector<Index> const neighbour{1, 0, 2, 1};
  std::vector<unsigned char> const root{1, 0, 0};
  std::vector<Index> joined(3, left_over);
  std::vector<bool> stays;
  for (Index v = 0; v < 3; ++v)
    stays.push_back(
        JoinRootBody{{offsets.data(), neighbour.data(), nullptr}, root.data(), {nullptr}, joined.data()}(v));
  EXPECT_EQ(joined, (std::vector<Index>{0, 0, left_over}));
  EXPECT_EQ(stays, (std::vector<bool>{false, false, true}));
}

// 0 - 1 - 2 - 3, of which 1, 2 and 3 are left over: two, three and two in their closed neighbourhoods.
TEST(Crowded, CountsTheVertexItself) {
  std::vector<Offset> const offsets{0, 1, 3, 5, 6};
  std::vector<Index> const neighbour{1, 0, 2, 1, 3, 2};
  std::vector<Index> const joined{0, left_over, left_over, left_over};
  std::vector<unsigned char> candidate(4, 9);
  for (Index v = 1; v < 4; ++v)
    SecondPassCandidateBody{
        {offsets.data(), neighbour.data(), nullptr}, joined.data(), 3, candidate.data()}(v);
  EXPECT_EQ(candidate, (std::vector<unsigned char>{9, 2, 1, 2}));
}

}  // namespace
}  // namespace Tessera
