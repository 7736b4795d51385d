// Tessera::Fsai: what it makes, and what it refuses.
#include <gtest/gtest.h>

#include <Teuchos_FancyOStream.hpp>
#include <Teuchos_ParameterList.hpp>
#include <sstream>

#include "Tessera_Details_Preconditioner.hpp"
#include "Tessera_Factory.hpp"
#include "core/error.hpp"
#include "ifpack2/any_operator.hpp"
#include "kinds.hpp"

namespace Tessera::test {
namespace {

constexpr int side = 20;

template <class Call>
std::string refusal(Call const& call) {
  try {
    call();
  } catch (std::exception const& error) {
    return error.what();
  }
  return {};
}

struct SparseInverse : testing::Test {
  RCP<Map const> map = uniform_map(side * side);
  RCP<CrsMatrix> A = laplacian(map, side);
  Fsai<> M{A};

  fsai::Report const& report() { return *M.inPlace()->fsai_report(); }
};

TEST_F(SparseInverse, TheReportCountsPatternAndFactor) {
  Teuchos::ParameterList list;
  list.set("fsai: pattern level", 1).set("fsai: postfilter tolerance", 0.0);
  M.setParameters(list);
  M.compute();
  // The lower triangle of the 5-point star: 1 + (side - 1) + (side - 1) rows at the two sides that have no
  // lower neighbour there.
  long long const lower = side * side + 2LL * side * (side - 1);
  EXPECT_EQ(report().pattern_nonzeros, lower);
  EXPECT_EQ(report().factor_nonzeros, lower);
  EXPECT_EQ(report().nonzeros, 2 * lower - side * side);
  EXPECT_EQ(report().largest_row, 3);
  EXPECT_EQ(report().row_size_histogram,
            (std::vector<GlobalIndex>{1, 2 * (side - 1), (side - 1) * (side - 1)}));
  EXPECT_EQ(M.hierarchyReport(), nullptr);
}

TEST_F(SparseInverse, TheFactorIsTheSameOnAnyNumberOfRanks) {
  Teuchos::ParameterList list;
  list.set("fsai: pattern level", 2);
  M.setParameters(list);
  M.compute();
  RCP<Teuchos::Comm<int> const> const alone = rcp(new Teuchos::MpiComm<int>(MPI_COMM_SELF));
  Fsai<> serial(laplacian(rcp(new Map(side * side, 0, alone)), side));
  serial.setParameters(list);
  serial.compute();
  EXPECT_EQ(report().checksum, serial.inPlace()->fsai_report()->checksum);
}

TEST_F(SparseInverse, AMatrixThatIsNotPositiveDefiniteNamesTheRow) {
  M.setMatrix(laplacian(map, side, 1.0, -3.0));  // 1 on the diagonal, -1 beside it
  auto const text = refusal([&] { M.compute(); });
  EXPECT_NE(text.find("row"), std::string::npos) << text;
  EXPECT_NE(text.find("positive definite"), std::string::npos) << text;
  EXPECT_FALSE(M.isComputed());
}

TEST_F(SparseInverse, RowsOverTheBoundAreCutAndDescribed) {
  Teuchos::ParameterList list;
  list.set("fsai: pattern level", 3).set("fsai: max row size", 4);
  M.setParameters(list);
  M.compute();
  EXPECT_GT(report().cut_rows, 0);
  EXPECT_EQ(report().largest_row, 4);
  std::ostringstream text;
  auto const out = Teuchos::getFancyOStream(Teuchos::rcpFromRef(text));
  M.describe(*out, Teuchos::VERB_LOW);
  auto const words = core::message("rows cut: ", report().cut_rows, ", row bound: 4");
  if (map->getComm()->getRank() == 0) {  // which speaks for all
    EXPECT_NE(text.str().find(words), std::string::npos) << text.str();
  }
}

TEST_F(SparseInverse, ListsOfTheOtherAlgorithmAreRefusedByBothClasses) {
  Teuchos::ParameterList list;
  list.set<std::string>("multigrid algorithm", "sa");
  EXPECT_THROW(M.setParameters(list), core::InvalidInput);
  list.set<std::string>("multigrid algorithm", "fsai");
  EXPECT_NO_THROW(M.setParameters(list));
  SmoothedAggregation<> hierarchy(A);
  auto const text = refusal([&] { hierarchy.setParameters(list); });
  EXPECT_NE(text.find("Tessera::Fsai"), std::string::npos) << text;
}

TEST_F(SparseInverse, TheListDecidesTheClassAndAnOldOneOfTheClassIsKept) {
  Teuchos::ParameterList sa, inverse;
  inverse.set<std::string>("multigrid algorithm", "fsai");
  auto const first = Details::create(inverse, A);
  EXPECT_FALSE(Teuchos::rcp_dynamic_cast<Fsai<>>(first).is_null());
  EXPECT_EQ(Details::create(inverse, A, first).getRawPtr(), first.getRawPtr());
  auto const other = Details::create(sa, A, first);
  EXPECT_FALSE(Teuchos::rcp_dynamic_cast<SmoothedAggregation<>>(other).is_null());
}

TEST_F(SparseInverse, TheFactoryKnowsItsName) {
  for (auto const* name : {"FSAI", "fsai"}) {
    EXPECT_TRUE(Factory::isSupported<RowMatrix>(name));
    EXPECT_FALSE(Teuchos::rcp_dynamic_cast<Fsai<>>(Factory::create<CrsMatrix>(name, A)).is_null());
  }
}

TEST_F(SparseInverse, NearNullspacesChangeNothing) {
  M.compute();
  M.setNearNullspace(rcp(new MultiVector(map, 1)));
  M.setCoordinates(rcp(new MultiVector(map, 2)));
  M.compute();
  EXPECT_NE(M.description().find("refresh"), std::string::npos) << M.description();
}

}  // namespace
}  // namespace Tessera::test
