// Rigid-body modes are what a free elastic structure does not resist.
#include "galerkin/rigid_body_modes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.hpp"

namespace Tessera::galerkin {
namespace {

/// Coordinates of `nodes` nodes without any symmetry.
std::vector<double> cloud(int nodes, int dimension) {
  std::vector<double> x;
  for (int i = 0; i < nodes * dimension; ++i) x.push_back(5 + 3 * std::sin(1.0 + 7.3 * i));
  return x;
}

/// Stiffness of a truss with a bar between any two nodes: the sum of e e^T over bars, e the bar's direction;
/// dense.
std::vector<double> truss(std::vector<double> const& x, int dimension) {
  int const nodes = static_cast<int>(x.size()) / dimension, n = nodes * dimension;
  std::vector<double> K(static_cast<std::size_t>(n) * n, 0.0);
  for (int a = 0; a < nodes; ++a) {
    for (int b = 0; b < a; ++b) {
      for (int p = 0; p < dimension; ++p) {
        for (int q = 0; q < dimension; ++q) {
          double const k =
              (x[a * dimension + p] - x[b * dimension + p]) * (x[a * dimension + q] - x[b * dimension + q]);
          K[(a * dimension + p) * n + a * dimension + q] += k;
          K[(b * dimension + p) * n + b * dimension + q] += k;
          K[(a * dimension + p) * n + b * dimension + q] -= k;
          K[(b * dimension + p) * n + a * dimension + q] -= k;
        }
      }
    }
  }
  return K;
}

class RigidBodyModes : public testing::TestWithParam<int> {};

TEST_P(RigidBodyModes, AFreeTrussDoesNotResistThem) {
  int const dimension = GetParam(), nodes = 7, n = nodes * dimension,
            modes = rigid_body_mode_count(dimension);
  auto const x = cloud(nodes, dimension);
  auto const K = truss(x, dimension);
  auto const B = rigid_body_modes(comm::Communicator(), x, dimension);
  ASSERT_EQ(B.size(), static_cast<std::size_t>(n * modes));
  for (int mode = 0; mode < modes; ++mode) {
    for (int i = 0; i < n; ++i) {
      double force = 0, scale = 0;
      for (int j = 0; j < n; ++j) {
        force += K[i * n + j] * B[j * modes + mode];
        scale += std::abs(K[i * n + j]);
      }
      EXPECT_NEAR(force, 0, 1e-14 * scale) << "mode " << mode << ", row " << i;
    }
  }
}

TEST_P(RigidBodyModes, AreIndependentAndOfOrderOne) {
  int const dimension = GetParam(), nodes = 7, n = nodes * dimension,
            modes = rigid_body_mode_count(dimension);
  auto B = rigid_body_modes(comm::Communicator(), cloud(nodes, dimension), dimension);
  for (double const value : B) EXPECT_LE(std::abs(value), 1 + 1e-15);
  for (int mode = 0; mode < modes; ++mode) {  // Gram-Schmidt: what is left of each mode
    for (int before = 0; before < mode; ++before) {
      double dot = 0;
      for (int i = 0; i < n; ++i) dot += B[i * modes + mode] * B[i * modes + before];
      for (int i = 0; i < n; ++i) B[i * modes + mode] -= dot * B[i * modes + before];
    }
    double norm = 0;
    for (int i = 0; i < n; ++i) norm += B[i * modes + mode] * B[i * modes + mode];
    EXPECT_GT(norm, 0.1) << "mode " << mode;
    for (int i = 0; i < n; ++i) B[i * modes + mode] /= std::sqrt(norm);
  }
}

INSTANTIATE_TEST_SUITE_P(In2And3Dimensions, RigidBodyModes, testing::Values(2, 3));

// Nodes (0,0), (4,0), (4,2): the box's middle is (2,1), half its longest edge 2.
TEST(RigidBodyModesOfATriangle, AreKnown) {
  std::vector<double> const expected{1, 0, 0.5,            // u of node 0: translation x, y, rotation -y
                                     0, 1, -1,             // v of node 0
                                     1, 0, 0.5,  0, 1, 1,  //
                                     1, 0, -0.5, 0, 1, 1};
  EXPECT_EQ(rigid_body_modes(comm::Communicator(), {0, 0, 4, 0, 4, 2}, 2), expected);
}

TEST(RigidBodyModesOverRanks, AreThoseOfOneRank) {
  comm::Communicator const world(MPI_COMM_WORLD);
  int const nodes = 11, dimension = 3, row = dimension * rigid_body_mode_count(dimension);
  auto const all = cloud(nodes, dimension);
  int const from = nodes * world.rank() / world.size(), to = nodes * (world.rank() + 1) / world.size();
  std::vector<double> const mine(all.begin() + from * dimension, all.begin() + to * dimension);
  auto const whole = rigid_body_modes(comm::Communicator(), all, dimension);
  EXPECT_EQ(rigid_body_modes(world, mine, dimension),
            std::vector<double>(whole.begin() + from * row, whole.begin() + to * row));
}

TEST(RigidBodyModesOverRanks, ARankMayHaveNoNodes) {
  comm::Communicator const world(MPI_COMM_WORLD);
  std::vector<double> const mine =
      world.rank() == 0 ? std::vector<double>{0, 0, 2, 0} : std::vector<double>{};
  EXPECT_EQ(rigid_body_modes(world, mine, 2).size(), 3 * mine.size());
}

TEST(RigidBodyModesOverRanks, BadCoordinatesAreRefusedOnAllRanks) {
  comm::Communicator const world(MPI_COMM_WORLD);
  std::vector<double> x{0, 0, 2, 0};
  if (world.rank() == 0) x[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(rigid_body_modes(world, x, 2), core::InvalidInput);
  EXPECT_THROW(rigid_body_modes(world, {1, 2}, 1), core::InvalidInput);
}

}  // namespace
}  // namespace Tessera::galerkin
