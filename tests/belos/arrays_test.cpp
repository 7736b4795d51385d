#include "belos/arrays_checks.hpp"
#include "core/device.hpp"

namespace Tessera::test {
namespace {

TEST(SolveArrays, SolvesAsATpetraMatrixToTheBit) {
  for (auto const* algorithm : {"sa", "matching", "fsai"}) {
    for (bool const wide : {false, true}) {
      auto list = arrays_list("host", "double", algorithm);
      Teuchos::ParameterList whole;
      whole.set("Linear Solver Type", "Belos").set("Preconditioner Type", "Tessera");
      whole.sublist("Linear Solver Types").sublist("Belos").set("Solver Type", "TESSERA CG");
      whole.sublist("Preconditioner Types").sublist("Tessera") = list;
      arrays_solve_as_tpetra(Host{}, laplacian(uniform_map(900), 30), whole, wide);
      arrays_solve_as_tpetra(Host{}, laplacian(scattered_map(900), 30), whole, wide);
    }
  }
}

/// What every rank says where the last one's arrays are spoilt.
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
  expect_refused([](Lent& l, P&, P&) { l.values[3] = std::nan(""); }, "that is not finite");
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

TEST(SolveArrays, WithoutAGpuThatIsSaid) {
  if (core::why_no_cuda().empty()) GTEST_SKIP() << "there is a GPU";
  auto const A = laplacian(uniform_map(900), 30);
  LentMatrix<Host> const lent(Host{}, *A, false);
  std::vector<double> const b(some_numbers(*A->getRowMap()));
  std::vector<double> x(b.size());
  auto list = arrays_list("cuda", "double", "sa");
  EXPECT_THROW(solve(lent.arrays, b.data(), x.data(), list), core::Unavailable);
}

}  // namespace
}  // namespace Tessera::test
