// The greedy aggregates of Bell, Dalton, Olson 2012 (on a CPU) in the library's hierarchy.
#include <gtest/gtest.h>

#include <Tpetra_Core.hpp>

#include "gallery/problem.hpp"
#include "gallery/whole.hpp"
#include "greedy_hierarchy.hpp"
#include "oracle/generators.hpp"
#include "parameters/parse.hpp"
#include "parameters/selection.hpp"
#include "parameters/xml.hpp"
#include "tpetra/import_matrix.hpp"

namespace Tessera::papers {
namespace {

std::vector<Index> greedy(sparse::CsrView<double> A) {
  std::vector<Offset> offsets{0};
  std::vector<Index> neighbour;
  for (Index i = 0; i < A.rows; ++i) {
    for (auto k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      if (A.column[k] != i) neighbour.push_back(A.column[k]);
    }
    offsets.push_back(static_cast<Offset>(neighbour.size()));
  }
  auto const found =
      oracle::greedy_aggregates({offsets.data(), offsets.size()}, {neighbour.data(), neighbour.size()});
  for (std::size_t a = 0; a < found.root.size(); ++a)
    EXPECT_EQ(found.aggregate[found.root[a]], static_cast<Index>(a));
  return found.aggregate;
}

TEST(Greedy, AggregatesOfAPath) {
  // The roots are 0, 3 and 6. The only neighbour of 6 is free.
  EXPECT_EQ(greedy(oracle::laplace(7).view()), (std::vector<Index>{0, 0, 1, 1, 1, 2, 2}));
  // When 1 and 2 are visited, each has an aggregated neighbour; 1 belongs to 0, 2 joins 1.
  EXPECT_EQ(greedy(oracle::laplace(3).view()), (std::vector<Index>{0, 0, 0}));
}

TEST(Greedy, AggregatesOfAGrid) {
  // The roots are 0 and 5. The remaining 6 and 7 join their first neighbours, 3 and 4.
  EXPECT_EQ(greedy(oracle::laplace(3, 3).view()), (std::vector<Index>{0, 0, 1,  //
                                                                      0, 1, 1,  //
                                                                      0, 1, 1}));
}

TEST(Greedy, AVertexWithoutAnEdgeIsInNone) {
  auto const A = oracle::make_csr(3, 3, {0, 2, 3, 5}, {0, 2, 1, 0, 2}, {2, -1, 2, -1, 2});
  EXPECT_EQ(greedy(A.view()), (std::vector<Index>{0, -1, 0}));
}

multigrid::Parameters paper_parameters() {
  auto const list = readXml(std::string(TESSERA_XML) + "/sa_amg_paper.xml", *Tpetra::getDefaultComm());
  return parameters::parse(*parameters::selection(list).preconditioner_parameters).multigrid;
}

class InAHierarchy : public testing::Test {
 protected:
  gallery::Problem problem = gallery::make_problem("Laplace2D", {{"nx", 120}, {"ny", 120}}, gallery::alone());
  tpetra::ImportedMatrix A = tpetra::import_matrix(*problem.matrix);
  std::vector<double> b = oracle::random_vector(A.A.local.rows, 7);
};

TEST_F(InAHierarchy, TheLibrarysAggregatesGiveTheLibrarysCycle) {
  HierarchyOf ours(Aggregates::mis2, A.A, paper_parameters());
  Array<VertexId, Host> ids(Host{}, A.A.local.rows);
  for (Index i = 0; i < A.A.local.rows; ++i) ids[i] = i;
  multigrid::Hierarchy<double, Host> theirs(Host{}, A.A, std::move(ids), {}, paper_parameters());
  std::vector<double> x(b.size()), y(b.size());
  ours.apply({b.data(), b.size()}, {x.data(), x.size()});
  theirs.apply({b.data(), b.size()}, {y.data(), y.size()});
  EXPECT_EQ(x, y);
  EXPECT_EQ(ours.operator_complexity(), theirs.report().operator_complexity);
}

/// "On structured problems, the sequential aggregation method fortuitously selects square-shaped aggregates."
TEST_F(InAHierarchy, GreedyAggregatesTakeFewerIterationsOnAGrid) {
  HierarchyOf greedy(Aggregates::greedy, A.A, paper_parameters());
  HierarchyOf mis2(Aggregates::mis2, A.A, paper_parameters());
  auto const fewer = solve(greedy, A.A, {b.data(), b.size()});
  auto const more = solve(mis2, A.A, {b.data(), b.size()});
  EXPECT_TRUE(fewer.converged && more.converged) << fewer.reason << more.reason;
  EXPECT_LT(fewer.iterations, more.iterations);
  RecordProperty("greedy", fewer.iterations);
  RecordProperty("mis2", more.iterations);
}

}  // namespace
}  // namespace Tessera::papers
