// One call that makes a preconditioner, as MueLu has it.
#include "Tessera_CreateTpetraPreconditioner.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "kinds.hpp"

namespace Tessera::test {
namespace {

constexpr int side = 20;

/// As its author wrote it for MueLu.
Teuchos::ParameterList list_for_muelu() {
  Teuchos::ParameterList list;
  list.set("multigrid algorithm", "sa")
      .set("smoother: type", "CHEBYSHEV")
      .set("coarse: type", "KLU2")
      .set("coarse: max size", 30)
      .set("transpose: use implicit", true)
      .set("verbosity", "none");
  return list;
}

RCP<Ours> by_class(RCP<RowMatrix const> const& A, RCP<MultiVector const> const& nullspace = Teuchos::null) {
  auto const M = rcp(new SmoothedAggregation<>(A));
  Teuchos::ParameterList list;
  list.set("coarse: max size", 30).set("verbosity", "none");
  M->setParameters(list);
  if (!nullspace.is_null()) M->setNearNullspace(nullspace);
  M->compute();
  return M;
}

struct InOneCall : testing::Test {
  RCP<Map const> map = uniform_map(side * side);
  RCP<CrsMatrix> A = laplacian(map, side);
};

TEST_F(InOneCall, ThePreconditionerIsThatOfItsClass) {
  auto const list = list_for_muelu();
  auto const before = list;
  auto const M = createTpetraPreconditioner(A, list);
  EXPECT_TRUE(M->isComputed());
  EXPECT_EQ(applied(*M), applied(*by_class(A)));
  EXPECT_TRUE(Teuchos::haveSameValues(list, before)) << "changed";
}

TEST_F(InOneCall, VectorsAreTaken) {
  auto const nullspace = waves(map);
  auto const M = createTpetraPreconditioner(A, list_for_muelu(), Teuchos::null, nullspace);
  EXPECT_EQ(applied(*M), applied(*by_class(A, nullspace)));
  EXPECT_NE(applied(*M), applied(*by_class(A)));
  auto list = list_for_muelu();
  list.set("aggregation: drop scheme", "distance laplacian").set("aggregation: drop tol", 0.02);
  EXPECT_THROW(createTpetraPreconditioner(A, list), std::invalid_argument) << "no coordinates";
  MultiVector points(map, 2);
  for (int local = 0; map->isNodeLocalElement(local); ++local) {
    auto const row = map->getGlobalElement(local);
    points.replaceLocalValue(local, 0, static_cast<double>(row % side));
    points.replaceLocalValue(local, 1, static_cast<double>(row / side));
  }
  EXPECT_TRUE(createTpetraPreconditioner(A, list, Teuchos::rcpFromRef(points))->isComputed());
}

TEST_F(InOneCall, AListMayBeAFile) {
  auto const file = testing::TempDir() + "tessera_create_test.xml";
  if (world()->getRank() == 0) {
    std::ofstream out(file);
    out << "<ParameterList name=\"MueLu\">\n"
           "  <Parameter name=\"coarse: max size\" type=\"int\" value=\"30\"/>\n"
           "  <Parameter name=\"verbosity\" type=\"string\" value=\"none\"/>\n"
           "</ParameterList>\n";
  }
  EXPECT_EQ(applied(*createTpetraPreconditioner(A, file)), applied(*by_class(A)));
  world()->barrier();
  if (world()->getRank() == 0) std::remove(file.c_str());
  EXPECT_THROW(createTpetraPreconditioner(A, std::string("/no/such/file.xml")), std::invalid_argument);
}

TEST_F(InOneCall, ReuseIsARefreshOrAsTheListSays) {
  auto list = list_for_muelu();
  auto const M = createTpetraPreconditioner(A, list);
  A->resumeFill();
  A->scale(2);
  A->fillComplete();
  reuseTpetraPreconditioner(A, *M);
  EXPECT_EQ(M->lastCompute().find("refresh"), 0u) << M->lastCompute();
  EXPECT_EQ(applied(*M), applied(*by_class(A)));
  auto const another = laplacian(map, side, 3);
  reuseTpetraPreconditioner(another, *M);
  EXPECT_EQ(M->lastCompute(), "setup");
  list.set("reuse: type", "tP");
  M->setParameters(list);
  reuseTpetraPreconditioner(another, *M);
  reuseTpetraPreconditioner(A, *M);
  EXPECT_EQ(M->lastCompute().find("refresh"), 0u) << M->lastCompute();
  EXPECT_EQ(applied(*M), applied(*by_class(A)));
}

TEST_F(InOneCall, WhatIsNoMatrixIsRefused) {
  auto const M = createTpetraPreconditioner(A, list_for_muelu());
  EXPECT_THROW(createTpetraPreconditioner(Teuchos::null), std::invalid_argument);
  EXPECT_THROW(createTpetraPreconditioner(M), std::invalid_argument);
  EXPECT_THROW(reuseTpetraPreconditioner(M, *M), std::invalid_argument);
  Teuchos::ParameterList slip;
  slip.set("smother: type", "CHEBYSHEV");
  EXPECT_THROW(createTpetraPreconditioner(A, slip), std::invalid_argument);
}

}  // namespace
}  // namespace Tessera::test
