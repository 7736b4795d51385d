// Sparse direct solvers of Amesos2's on the coarsest level.
#include <gtest/gtest.h>

#include <cstdio>
#include <sstream>

#include "Tessera_CreateTpetraPreconditioner.hpp"
#include "core/error.hpp"
#include "kinds.hpp"
#include "support/thrown.hpp"

namespace Tessera::test {
namespace {

constexpr int side = 60;

Teuchos::ParameterList list_with(char const* coarse, int size = 1500) {
  Teuchos::ParameterList list("list.xml");
  list.set("coarse: type", coarse).set("coarse: max size", size).set("verbosity", "none");
  list.set("precision: hierarchy", "double");
  return list;
}

double distance(Ours const& M, Ours const& N, MultiVector const& x) {
  MultiVector y(x.getMap(), x.getNumVectors()), z(x.getMap(), x.getNumVectors());
  M.apply(x, y);
  N.apply(x, z);
  double const size = y.getVector(0)->normInf();
  y.update(-1, z, 1);
  return y.getVector(0)->normInf() / size;
}

/// 3600 rows and some 450: the dense inverse and the factors do the same on any number of ranks.
TEST(Amesos2, ADirectSolverDoesWhatTheDenseInverseDoes) {
  for (auto const& map : {uniform_map(side * side), scattered_map(side * side)}) {
    auto const A = laplacian(map, side);
    auto const dense = createTpetraPreconditioner(A, list_with("dense"));
    auto const direct = createTpetraPreconditioner(A, list_with("amesos2"));
    EXPECT_LT(distance(*dense, *direct, *waves(map, 2)), 1e-11);
  }
}

TEST(Amesos2, AMatrixAloneIsSolved) {
  auto const map = uniform_map(side * side);
  auto const A = laplacian(map, side);
  auto const M = createTpetraPreconditioner(A, list_with("amesos2", 5000));
  auto const b = waves(map);
  MultiVector x(map, 1), r(*b, Teuchos::Copy);
  M->apply(*b, x);
  A->apply(x, r, Teuchos::NO_TRANS, -1, 1);
  EXPECT_LT(r.getVector(0)->normInf(), 1e-11 * b->getVector(0)->norm1());
}

TEST(Amesos2, VectorsInFloatAreSolvedInDouble) {
  auto const map = uniform_map(side * side);
  auto const A = laplacian(map, side);
  auto list = list_with("amesos2");
  list.set("precision: hierarchy", "float");
  auto const M = createTpetraPreconditioner(A, list);
  EXPECT_LT(distance(*createTpetraPreconditioner(A, list_with("amesos2")), *M, *waves(map)), 1e-4);
}

TEST(Amesos2, NewValuesAreFactored) {
  auto const map = uniform_map(side * side);
  auto const A = laplacian(map, side), B = laplacian(map, side, 3, 0.5);
  auto list = list_with("amesos2");
  list.set("reuse: type", "tP").set("reuse: prepare refresh", "first");
  auto const M = createTpetraPreconditioner(A, list);
  for (int k = 0; k < 2; ++k) {
    reuseTpetraPreconditioner(B, *M);
    list.set("coarse: type", "dense");
    auto const dense = createTpetraPreconditioner(A, list);
    reuseTpetraPreconditioner(B, *dense);
    EXPECT_LT(distance(*dense, *M, *waves(map)), 1e-11);
    reuseTpetraPreconditioner(A, *M);
  }
}

TEST(Amesos2, ASingularMatrixIsRefusedOnAllRanks) {
  auto const map = uniform_map(side * side);
  auto const A = laplacian(map, side);
  make_singular(*A, side);
  auto const text =
      thrown<core::NumericalError>([&] { createTpetraPreconditioner(A, list_with("amesos2")); });
  EXPECT_NE(text.find("KLU2"), std::string::npos) << text;
  EXPECT_NE(text.find("`coarse: type` = dense"), std::string::npos) << text;
  EXPECT_NO_THROW(createTpetraPreconditioner(A, list_with("dense")));
}

/// None of Debian's has it.
TEST(Amesos2, ASolverThatTrilinosDoesNotHaveIsAnsweredByThoseItHas) {
  auto list = list_with("amesos2");
  list.sublist("coarse: params").set("coarse: direct solver", "MUMPS");
  auto const text = thrown<core::Unavailable>(
      [&] { createTpetraPreconditioner(laplacian(uniform_map(side * side), side), list); });
  EXPECT_NE(text.find("`coarse: direct solver` = MUMPS"), std::string::npos) << text;
  EXPECT_NE(text.find("KLU2"), std::string::npos) << text;
}

TEST(Amesos2, ADirectSolverIsNotNamedBesideAnother) {
  auto list = list_with("dense");
  list.sublist("coarse: params").set("coarse: direct solver", "KLU2");
  EXPECT_THROW(createTpetraPreconditioner(laplacian(uniform_map(100), 10), list), core::InvalidInput);
}

TEST(Amesos2, FactorsAreNotSaved) {
  auto const M = createTpetraPreconditioner(laplacian(uniform_map(side * side), side), list_with("amesos2"));
  auto const text = thrown<std::invalid_argument>([&] { M->save("never-written.tessera"); });
  EXPECT_NE(text.find("Amesos2"), std::string::npos) << text;
  EXPECT_EQ(std::fopen("never-written.tessera", "r"), nullptr);
}

/// tests/ifpack2/cudss_cuda_test.cpp has what it does on a GPU.
TEST(Cudss, OnTheHostItIsRefusedOnAllRanks) {
  auto list = list_with("cudss");
  list.set("backend: type", "host");
  auto const text = thrown<core::Unavailable>(
      [&] { createTpetraPreconditioner(laplacian(uniform_map(side * side), side), list); });
  EXPECT_NE(text.find("`coarse: type` = cudss"), std::string::npos) << text;
  EXPECT_NE(text.find("on the host"), std::string::npos) << text;
}

TEST(Amesos2, ReportsNameTheSolver) {
  auto const M = createTpetraPreconditioner(laplacian(uniform_map(side * side), side), list_with("amesos2"));
  std::ostringstream text;
  Teuchos::FancyOStream out(Teuchos::rcpFromRef(text));
  M->describe(out);
  bool const speaks = world()->getRank() == 0;
  EXPECT_EQ(text.str().find("KLU2 (Amesos2)") != std::string::npos, speaks) << text.str();
}

}  // namespace
}  // namespace Tessera::test
