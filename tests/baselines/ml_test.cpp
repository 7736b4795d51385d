// ML: the copy in Epetra's format, and the operator that uses it.
#if defined(TESSERA_HAVE_ML)
#include <Epetra_CrsMatrix.h>
#include <Epetra_Vector.h>
#include <gtest/gtest.h>

#include "baselines/laplace.hpp"
#include "core/error.hpp"

namespace Tessera {
namespace {

TEST(EpetraCopy, MultipliesAsTheOriginal) {
  auto const A = test::laplace(17);
  auto const E = baselines::copy_to_epetra(*A);
  baselines::MultiVector x(A->getRowMap(), 1), y(A->getRowMap(), 1);
  x.randomize();
  A->apply(x, y);
  Epetra_Vector u(E->DomainMap()), v(E->RangeMap());
  auto const from = x.getLocalViewHost(Tpetra::Access::ReadOnly);
  for (std::size_t i = 0; i < from.extent(0); ++i) u[i] = from(i, 0);
  E->Multiply(false, u, v);
  auto const exact = y.getLocalViewHost(Tpetra::Access::ReadOnly);
  ASSERT_EQ(static_cast<std::size_t>(v.MyLength()), exact.extent(0));
  for (std::size_t i = 0; i < exact.extent(0); ++i) EXPECT_NEAR(v[i], exact(i, 0), 1e-14) << i;
}

TEST(EpetraCopy, RefusesIndicesBeyond32Bits) {
  using Map = baselines::Matrix::map_type;
  auto const comm = Tpetra::getDefaultComm();
  long long const mine = 3000000000LL + comm->getRank();
  auto const map = Teuchos::rcp(new Map(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(),
                                        Teuchos::ArrayView<long long const>(&mine, 1), 0, comm));
  baselines::Matrix A(map, 1);
  double const one = 1.0;
  A.insertGlobalValues(mine, 1, &one, &mine);
  A.fillComplete();
  EXPECT_THROW(baselines::copy_to_epetra(A), core::InvalidInput);
}

TEST(Ml, ApplyScalesAndAdds) {
  baselines::ProblemData data;
  data.matrix = test::laplace(20);
  auto const M = baselines::make_preconditioner("ML", {}, data).apply;
  auto const map = data.matrix->getRowMap();
  baselines::MultiVector b(map, 2), z(map, 2), y(map, 2);
  b.randomize();
  y.putScalar(std::nan(""));
  M->apply(b, z);
  M->apply(b, y);  // beta = 0 ignores the old values, NaN included
  y.update(-1.0, z, 1.0);
  EXPECT_EQ(y.getVector(0)->norm2() + y.getVector(1)->norm2(), 0.0);
  y.putScalar(1.0);
  M->apply(b, y, Teuchos::NO_TRANS, 2.0, -3.0);
  y.update(-2.0, z, 1.0);
  for (std::size_t j = 0; j < 2; ++j) {
    auto const view = y.getVector(j)->getLocalViewHost(Tpetra::Access::ReadOnly);
    for (std::size_t i = 0; i < view.extent(0); ++i) EXPECT_NEAR(view(i, 0), -3.0, 1e-13);
  }
}

TEST(Ml, ReportsTimeAndBytesOfTheCopy) {
  baselines::ProblemData data;
  data.matrix = test::laplace(40);
  auto const M = baselines::make_preconditioner("ML", {}, data);
  EXPECT_GT(M.conversion_seconds, 0.0);
  // At least eight bytes of value and four bytes of index for each entry of this rank.
  EXPECT_GE(M.conversion_bytes, 12u * data.matrix->getLocalMatrixHost().nnz());
}

TEST(Ml, AnUnknownMethodIsRefused) {
  baselines::ProblemData data;
  data.matrix = test::laplace(4);
  Teuchos::ParameterList list;
  list.set("Base Method Defaults", "SAA");
  EXPECT_THROW(baselines::make_preconditioner("ML", list, data), core::InvalidInput);
}

}  // namespace
}  // namespace Tessera
#endif
