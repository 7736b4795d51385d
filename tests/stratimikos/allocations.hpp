#pragma once
/// \file
/// Repeated solves of a system, in every way that reuses memory, on either back end.
#include <BelosLinearProblem.hpp>
#include <BelosSolverFactory_Tpetra.hpp>
#include <BelosTpetraAdapter.hpp>

#include "Tessera_BelosSolvers.hpp"
#include "Tessera_Factory.hpp"
#include "belos/arrays_checks.hpp"
#include "stratimikos/whole_solves.hpp"

namespace Tessera::test {

/// Calls check(name, solve) with functions that solve the same system, from zero, at each call.
template <class Space, class Check>
void repeat_solves(Space const& space, std::string const& backend, Check const& check) {
  constexpr int points = 300;  // vectors in float of three ranks exceed 64 KiB
  auto const A = laplacian(scattered_map(points * points), points);
  MultiVector const b(*waves(A->getRowMap(), 1), Teuchos::Copy);
  auto const x = rcp(new MultiVector(A->getRowMap(), 1));

  for (auto const* name : {"SA-AMG", "FSAI"}) {
    auto const M = Factory::create<CrsMatrix>(name, A);
    Teuchos::ParameterList list;
    list.set("backend: type", backend).set("verbosity", "none");
    M->setParameters(list);
    M->compute();
    check(std::string("apply, ") + name, [&] { M->apply(b, *x); });
    check(std::string("apply with beta, ") + name, [&] { M->apply(b, *x, Teuchos::NO_TRANS, 2, 1); });

    registerBelosSolvers();
    auto const solver_list = rcp(new Teuchos::ParameterList);
    solver_list->set("Convergence Tolerance", 1e-6);
    auto const solver =
        Belos::SolverFactory<double, MultiVector, Operator>().create("TESSERA CG", solver_list);
    auto const problem =
        rcp(new Belos::LinearProblem<double, MultiVector, Operator>(A, x, Teuchos::rcpFromRef(b)));
    problem->setRightPrec(M);
    problem->setProblem();
    check(std::string("TESSERA CG, ") + name, [&] {
      x->putScalar(0);
      solver->setProblem(problem);
      EXPECT_EQ(solver->solve(), Belos::Converged);
    });
  }

  LentMatrix<Space> const lent(space, *A, false);
  auto const b_there = core::to_space(space, some_numbers(*A->getRowMap()));
  auto const zero = core::to_space(space, std::vector<double>(b_there.size(), 0.0));
  auto x_there = core::copied(space, zero.view(), space);
  auto list = arrays_list(backend.c_str(), "float", "sa");
  ArraysSolver solver(lent.arrays, list);
  check("ArraysSolver", [&] {
    core::copy(space, zero.view(), space, x_there.span());
    core::synchronize(space);
    EXPECT_TRUE(solver.solve(b_there.data(), x_there.data()).converged);
  });
  check("ArraysSolver::apply", [&] { solver.apply(b_there.data(), x_there.data()); });

  auto const whole =
      Thyra::linearOpWithSolve(*factory_of(list_of("Tessera", backend, "TESSERA CG")), wrapped(A));
  check("Linear Solver Type = Tessera", [&] {
    x->putScalar(0);
    EXPECT_EQ(test::solve(*whole, b, x).solveStatus, Thyra::SOLVE_STATUS_CONVERGED);
  });
}

}  // namespace Tessera::test
