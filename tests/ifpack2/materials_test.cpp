// Materials of nodes, and other ways to judge couplings, as users hand them over.
#include <gtest/gtest.h>

#include <functional>

#include "Tessera_Factory.hpp"
#include "problems.hpp"

namespace Tessera::test {
namespace {

constexpr int side = 16;

struct Materials : testing::Test {
  RCP<Map const> map = uniform_map(side * side);
  SmoothedAggregation<> M{laplacian(map, side)};

  static Teuchos::ParameterList distances(std::string const& metric) {
    Teuchos::ParameterList list("Tessera");
    list.set("coarse: max size", 20).set("aggregation: drop scheme", "distance laplacian");
    list.set("aggregation: drop tol", 0.1).set("aggregation: distance laplacian metric", metric);
    return list;
  }
  std::vector<double> applied() { return applied(M); }
  std::vector<double> applied(SmoothedAggregation<>& M) const {
    M.compute();
    MultiVector Y(map, 1);
    M.apply(*waves(map), Y);
    return values(Y);
  }
  /// Of the points (i mod side, i / side).
  RCP<MultiVector> of_points(
      std::size_t columns, std::function<double(long long x, long long y, std::size_t column)> const& value) {
    auto const X = rcp(new MultiVector(map, columns));
    for (std::size_t j = 0; j < columns; ++j) {
      auto const data = X->getDataNonConst(j);
      for (int i = 0; i < data.size(); ++i) {
        auto const id = map->getGlobalElement(i);
        data[i] = value(id % side, id / side, j);
      }
    }
    return X;
  }
  RCP<MultiVector> points() {
    return of_points(
        2, [](long long x, long long y, std::size_t j) { return static_cast<double>(j == 0 ? x : y); });
  }
  std::string complaint() {
    try {
      M.compute();
    } catch (std::invalid_argument const& error) {
      return error.what();
    }
    return "not refused";
  }
};

TEST_F(Materials, MakeOtherAggregatesWhereAListAsksForThem) {
  M.setCoordinates(points());
  M.setParameters(distances("unweighted"));
  auto const plain = applied();
  auto const two = of_points(1, [](long long x, long long, std::size_t) { return x < side / 2 ? 1.0 : 1e4; });
  M.setMaterial(two);
  EXPECT_EQ(applied(), plain) << "nobody asks for them";
  M.setParameters(distances("material"));
  auto const weighted = applied();
  EXPECT_NE(weighted, plain);

  M.setMaterial(Teuchos::null);
  auto list = distances("material");
  list.sublist("user data").set("Material", two);
  M.setParameters(list);
  EXPECT_EQ(applied(), weighted) << "of the list";
}

TEST_F(Materials, OfOneSortAreNone) {
  M.setCoordinates(points());
  M.setParameters(distances("unweighted"));
  auto const plain = applied();
  M.setParameters(distances("material"));
  M.setMaterial(of_points(1, [](long long, long long, std::size_t) { return 8.0; }));
  EXPECT_EQ(applied(), plain);
  M.setMaterial(
      of_points(4, [](long long, long long, std::size_t j) { return j == 0 || j == 3 ? 0.25 : 0.0; }));
  EXPECT_EQ(applied(), plain) << "the same as a tensor";
}

/// What conducts a hundred times better along x than along y makes every coupling along y weak: what
/// coordinates that are ten times as far apart in y say, too.
TEST_F(Materials, ATensorActsAsAStretchOfTheSpace) {
  M.setParameters(distances("unweighted"));
  M.setCoordinates(of_points(
      2, [](long long x, long long y, std::size_t j) { return static_cast<double>(j == 0 ? x : 10 * y); }));
  auto const stretched = applied();
  M.setCoordinates(points());
  EXPECT_NE(applied(), stretched);
  M.setParameters(distances("material"));
  M.setMaterial(of_points(4, [](long long, long long, std::size_t j) {
    return j == 0 ? 1.0 : j == 3 ? 0.01 : 0.0;
  }));
  EXPECT_EQ(applied(), stretched);
}

TEST_F(Materials, ThatMakeNoDistanceAreRefusedOnAllRanks) {
  M.setParameters(distances("material"));
  M.setCoordinates(points());
  auto const refused = [&](RCP<MultiVector> const& material, std::string const& part) {
    M.setMaterial(material);
    auto const text = complaint();
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  refused(Teuchos::null, "0 numbers of materials for");
  refused(of_points(2, [](long long, long long, std::size_t) { return 1.0; }),
          "2 columns, but coordinates have 2");
  refused(of_points(1, [](long long x, long long y, std::size_t) { return x == 3 && y == 5 ? 0.0 : 1.0; }),
          "the material of node 83 is not positive definite");
  refused(
      of_points(4, [](long long, long long, std::size_t j) { return j == 2   ? 0.5
                                                                    : j == 1 ? 0.25
                                                                             : 1.0; }),
      "is no symmetric tensor");
  refused(of_points(1, [](long long, long long, std::size_t) { return std::nan(""); }), "must be finite");
  M.setCoordinates(Teuchos::null);
  refused(of_points(1, [](long long, long long, std::size_t) { return 1.0; }), "without coordinates");
}

/// A + 100 I: what is smooth is not special, and no level is made.
TEST_F(Materials, RowsThatTheirMassDominatesNeedNoLevels) {
  auto const A = rcp(new CrsMatrix(*laplacian(map, side), Teuchos::Copy));
  A->resumeFill();
  for (int i = 0; map->isNodeLocalElement(i); ++i) {
    auto const id = map->getGlobalElement(i);
    A->sumIntoGlobalValues(id, std::vector<long long>{id}, std::vector<double>{100.0});
  }
  A->fillComplete();
  SmoothedAggregation<> heavy(A);
  Teuchos::ParameterList list("Tessera");
  list.set("coarse: max size", 20).set("aggregation: drop tol", 0.0);
  heavy.setParameters(list);
  auto const plain = applied(heavy);
  list.set("aggregation: row sum drop tol", 0.9);
  heavy.setParameters(list);
  EXPECT_NE(applied(heavy), plain);
  std::ostringstream text;
  heavy.describe(*Teuchos::getFancyOStream(Teuchos::rcpFromRef(text)));
  EXPECT_EQ(text.str().find("Levels: 1\n") != std::string::npos, world()->getRank() == 0) << text.str();
  list.set("number of equations", 2);
  EXPECT_THROW(heavy.setParameters(list), std::invalid_argument);
}

}  // namespace
}  // namespace Tessera::test
