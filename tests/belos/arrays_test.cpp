#include "Tessera_KokkosArrays.hpp"
#include "belos/arrays_checks.hpp"
#include "core/device.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::test {
namespace {

TEST(SolveArrays, SolvesAsATpetraMatrixToTheBit) {
  for (auto const* algorithm : {"sa", "matching", "fsai"}) {
    for (bool const wide : {false, true}) {
      auto const whole = with_our_cg(arrays_list("host", "double", algorithm));
      arrays_solve_as_tpetra(Host{}, laplacian(uniform_map(900), 30), whole, wide);
      arrays_solve_as_tpetra(Host{}, laplacian(scattered_map(900), 30), whole, wide);
    }
  }
}

/// The message of every rank if the arrays of the last rank are wrong.
template <class Spoil>
void expect_refused(Spoil const& spoil, std::string const& text) {
  auto const A = laplacian(uniform_map(900), 30);
  LentMatrix<Host> lent(Host{}, *A, false);
  auto const b = some_numbers(*A->getRowMap());
  std::vector<double> x(b.size(), 7.0);
  double const *b_given = b.data(), *x_given = x.data();
  if (world()->getRank() + 1 == world()->getSize()) spoil(lent, b_given, x_given);
  auto list = arrays_list("host", "double", "sa");
  try {
    solve(lent.arrays, b_given, const_cast<double*>(x_given), list);
    ADD_FAILURE() << "not refused: " << text;
  } catch (core::InvalidInput const& error) {
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
  }
  EXPECT_EQ(x, std::vector<double>(b.size(), 7.0)) << "nothing of the user's is changed";
}

TEST(SolveArrays, MistakesAreRefusedOnAllRanks) {
  using Lent = LentMatrix<Host>;
  using P = double const*;
  expect_refused([](Lent& l, P&, P&) { l.arrays.offsets64 = l.offsets64.data(); }, "leave one of them null");
  expect_refused([](Lent& l, P&, P&) { l.arrays.offsets32 = nullptr; }, "there are no row offsets");
  expect_refused([](Lent& l, P&, P&) { l.arrays.columns = nullptr; }, "is a null pointer");
  expect_refused([](Lent& l, P&, P&) { l.arrays.entries -= 1; }, "end at the");
  expect_refused([](Lent& l, P&, P&) { l.offsets32[2] = 0; }, "do not descend");
  expect_refused([](Lent& l, P&, P&) { l.columns[0] = 1 << 20; }, "local column 1048576");
  expect_refused([](Lent& l, P&, P&) { l.values[3] = std::nan(""); }, "not finite");
  expect_refused([](Lent&, P& b, P&) { b = nullptr; }, "b is a null pointer");
  expect_refused([](Lent&, P&, P& x) { x = nullptr; }, "x is a null pointer");
  expect_refused([](Lent&, P& b, P& x) { b = x; }, "share memory");
}

TEST(SolveArrays, MapsThatDoNotFitAreRefused) {
  auto const A = laplacian(uniform_map(900), 30);
  LentMatrix<Host> const lent(Host{}, *A, false);
  std::vector<double> const b(some_numbers(*A->getRowMap()));
  std::vector<double> x(b.size());
  auto list = arrays_list("host", "double", "sa");
  auto none = lent.arrays, other = lent.arrays;
  none.columnMap = Teuchos::null;
  EXPECT_THROW(solve(none, b.data(), x.data(), list), core::InvalidInput);
  std::vector<long long> backwards;
  for (int i = static_cast<int>(b.size()); i-- > 0;) backwards.push_back(A->getRowMap()->getGlobalElement(i));
  other.columnMap = rcp(new Map(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(),
                                Teuchos::ArrayView<long long const>(backwards), 0, world()));
  EXPECT_THROW(solve(other, b.data(), x.data(), list), core::InvalidInput);
}

TEST(SolveArrays, ThePreconditionerAloneIsThatOfTpetra) {
  for (auto const* precision : {"double", "float"})
    arrays_apply_as_tpetra(Host{}, arrays_list("host", precision, "sa"));
}

TEST(SolveArrays, WithoutAPreconditionerNothingIsApplied) {
  LentMatrix<Host> const lent(Host{}, *laplacian(uniform_map(900), 30), false);
  std::vector<double> const b(lent.arrays.rowMap->getNodeNumElements(), 1.0);
  std::vector<double> x(b.size());
  Teuchos::ParameterList list;
  list.set("Preconditioner Type", "None");
  ArraysSolver solver(lent.arrays, list);
  EXPECT_THROW(solver.apply(b.data(), x.data()), core::InvalidInput);
}

TEST(SolveArrays, RefreshedValuesGiveWhatASetupGives) {
  for (auto const* algorithm : {"sa", "matching", "fsai"}) arrays_refresh_as_setup(Host{}, "host", algorithm);
}

TEST(SolveArrays, AfterAFailedRefreshTheNextOneIsASetup) {
  for (auto const* algorithm : {"sa", "matching", "fsai"})
    arrays_set_up_after_a_failed_refresh(Host{}, "host", algorithm);
}

TEST(SolveArrays, ValuesThatAreRefusedLeaveTheSolverAsItWas) {
  auto const A = laplacian(uniform_map(900), 30);
  LentMatrix<Host> const lent(Host{}, *A, false);
  auto const b = some_numbers(*A->getRowMap());
  std::vector<double> first(b.size()), again(b.size());
  auto list = arrays_list("host", "float", "sa");
  ArraysSolver solver(lent.arrays, list);
  solver.solve(b.data(), first.data());
  std::vector<double> bad(lent.values.data(), lent.values.data() + lent.arrays.entries);
  if (world()->getRank() + 1 == world()->getSize()) bad.back() = std::nan("");
  EXPECT_THROW(solver.refresh(bad.data()), core::InvalidInput);
  EXPECT_THROW(solver.refresh(nullptr), core::InvalidInput);
  EXPECT_TRUE(solver.solve(b.data(), again.data()).converged);
  EXPECT_EQ(again, first);
}

char const* const node_backend = tpetra::vectors_on_device ? "cuda" : "host";

// On a node of Kokkos::Cuda the same lines give the arrays of a GPU.
TEST(KokkosArrays, SolveLikeTheirMatrix) {
  auto const A = laplacian(scattered_map(900), 30);
  auto const numbers = some_numbers(*A->getRowMap());
  MultiVector b(A->getRowMap(), 1), expected(A->getRowMap(), 1), x(A->getRowMap(), 1);
  for (std::size_t i = 0; i < numbers.size(); ++i) b.replaceLocalValue(static_cast<int>(i), 0, numbers[i]);
  auto list = with_our_cg(arrays_list(node_backend, "double", "sa")), same = list;
  solve(RCP<RowMatrix const>(A), b, expected, same);
  ArraysSolver solver(arraysOf(*A), list);
  EXPECT_TRUE(solve(solver, b, x).converged);
  auto const found = x.getLocalViewHost(Tpetra::Access::ReadOnly);
  auto const wanted = expected.getLocalViewHost(Tpetra::Access::ReadOnly);
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(found(i, 0), wanted(i, 0)) << "row " << i;
}

TEST(KokkosArrays, WhatDoesNotFitIsRefused) {
  auto const A = laplacian(uniform_map(900), 30);
  auto list = arrays_list(node_backend, "double", "sa");
  ArraysSolver solver(arraysOf(*A), list);
  MultiVector two(A->getRowMap(), 2), one(A->getRowMap(), 1), other(uniform_map(901), 1);
  EXPECT_THROW(solve(solver, two, two), std::invalid_argument);
  EXPECT_THROW(solve(solver, one, other), core::InvalidInput);
  A->resumeFill();
  EXPECT_THROW(arraysOf(*A), std::invalid_argument);
}

TEST(SolveArrays, AMissingGpuIsReported) {
  if (core::cuda_unavailable_reason().empty()) GTEST_SKIP() << "there is a GPU";
  auto const A = laplacian(uniform_map(900), 30);
  LentMatrix<Host> const lent(Host{}, *A, false);
  std::vector<double> const b(some_numbers(*A->getRowMap()));
  std::vector<double> x(b.size());
  auto list = arrays_list("cuda", "double", "sa");
  EXPECT_THROW(solve(lent.arrays, b.data(), x.data(), list), core::Unavailable);
}

}  // namespace
}  // namespace Tessera::test
