// Parameters, near-nullspace and coordinates as users hand them over; names of the factory; bad input.
#include <gtest/gtest.h>

#include <Ifpack2_AdditiveSchwarz.hpp>
#include <algorithm>
#include <limits>

#include "Tessera_Factory.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "galerkin/rigid_body_modes.hpp"
#include "problems.hpp"
#include "settings/settings.hpp"

namespace Tessera::test {
namespace {

constexpr int side = 16;

struct Input : testing::Test {
  RCP<Map const> map = uniform_map(side * side);
  RCP<CrsMatrix> A = laplacian(map, side);
  SmoothedAggregation<> M{A};

  std::vector<double> applied(SmoothedAggregation<>& preconditioner) const {
    preconditioner.compute();
    MultiVector Y(map, 1);
    preconditioner.apply(*waves(map), Y);
    return values(Y);
  }
  /// Some vector in which no two neighbours are equal.
  RCP<MultiVector const> nullspace(RCP<Map const> const& where, int columns = 1) const {
    return waves(where, columns);
  }
};

Teuchos::ParameterList small() {
  Teuchos::ParameterList list("a.xml->Tessera");
  list.set("coarse: max size", 20);
  return list;
}

template <class Exception, class Call>
std::string message(Call const& call) {
  try {
    call();
  } catch (Exception const& error) {
    return error.what();
  }
  ADD_FAILURE() << "not refused";
  return "";
}

TEST_F(Input, ARefusedListLeavesEverythingAsItWas) {
  auto list = small();
  list.set<std::string>("precision: hierarchy", "double");
  M.setParameters(list);
  auto const before = applied(M);
  auto const description = M.description();
  auto bad = small();
  bad.set("chebyshev: degree", 4).set("chebyshev: degre", 5);
  EXPECT_THROW(M.setParameters(bad), std::invalid_argument);
  EXPECT_TRUE(M.isComputed());
  EXPECT_EQ(M.description(), description);
  M.initialize();
  EXPECT_EQ(applied(M), before);
}

TEST_F(Input, ATypoNamesThePathAndTheParameterMeant) {
  auto bad = small();
  bad.set("smother: type", "CHEBYSHEV");
  auto const text = message<std::invalid_argument>([&] { M.setParameters(bad); });
  EXPECT_NE(text.find("a.xml->Tessera -> \"smother: type\""), std::string::npos) << text;
  EXPECT_NE(text.find("did you mean \"smoother: type\"?"), std::string::npos) << text;
}

TEST_F(Input, CudaThatCannotBeHadIsRefusedWithTheReason) {
  auto list = small();
  list.set<std::string>("backend: type", "cuda");
  if (core::cuda_unavailable_reason().empty()) GTEST_SKIP() << "there is a device";
  auto const text = message<core::Unavailable>([&] { M.setParameters(list); });
  EXPECT_NE(text.find("`backend: type` is cuda, but " + core::cuda_unavailable_reason()), std::string::npos)
      << text;
  EXPECT_NE(text.find("host"), std::string::npos) << text;
}

TEST_F(Input, ValidParametersDocumentEverything) {
  auto const valid = M.getValidParameters();
  EXPECT_TRUE(valid->isParameter("aggregation: drop tol"));
  EXPECT_FALSE(valid->getEntry("aggregation: drop tol").docString().empty());
}

TEST_F(Input, TheNullspaceOfTheListIsThatOfTheSetter) {
  SmoothedAggregation<> other(A);
  M.setParameters(small());
  M.setNearNullspace(nullspace(map));
  auto list = small();
  list.sublist("user data").set("Nullspace", nullspace(map));
  other.setParameters(list);
  EXPECT_EQ(applied(M), applied(other));
  SmoothedAggregation<> changeable(A);
  list.sublist("user data").set("Nullspace", Teuchos::rcp_const_cast<MultiVector>(nullspace(map)));
  changeable.setParameters(list);
  EXPECT_EQ(applied(M), applied(changeable));
}

TEST_F(Input, ANewNullspaceCountsAtTheNextCompute) {
  M.setParameters(small());
  auto const constants = applied(M);
  M.setNearNullspace(nullspace(map));
  EXPECT_NE(applied(M), constants);
  M.setNearNullspace(Teuchos::null);
  EXPECT_EQ(applied(M), constants);
}

TEST_F(Input, CoordinatesOfElasticityMeanRigidBodyModes) {
  auto const nodes = uniform_map(side * side / 2);
  auto const invalid = Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid();
  map = rcp(new Map(invalid, 2 * MultiVector(nodes, 1).getLocalLength(), 0, world()));  // two unknowns a node
  SmoothedAggregation<> elastic(laplacian(map, side));
  auto const coordinates = waves(nodes, 2);
  auto list = small();
  list.set("number of equations", 2);
  elastic.setParameters(list);
  auto const constants = applied(elastic);
  elastic.setCoordinates(coordinates);
  auto const from_coordinates = applied(elastic);
  EXPECT_NE(from_coordinates, constants);

  std::vector<double> points;
  for (int node = 0; nodes->isNodeLocalElement(node); ++node) {
    for (int axis = 0; axis < 2; ++axis) points.push_back(coordinates->getData(axis)[node]);
  }
  auto const modes = galerkin::rigid_body_modes(comm::Communicator(MPI_COMM_WORLD), points, 2);
  auto const B = rcp(new MultiVector(map, 3));
  for (int row = 0; map->isNodeLocalElement(row); ++row) {
    for (int mode = 0; mode < 3; ++mode) B->replaceLocalValue(row, mode, modes[3 * row + mode]);
  }
  elastic.setNearNullspace(B);
  EXPECT_EQ(applied(elastic), from_coordinates);
}

TEST_F(Input, OursIsAnInnerSolverOfSchwarz) {
  Ifpack2::AdditiveSchwarz<RowMatrix> schwarz(A);
  auto const inner = rcp(new SmoothedAggregation<>(Teuchos::null));
  inner->setParameters(small());
  schwarz.setInnerPreconditioner(inner);
  schwarz.initialize();
  schwarz.compute();
  MultiVector Y(map, 1);
  auto const X = waves(map);
  schwarz.apply(*X, Y);
  EXPECT_TRUE(inner->isComputed());
  EXPECT_EQ(inner->getNumApply(), 1);
  EXPECT_GT(dot(*X, Y), 0);
}

TEST_F(Input, UserDataOfOtherNamesAndTypesIsRefused) {
  auto list = small();
  list.sublist("user data").set("Nulspace", nullspace(map));
  auto const typo = message<std::invalid_argument>([&] { M.setParameters(list); });
  EXPECT_NE(typo.find("did you mean \"Nullspace\"?"), std::string::npos) << typo;
  auto wrong = small();
  wrong.sublist("user data").set("Coordinates", 3.0);
  auto const type = message<std::invalid_argument>([&] { M.setParameters(wrong); });
  EXPECT_NE(type.find("\"Coordinates\" has type double"), std::string::npos) << type;
}

TEST_F(Input, VectorsOfTheWrongLengthAreRefusedOnAllRanks) {
  M.setNearNullspace(nullspace(uniform_map(side * side + 1)));
  auto const text = message<std::invalid_argument>([&] { M.compute(); });
  EXPECT_NE(text.find("near-nullspace"), std::string::npos) << text;
  EXPECT_FALSE(M.isComputed());
  EXPECT_FALSE(M.isInitialized());
  M.setNearNullspace(Teuchos::null);
  EXPECT_NO_THROW(M.compute());
}

TEST_F(Input, ANanInTheCoordinatesIsRefusedOnAllRanks) {
  auto const coordinates = waves(map, 2);
  if (world()->getRank() == 0) coordinates->replaceLocalValue(3, 1, std::numeric_limits<double>::quiet_NaN());
  M.setCoordinates(coordinates);
  auto const text = message<std::invalid_argument>([&] { M.compute(); });
  EXPECT_NE(text.find("row 3, column 1"), std::string::npos) << text;
}

TEST_F(Input, ValuesOutOfTheRangeOfFloatNeedDouble) {
  for (double const scale : {1e40, 1e-40}) {
    SmoothedAggregation<> far(laplacian(map, side, scale));
    auto list = small();
    far.setParameters(list);
    auto const text = message<std::invalid_argument>([&] { far.compute(); });
    EXPECT_NE(text.find("precision: hierarchy"), std::string::npos) << text;
    list.set<std::string>("precision: hierarchy", "double");
    far.setParameters(list);
    auto const result = applied(far);
    EXPECT_TRUE(std::all_of(result.begin(), result.end(), [](double x) { return std::isfinite(x); }));
  }
}

TEST_F(Input, ANearNullspaceWithAColumnOfZerosIsRefusedOnAllRanks) {
  auto const B = waves(map, 2);
  M.setNearNullspace(B);
  EXPECT_NO_THROW(M.compute());
  B->getVectorNonConst(1)->putScalar(0.0);
  M.setNearNullspace(rcp(new MultiVector(*B, Teuchos::Copy)));
  auto const text = message<std::invalid_argument>([&] { M.compute(); });
  EXPECT_NE(text.find("the near-nullspace is zero in column 1"), std::string::npos) << text;
  if (world()->getRank() == 0) B->replaceLocalValue(3, 1, 1e-3);  // zero on the other ranks only
  M.setNearNullspace(rcp(new MultiVector(*B, Teuchos::Copy)));
  EXPECT_NO_THROW(M.compute());
}

TEST_F(Input, NoRowsAreAMatrixTooWhateverTheMap) {
  auto const invalid = Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid();
  auto const none = Teuchos::ArrayView<long long const>();
  for (auto const& empty :
       {rcp(new Map(0, 0, world())), rcp(new Map(0, none, 0, world())),
        rcp(new Map(invalid, none, 0, world())), rcp(new Map(invalid, std::size_t{0}, 0, world()))}) {
    auto const matrix = rcp(new CrsMatrix(empty, 1));
    matrix->fillComplete();
    for (auto const* name : {"SA-AMG", "FSAI"}) {
      auto const preconditioner = Factory::create<CrsMatrix>(name, matrix);
      EXPECT_NO_THROW(preconditioner->compute()) << name;
      MultiVector X(empty, 2), Y(empty, 2);
      EXPECT_NO_THROW(preconditioner->apply(X, Y)) << name;
    }
  }
}

TEST_F(Input, RowsThatAreNoWholeNodesAreRefusedOnAllRanks) {
  auto list = small();
  list.set("number of equations", 7);
  M.setParameters(list);
  auto const text = message<std::invalid_argument>([&] { M.compute(); });
  EXPECT_NE(text.find("`number of equations` = 7"), std::string::npos) << text;
}

TEST_F(Input, AMatrixThatIsNotFillCompleteIsRefused) {
  A->resumeFill();
  EXPECT_THROW(M.compute(), std::invalid_argument);
  EXPECT_FALSE(M.isComputed());
  A->fillComplete();
  EXPECT_NO_THROW(M.compute());
}

TEST(FactoryNames, OursComeFirstAndIfpack2sFollow) {
  auto const A = laplacian(uniform_map(side * side), side);
  RCP<RowMatrix const> const matrix = A;
  for (auto const* name : {"SA-AMG", "sa-amg", "Smoothed Aggregation", "Tessera"}) {
    EXPECT_TRUE(Factory::isSupported<RowMatrix>(name)) << name;
    auto const M = Factory::create<RowMatrix>(name, matrix);
    EXPECT_FALSE((Teuchos::rcp_dynamic_cast<SmoothedAggregation<>>(M)).is_null()) << name;
  }
  EXPECT_TRUE(Factory::isSupported<RowMatrix>("CHEBYSHEV"));
  auto const theirs = Factory::create<RowMatrix>("Chebyshev", matrix);
  EXPECT_EQ(theirs->description().find("\"Ifpack2::Chebyshev\""), 0u);
  EXPECT_FALSE(Factory::isSupported<RowMatrix>("no such thing"));
  auto const text =
      message<std::invalid_argument>([&] { Factory::create<RowMatrix>("no such thing", matrix); });
  EXPECT_NE(text.find("SA-AMG"), std::string::npos);
}

TEST(FactoryNames, EveryMethodHasItsClass) {
  for (auto const& method : settings::methods()) {
    for (auto const& key : method.keys) {
      auto const M = Factory::create<RowMatrix>(key, Teuchos::null, 0);
      EXPECT_EQ(M->description().find("\"" + method.name + "\": {"), 0u) << key << M->description();
    }
  }
}

TEST(FactoryNames, CrsMatricesAndNullAreTaken) {
  RCP<CrsMatrix const> const A = laplacian(uniform_map(side * side), side);
  auto const M = Factory::create("SA-AMG", A);
  M->compute();
  EXPECT_TRUE(M->isComputed());
  auto const empty = Factory::create<RowMatrix>("SA-AMG", Teuchos::null, 0);
  EXPECT_TRUE(empty->getMatrix().is_null());
}

}  // namespace
}  // namespace Tessera::test
