#pragma once
/// \file
/// Checks of solves with an application's own arrays, for either back end.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "Tessera_SmoothedAggregation.hpp"
#include "Tessera_Solve.hpp"
#include "Tessera_SolveArrays.hpp"
#include "core/array.hpp"
#include "core/error.hpp"
#include "ifpack2/problems.hpp"

namespace Tessera::test {

/// A Tpetra matrix' arrays, copied to the memory of a space.
template <class Space>
struct LentMatrix {
  Array<std::int32_t, Space> offsets32;
  Array<std::int64_t, Space> offsets64;
  Array<std::int32_t, Space> columns;
  Array<double, Space> values;
  CsrArrays arrays;

  LentMatrix(Space const& space, CrsMatrix const& A, bool wide) {
    auto const local = A.getLocalMatrixHost();
    auto const rows = local.graph.row_map.extent(0);
    std::vector<std::int64_t> const offsets(local.graph.row_map.data(), local.graph.row_map.data() + rows);
    offsets64 = core::to_space(space, offsets);
    offsets32 = core::to_space(space, std::vector<std::int32_t>(offsets.begin(), offsets.end()));
    arrays.entries = local.values.extent(0);
    columns = core::copied(Host{}, Span<int const>(local.graph.entries.data(), arrays.entries), space);
    values = core::copied(Host{}, Span<double const>(local.values.data(), arrays.entries), space);
    core::synchronize(space);
    arrays.rowMap = A.getRowMap();
    arrays.columnMap = A.getColMap();
    if (wide) arrays.offsets64 = offsets64.data();
    if (!wide) arrays.offsets32 = offsets32.data();
    arrays.columns = columns.data();
    arrays.values = values.data();
  }
};

inline Teuchos::ParameterList arrays_list(char const* backend, char const* precision, char const* algorithm) {
  Teuchos::ParameterList list;
  list.set("backend: type", backend).set("precision: hierarchy", precision);
  list.set("multigrid algorithm", algorithm).set("verbosity", "none");
  return list;
}

/// The same for the solver of Stratimikos, which is Tessera's on either back end.
inline Teuchos::ParameterList with_our_cg(Teuchos::ParameterList const& own) {
  Teuchos::ParameterList whole;
  whole.set("Linear Solver Type", "Belos").set("Preconditioner Type", "Tessera");
  whole.sublist("Linear Solver Types").sublist("Belos").set("Solver Type", "TESSERA CG");
  whole.sublist("Preconditioner Types").sublist("Tessera") = own;
  return whole;
}

inline std::vector<double> some_numbers(Map const& map) {
  std::vector<double> b;
  for (int i = 0; map.isNodeLocalElement(i); ++i)
    b.push_back(std::sin(static_cast<double>(map.getGlobalElement(i)) + 1));
  return b;
}

/// Tessera::solve of a Tpetra matrix and of its arrays gives bitwise the same x.
template <class Space>
SolveReport arrays_solve_as_tpetra(Space const& space, RCP<CrsMatrix> const& A,
                                   Teuchos::ParameterList const& list, bool wide) {
  auto const b = some_numbers(*A->getRowMap());
  MultiVector of_b(A->getRowMap(), 1), of_x(A->getRowMap(), 1);
  for (std::size_t i = 0; i < b.size(); ++i) of_b.replaceLocalValue(static_cast<int>(i), 0, b[i]);
  auto tpetras = list, own = list;
  auto const expected = solve(RCP<RowMatrix const>(A), of_b, of_x, tpetras);
  LentMatrix<Space> const lent(space, *A, wide);
  auto const b_there = core::to_space(space, b);
  auto x_there = core::to_space(space, std::vector<double>(b.size(), 0.0));
  core::synchronize(space);
  auto const found = solve(lent.arrays, b_there.data(), x_there.data(), own);
  EXPECT_TRUE(found.converged) << found.reason;
  EXPECT_EQ(found.iterations, expected.iterations);
  auto const x = core::to_vector(space, x_there.view());
  auto const view = of_x.getLocalViewHost(Tpetra::Access::ReadOnly);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(x[i], view(i, 0)) << "row " << i;
  return found;
}

/// ArraysSolver::apply() gives bitwise what Preconditioner::apply() gives, also for a vector that float
/// cannot hold.
template <class Space>
void arrays_apply_as_tpetra(Space const& space, Teuchos::ParameterList const& list) {
  auto const A = laplacian(scattered_map(900), 30);
  LentMatrix<Space> const lent(space, *A, false);
  auto own = list;
  ArraysSolver solver(lent.arrays, own);
  SmoothedAggregation<> M{RCP<RowMatrix const>(A)};
  M.setParameters(list);
  M.compute();
  for (double const scale : {1.0, 0x1p-160}) {
    auto b = some_numbers(*A->getRowMap());
    MultiVector of_b(A->getRowMap(), 1), of_x(A->getRowMap(), 1);
    for (std::size_t i = 0; i < b.size(); ++i) of_b.replaceLocalValue(static_cast<int>(i), 0, b[i] *= scale);
    M.apply(of_b, of_x);
    auto const b_there = core::to_space(space, b);
    auto x_there = core::to_space(space, std::vector<double>(b.size(), std::nan("")));
    core::synchronize(space);
    solver.apply(b_there.data(), x_there.data());
    auto const x = core::to_vector(space, x_there.view());
    auto const expected = of_x.getLocalViewHost(Tpetra::Access::ReadOnly);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(x[i], expected(i, 0)) << "row " << i;
  }
}

/// A refresh with new values is bitwise equal to a setup with them, if both give the same aggregates and
/// patterns. Except for smoothed aggregation, the new values are the old ones times a power of two.
template <class Space>
void arrays_refresh_as_setup(Space const& space, char const* backend, char const* algorithm) {
  auto const A = laplacian(scattered_map(900), 30);
  LentMatrix<Space> const lent(space, *A, false);
  auto const b = core::to_space(space, some_numbers(*A->getRowMap()));
  auto const zero = [&] { return core::to_space(space, std::vector<double>(b.size(), 0.0)); };
  auto before = zero(), refreshed = zero(), fresh = zero();
  auto values = core::to_vector(space, lent.values.view());
  bool const smoothed = std::string(algorithm) == "sa";
  for (auto& value : values) value *= !smoothed ? 4.0 : value > 0 ? 1.5 : 1.0;
  auto const changed = core::to_space(space, values);
  core::synchronize(space);
  auto list = arrays_list(backend, "float", algorithm), same = list;
  ArraysSolver solver(lent.arrays, list);
  EXPECT_TRUE(solver.solve(b.data(), before.data()).converged);
  for (int time = 0; time < 2; ++time)
    solver.refresh(changed.data());  // the second refresh uses the plans of the first
  auto const report = solver.solve(b.data(), refreshed.data());
  auto arrays = lent.arrays;
  arrays.values = changed.data();
  auto const expected = solve(arrays, b.data(), fresh.data(), same);
  EXPECT_TRUE(report.converged) << report.reason;
  EXPECT_EQ(report.iterations, expected.iterations);
  EXPECT_EQ(core::to_vector(space, refreshed.view()), core::to_vector(space, fresh.view())) << algorithm;
  EXPECT_TRUE(b.size() == 0 ||
              core::to_vector(space, refreshed.view()) != core::to_vector(space, before.view()));
}

/// After a refresh that failed, the solver refuses to solve until a refresh succeeds, which is a setup.
template <class Space>
void arrays_set_up_after_a_failed_refresh(Space const& space, char const* backend, char const* algorithm) {
  auto const A = laplacian(uniform_map(900), 30);
  LentMatrix<Space> const lent(space, *A, false);
  auto const b = core::to_space(space, some_numbers(*A->getRowMap()));
  auto x = core::to_space(space, std::vector<double>(b.size(), 0.0)),
       fresh = core::copied(space, x.view(), space);
  auto values = core::to_vector(space, lent.values.view());
  if (world()->getRank() + 1 == world()->getSize())
    for (auto& value : values) value = -std::fabs(value);  // negative diagonal entries
  auto const indefinite = core::to_space(space, values);
  core::synchronize(space);
  auto list = arrays_list(backend, "float", algorithm), same = list;
  ArraysSolver solver(lent.arrays, list);
  for (int times = 0; times < 2; ++times) {  // a refresh fails, then a setup
    EXPECT_THROW(solver.refresh(indefinite.data()), core::NumericalError);
    EXPECT_THROW(solver.solve(b.data(), x.data()), core::InvalidInput);
    EXPECT_THROW(solver.apply(b.data(), x.data()), core::InvalidInput);
  }
  solver.refresh(lent.values.data());
  EXPECT_TRUE(solver.solve(b.data(), x.data()).converged);
  solve(lent.arrays, b.data(), fresh.data(), same);
  EXPECT_EQ(core::to_vector(space, x.view()), core::to_vector(space, fresh.view())) << algorithm;
}

}  // namespace Tessera::test
