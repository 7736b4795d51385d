// cuDSS on the coarsest level if its library is found; otherwise the error message.
#include <gtest/gtest.h>

#include "Tessera_CreateTpetraPreconditioner.hpp"
#include "core/error.hpp"
#include "core/space.hpp"
#include "kinds.hpp"
#include "sparse/engine/direct/direct_solver.hpp"
#include "support/device.hpp"
#include "support/thrown.hpp"

namespace Tessera::test {
namespace {

constexpr int side = 60;

Teuchos::ParameterList list_with(char const* coarse, int size = 1500, char const* backend = "cuda") {
  Teuchos::ParameterList list("list.xml");
  list.set("coarse: type", coarse).set("coarse: max size", size).set("verbosity", "none");
  list.set("precision: hierarchy", "double").set("backend: type", backend);
  return list;
}

/// Why cuDSS cannot be had; empty where it can.
std::string why_no_cudss() {
  try {
    sparse::cudss_solvers<Cuda>();
    return {};
  } catch (core::Unavailable const& error) {
    return error.what();
  }
}

std::vector<double> of_columns(Ours const& M, MultiVector const& x) {
  MultiVector y(x.getMap(), x.getNumVectors());
  M.apply(x, y);
  return values(y);
}

double distance(std::vector<double> const& a, std::vector<double> const& b) {
  double apart = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    apart = std::max(apart, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return apart > 0 ? apart / size : apart;  // a rank may have no rows
}

struct CudssOnCuda : testing::Test {
  void SetUp() override {
    TESSERA_SKIP_WITHOUT_DEVICE();
    if (auto const why = why_no_cudss(); !why.empty()) GTEST_SKIP() << why;
  }
  RCP<Map const> map = uniform_map(side * side);
  RCP<CrsMatrix> A = laplacian(map, side);
};

TEST(CudssOnNoMachine, IsSaidToBeMissingOnAllRanks) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const why = why_no_cudss();
  if (why.empty()) GTEST_SKIP() << "there is a cuDSS";
  auto const map = uniform_map(side * side);
  auto const text = thrown<core::Unavailable>(
      [&] { createTpetraPreconditioner(laplacian(map, side), list_with("cudss")); });
  EXPECT_NE(text.find("libcudss.so.1"), std::string::npos) << text;
}

TEST_F(CudssOnCuda, DoesWhatTheDenseInverseDoesAndTwiceTheSame) {
  for (auto const& rows : {map, scattered_map(side * side)}) {
    auto const of_rows = laplacian(rows, side);
    auto const dense = createTpetraPreconditioner(of_rows, list_with("dense"));
    auto const direct = createTpetraPreconditioner(of_rows, list_with("cudss"));
    auto const again = createTpetraPreconditioner(of_rows, list_with("cudss"));
    auto const x = waves(rows, 2);
    EXPECT_LT(distance(of_columns(*direct, *x), of_columns(*dense, *x)), 1e-11);
    EXPECT_EQ(of_columns(*direct, *x), of_columns(*again, *x));
  }
}

TEST_F(CudssOnCuda, DoesWhatAmesos2Does) {
  auto const x = waves(map);
  EXPECT_LT(distance(of_columns(*createTpetraPreconditioner(A, list_with("cudss")), *x),
                     of_columns(*createTpetraPreconditioner(A, list_with("amesos2")), *x)),
            1e-11);
}

TEST_F(CudssOnCuda, AMatrixAloneIsSolved) {
  auto const M = createTpetraPreconditioner(A, list_with("cudss", 5000));
  auto const b = waves(map);
  MultiVector x(map, 1), r(*b, Teuchos::Copy);
  M->apply(*b, x);
  A->apply(x, r, Teuchos::NO_TRANS, -1, 1);
  EXPECT_LT(r.getVector(0)->normInf(), 1e-11 * b->getVector(0)->norm1());
}

TEST_F(CudssOnCuda, VectorsInFloatAreSolvedInDouble) {
  auto list = list_with("cudss");
  auto const x = waves(map);
  auto const in_double = of_columns(*createTpetraPreconditioner(A, list), *x);
  list.set("precision: hierarchy", "float");
  EXPECT_LT(distance(of_columns(*createTpetraPreconditioner(A, list), *x), in_double), 1e-4);
}

TEST_F(CudssOnCuda, AColumnDoesNotDependOnItsNeighbours) {
  auto const M = createTpetraPreconditioner(A, list_with("cudss"));
  auto const x = waves(map, 5);
  auto const all = of_columns(*M, *x);
  std::size_t const rows = map->getNodeNumElements();
  for (std::size_t c = 0; c < 5; ++c) {
    std::vector<double> const of_all(all.begin() + c * rows, all.begin() + (c + 1) * rows);
    EXPECT_EQ(of_columns(*M, MultiVector(*x->getVector(c), Teuchos::Copy)), of_all) << "column " << c;
  }
}

TEST_F(CudssOnCuda, NewValuesAreFactored) {
  auto const B = laplacian(map, side, 3, 0.5);
  auto direct_list = list_with("cudss"), dense_list = list_with("dense");
  for (auto* list : {&direct_list, &dense_list})
    list->set("reuse: type", "tP").set("reuse: prepare refresh", "first");
  auto const direct = createTpetraPreconditioner(A, direct_list);
  auto const dense = createTpetraPreconditioner(A, dense_list);
  auto const x = waves(map);
  auto const before = of_columns(*direct, *x);
  for (auto const& matrix : {B, A, B}) {
    reuseTpetraPreconditioner(matrix, *direct);
    reuseTpetraPreconditioner(matrix, *dense);
    EXPECT_LT(distance(of_columns(*direct, *x), of_columns(*dense, *x)), 1e-11);
  }
  reuseTpetraPreconditioner(A, *direct);
  EXPECT_EQ(of_columns(*direct, *x), before);
}

TEST_F(CudssOnCuda, ASingularMatrixIsRefusedOnAllRanks) {
  make_singular(*A, side);
  auto const text = thrown<core::NumericalError>([&] { createTpetraPreconditioner(A, list_with("cudss")); });
  EXPECT_NE(text.find("cuDSS"), std::string::npos) << text;
  EXPECT_NE(text.find("`coarse: type` = dense"), std::string::npos) << text;
}

TEST_F(CudssOnCuda, OnTheHostItIsRefused) {
  auto const text =
      thrown<core::Unavailable>([&] { createTpetraPreconditioner(A, list_with("cudss", 1500, "host")); });
  EXPECT_NE(text.find("on the host"), std::string::npos) << text;
}

}  // namespace
}  // namespace Tessera::test
