// Lists, near-nullspaces and classes that differ between ranks: refused on all of them, with one text.
#include <gtest/gtest.h>

#include <Teuchos_CommHelpers.hpp>

#include "core/error.hpp"
#include "kinds.hpp"
#include "tpetra/local_rows.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::test {
namespace {

/// What compute() throws on this rank; "" where it throws nothing.
std::string refusal(Ours& M) {
  try {
    M.compute();
  } catch (core::InvalidInput const& error) {
    return error.what();
  }
  return {};
}

/// Refused on every rank, with one text that holds these parts, unless there is but one rank.
void expect_refused(Ours& M, std::vector<std::string> const& parts) {
  auto const comm = world();
  auto const text = refusal(M);
  if (comm->getSize() == 1) {
    EXPECT_EQ(text, "");
    return;
  }
  for (auto const& part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in: " << text;
  auto const hash = static_cast<long long>(std::hash<std::string>()(text) >> 1);
  long long least = 0, greatest = 0;
  Teuchos::reduceAll(*comm, Teuchos::REDUCE_MIN, hash, Teuchos::outArg(least));
  Teuchos::reduceAll(*comm, Teuchos::REDUCE_MAX, hash, Teuchos::outArg(greatest));
  EXPECT_EQ(least, greatest) << text;
}

struct Agreement : testing::Test {
  static constexpr int side = 12;
  int rank = world()->getRank();
  bool last = rank + 1 == world()->getSize() && rank > 0;
  std::string name_of_last = std::to_string(world()->getSize() - 1);
  RCP<CrsMatrix> A = laplacian(uniform_map(side * side), side);
  SmoothedAggregation<> M{A};
  Teuchos::ParameterList list{"Tessera"};

  Agreement() { list.set("coarse: max size", 20).set("verbosity", "none"); }
};

TEST_F(Agreement, AParameterThatDiffersIsNamedOnAllRanks) {
  auto mine = list;
  if (last) mine.set("max levels", 3);
  M.setParameters(mine);
  expect_refused(M, {"\"max levels\" is 3 on rank " + name_of_last + " and 10 on rank 0", "same list"});
  M.setParameters(list);
  EXPECT_EQ(refusal(M), "");  // and what follows is as if nothing had been
}

TEST_F(Agreement, ListsThatMeanTheSameAreTheSame) {
  if (last) list.set("max levels", 10).set("aggregation: threshold", 0.02);
  M.setParameters(list);
  EXPECT_EQ(refusal(M), "");
}

TEST_F(Agreement, WhichGpuIsEachRanksOwnAffair) {
  list.set("backend: type", "auto");
  M.setParameters(list);
  ASSERT_EQ(refusal(M), "");
  int const own = tpetra::vectors_on_device ? tpetra::node_device() : 0;
  list.set("backend: device", last ? own : -1);
  M.setParameters(list);
  EXPECT_EQ(refusal(M), "");
}

TEST_F(Agreement, ANearNullspaceThatOneRankWasNotGivenIsNamed) {
  M.setParameters(list);
  auto const B = rcp(new MultiVector(A->getRowMap(), 1));
  B->putScalar(1);
  if (!last) M.setNearNullspace(B);
  expect_refused(M, {"\"Nullspace\" is not given on rank " + name_of_last, "of 1 columns on rank 0"});
}

TEST_F(Agreement, ARefreshIsRefusedToo) {
  M.setParameters(list);
  ASSERT_EQ(refusal(M), "");
  if (last) M.setParameters(Teuchos::ParameterList(list).set("reuse: type", "tP"));
  M.setMatrix(laplacian(A->getRowMap(), side, 2));
  expect_refused(M, {"\"reuse: type\" is tP on rank " + name_of_last});
  M.setParameters(list);
  ASSERT_EQ(refusal(M), "");
  if (last) M.setParameters(Teuchos::ParameterList(list).set("chebyshev: degree", 3));
  expect_refused(M, {"\"chebyshev: degree\" is 3"});
}

TEST_F(Agreement, AnotherClassIsNamed) {
  RCP<Ours> mine;
  if (last) {
    mine = rcp(new Fsai<>(A));
  } else {
    mine = rcp(new SmoothedAggregation<>(A));
  }
  expect_refused(*mine, {"\"class\" is Tessera::Fsai on rank " + name_of_last,
                         "Tessera::SmoothedAggregation on rank 0"});
}

}  // namespace
}  // namespace Tessera::test
