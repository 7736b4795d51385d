// Strength between nodes of several unknowns.
#include <gtest/gtest.h>

#include <map>

#include "aggregation/node_matrix.hpp"
#include "aggregation/problems.hpp"

namespace Tessera {
namespace {

using aggregation::BlockMeasure;
using aggregation::DropScheme;
using aggregation::StrengthParameters;

// Three nodes of two unknowns:
//   2  1 |  3 -4 |  .  .
//   1  2 |  .  . |  .  .
//  ------+-------+------
//   3  . |  8  . |  .  1
//  -4  . |  .  6 | -2  .
//  ------+-------+------
//   .  . |  . -2 |  5  .
//   .  . |  1  . |  .  5
test::Whole const blocks(6, {2,  1, 3, -4, 0,  0,  //
                             1,  2, 0, 0,  0,  0,  //
                             3,  0, 8, 0,  0,  1,  //
                             -4, 0, 0, 6,  -2, 0,  //
                             0,  0, 0, -2, 5,  0,  //
                             0,  0, 1, 0,  0,  5});

/// On every rank, 3 x 3.
std::vector<double> measured(BlockMeasure measure, int way) {
  auto const A = test::distributed(blocks, test::shared_out(6, way, 2));
  auto const N = aggregation::node_matrix(Host{}, A, 2, measure).matrix;
  auto const columns = comm::global_columns(N.halo);
  std::vector<double> part(N.local.rows * 3, 0.0);
  for (Index I = 0; I < N.local.rows; ++I) {
    for (auto k = N.local.offsets[I]; k < N.local.offsets[I + 1]; ++k) {
      if (k > N.local.offsets[I]) {
        EXPECT_LT(N.local.column[k - 1], N.local.column[k]);
      }
      part[I * 3 + columns[N.local.column[k]]] = N.local.value[k];
    }
  }
  return test::gathered(part.data(), part.data() + part.size());
}

TEST(NodeMatrix, HasTheNormsOfTheBlocks) {
  for (int way = 0; way < test::ways_to_share; ++way)
    EXPECT_EQ(measured(BlockMeasure::norm, way),
              (std::vector<double>{std::sqrt(10.0), 5, 0, 5, 10, std::sqrt(5.0), 0, std::sqrt(5.0),
                                   std::sqrt(50.0)}));
}

TEST(NodeMatrix, HasTheTracesOfTheBlocks) {
  for (int way = 0; way < test::ways_to_share; ++way)
    EXPECT_EQ(measured(BlockMeasure::trace, way), (std::vector<double>{4, 3, 0, 3, 14, 0, 0, 0, 10}));
}

/// On every rank, 6 x 6: the mask.
std::vector<double> mask(DropScheme scheme, double theta, int way) {
  StrengthParameters parameters;
  parameters.scheme = scheme;
  parameters.drop_tolerance = theta;
  parameters.equations = 2;
  auto const A = test::distributed(blocks, test::shared_out(6, way, 2));
  auto const graph = test::graph_of(A, parameters);
  EXPECT_EQ(graph.nodes(), A.local.rows / 2);
  auto const columns = comm::global_columns(A.halo);
  std::vector<double> part(A.local.rows * 6, 0.0);
  for (Index i = 0; i < A.local.rows; ++i) {
    for (auto k = A.local.offsets[i]; k < A.local.offsets[i + 1]; ++k)
      part[i * 6 + columns[A.local.column[k]]] = graph.strong[k];
  }
  return test::gathered(part.data(), part.data() + part.size());
}

// 5 / sqrt(sqrt(10) 10) = 0.889, sqrt(5) / sqrt(10 sqrt(50)) = 0.266
TEST(StrengthOfNodes, KeepsOrDropsWholeBlocks) {
  for (int way = 0; way < test::ways_to_share; ++way) {
    EXPECT_EQ(mask(DropScheme::classical, 0.2, way), (std::vector<double>{1, 1, 1, 1, 0, 0,  //
                                                                          1, 1, 0, 0, 0, 0,  //
                                                                          1, 0, 1, 0, 0, 1,  //
                                                                          1, 0, 0, 1, 1, 0,  //
                                                                          0, 0, 0, 1, 1, 0,  //
                                                                          0, 0, 1, 0, 0, 1}));
    EXPECT_EQ(mask(DropScheme::classical, 0.3, way), (std::vector<double>{1, 1, 1, 1, 0, 0,  //
                                                                          1, 1, 0, 0, 0, 0,  //
                                                                          1, 0, 1, 0, 0, 0,  //
                                                                          1, 0, 0, 1, 0, 0,  //
                                                                          0, 0, 0, 0, 1, 0,  //
                                                                          0, 0, 0, 0, 0, 1}));
  }
}

// The traces are 3 and 0: both weak where couplings must be negative. Entries of diagonal blocks stay.
TEST(StrengthOfNodes, SignedSchemesLookAtTheTrace) {
  EXPECT_EQ(mask(DropScheme::signed_symmetric, 0.0, 0), (std::vector<double>{1, 1, 0, 0, 0, 0,  //
                                                                             1, 1, 0, 0, 0, 0,  //
                                                                             0, 0, 1, 0, 0, 0,  //
                                                                             0, 0, 0, 1, 0, 0,  //
                                                                             0, 0, 0, 0, 1, 0,  //
                                                                             0, 0, 0, 0, 0, 1}));
}

/// Each entry of A times a block whose norm and trace are 3 in absolute value.
test::Whole in_blocks(test::Whole const& A) {
  test::Whole B(A.n * 3);
  for (GlobalIndex i = 0; i < A.n; ++i) {
    for (GlobalIndex j = 0; j < A.n; ++j) {
      double const entry[3][3] = {{1, 1, -1}, {1, 1, 1}, {-1, 1, 1}};
      for (int p = 0; p < 3; ++p) {
        for (int q = 0; q < 3; ++q) B(3 * i + p, 3 * j + q) = A(i, j) * entry[p][q];
      }
    }
  }
  return B;
}

/// Neighbours and weights of each vertex, by neighbour.
std::vector<std::map<Index, float>> edges(aggregation::StrengthGraph<Host> const& graph) {
  std::vector<std::map<Index, float>> result(graph.nodes());
  for (Index v = 0; v < graph.nodes(); ++v) {
    for (auto e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e)
      result[v][graph.neighbour[e]] = graph.weight[e];
  }
  return result;
}

TEST(StrengthOfNodes, IsThatOfTheScalarMatrixWhenAllBlocksAreAlike) {
  for (auto const& A : test::many_problems()) {
    for (auto const scheme :
         {DropScheme::classical, DropScheme::signed_classical, DropScheme::signed_symmetric}) {
      StrengthParameters parameters;
      parameters.scheme = scheme;
      parameters.drop_tolerance = 0.11;
      auto with_blocks = parameters;
      with_blocks.equations = 3;
      auto const B = in_blocks(A);
      for (int way = 0; way < test::ways_to_share; ++way) {
        auto const scalar = test::graph_of(test::distributed(A, test::shared_out(A.n, way)), parameters);
        auto const nodes = test::graph_of(test::distributed(B, test::shared_out(B.n, way, 3)), with_blocks);
        EXPECT_EQ(nodes.halo.ghosts(), scalar.halo.ghosts());
        EXPECT_EQ(edges(nodes), edges(scalar));
      }
    }
  }
}

}  // namespace
}  // namespace Tessera
