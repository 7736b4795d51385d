// Complete solves by Tessera, selected in a Stratimikos list.
#include "stratimikos/whole_solves.hpp"

#include <Thyra_DefaultPreconditioner.hpp>

namespace Tessera::test {
namespace {

TEST(WholeSolves, IterationsAreThoseOfBelos) {
  iterations_are_those_of_belos("host");
}

TEST(WholeSolves, OneCallDoesTheSame) {
  one_call_does_the_same("host");
}

TEST(WholeSolves, NewValuesAreRefreshed) {
  new_values_are_refreshed("host");
}

TEST(WholeSolves, ValuesThatChangeDirectionGetASetup) {
  for (std::string const linear : {"Tessera", "Belos"})
    values_that_change_direction_get_a_setup("host", linear);
}

TEST(WholeSolves, ANewMatrixIsSolved) {
  a_new_matrix_is_solved("host");
}

TEST(WholeSolves, PreconditionersMayBeOfAnotherMatrix) {
  preconditioners_may_be_of_another_matrix("host");
}

TEST(WholeSolves, CriteriaAreKept) {
  criteria_are_kept("host");
}

TEST(WholeSolves, NothingCrossesTheBusOnTheHost) {
  TestSystem s;
  auto const solver = Thyra::linearOpWithSolve(*factory_of(list_of("Tessera", "host")), wrapped(s.A));
  auto const status = solve(*solver, *s.b, s.x);
  for (auto const* what :
       {"Bytes To Device", "Bytes To Host", "Setup Bytes To Device", "Setup Bytes To Host"})
    EXPECT_EQ(bytes(status, what), 0) << what;
}

TEST(WholeSolves, ASolverThatDoesNotSupportSingleHasLevelsInDouble) {
  TestSystem s;
  auto const list = list_of("Tessera", "host", "Pseudo Block GMRES");
  solver_of(*list).set("Convergence Tolerance", 1e-10);
  auto const whole = Thyra::linearOpWithSolve(*factory_of(list), wrapped(s.A));
  TestSystem in_double;
  preconditioner_of(*list).set<std::string>("precision: hierarchy", "double");
  auto const same = Thyra::linearOpWithSolve(*factory_of(list), wrapped(in_double.A));
  EXPECT_EQ(iterations(solve(*whole, *s.b, s.x)), iterations(solve(*same, *in_double.b, in_double.x)));
  EXPECT_EQ(values(*s.x), values(*in_double.x));
}

TEST(WholeSolves, AsAnOperatorTheSolverIsTheMatrix) {
  TestSystem s;
  auto const solver = Thyra::linearOpWithSolve(*factory_of(list_of("Tessera", "host")), wrapped(s.A));
  MultiVector expected(s.A->getRowMap(), 1);
  s.A->apply(*s.b, expected);
  auto const B = Thyra::createConstMultiVector<double, int, long long>(RCP<MultiVector const>(s.b));
  auto const X = Thyra::createMultiVector<double, int, long long>(s.x);
  Thyra::apply<double>(*solver, Thyra::NOTRANS, *B, X.ptr());
  EXPECT_EQ(values(*s.x), values(expected));
  EXPECT_TRUE(solver->opSupported(Thyra::TRANS));
  EXPECT_TRUE(solver->domain()->isCompatible(*wrapped(s.A)->domain()));
}

TEST(WholeSolves, UnsupportedCriteriaAndTransposesAreRefused) {
  TestSystem s;
  auto const factory = factory_of(list_of("Tessera", "host"));
  auto const solver = Thyra::linearOpWithSolve(*factory, wrapped(s.A));
  EXPECT_TRUE(solver->solveSupports(Thyra::CONJ));
  EXPECT_FALSE(solver->solveSupports(Thyra::TRANS));
  Criteria const strange({Thyra::SOLVE_MEASURE_NORM_SOLUTION, Thyra::SOLVE_MEASURE_NORM_RHS}, 1e-3);
  EXPECT_FALSE(solver->solveSupportsSolveMeasureType(Thyra::NOTRANS, strange.solveMeasureType));
  EXPECT_THROW(solve(*solver, *s.b, s.x, &strange), std::logic_error);
  for (double const tolerance : {0.0, std::nan("")}) {
    Criteria const senseless({Thyra::SOLVE_MEASURE_NORM_RESIDUAL, Thyra::SOLVE_MEASURE_NORM_RHS}, tolerance);
    EXPECT_THROW(solve(*solver, *s.b, s.x, &senseless), std::invalid_argument) << tolerance;
  }
  auto const X = Thyra::createMultiVector<double, int, long long>(s.x);
  EXPECT_THROW(solver->solve(Thyra::TRANS, *X, X.ptr()), std::logic_error);
  EXPECT_THROW(solver->solve(Thyra::NOTRANS, *X, X.ptr()), std::invalid_argument) << "b is x";
  auto const other = factory->createOp();
  EXPECT_THROW(solve(*other, *s.b, s.x), std::logic_error) << "not initialised";
  EXPECT_THROW(Thyra::initializeOp(*factory, wrapped(s.A), other.ptr(), Thyra::SUPPORT_SOLVE_TRANSPOSE_ONLY),
               std::logic_error);
}

TEST(WholeSolves, ABreakdownIsNoConvergence) {
  TestSystem s;
  auto const list = list_of("Tessera", "host");
  list->set<std::string>("Preconditioner Type", "None");
  s.A = laplacian(s.A->getRowMap(), side, 1, -0.3);  // eigenvalues of both signs
  auto const solver = Thyra::linearOpWithSolve(*factory_of(list), wrapped(s.A));
  auto const status = solve(*solver, *s.b, s.x);
  EXPECT_EQ(status.solveStatus, Thyra::SOLVE_STATUS_UNCONVERGED);
  EXPECT_EQ(text_of(status, "Status"), "breakdown");
  EXPECT_NE(text_of(status, "Reason"), "");
  EXPECT_EQ(status.message.find('\n'), std::string::npos);
}

TEST(WholeSolves, AMatrixWithoutASetupIsACatastrophicFailure) {
  TestSystem s;
  auto const factory = factory_of(list_of("Tessera", "host"));
  auto const zero = laplacian(s.A->getRowMap(), side, 1, -4);
  auto const solver = factory->createOp();
  EXPECT_THROW(Thyra::initializeOp(*factory, wrapped(zero), solver.ptr()), Thyra::CatastrophicSolveFailure);
  EXPECT_THROW(solve(*solver, *s.b, s.x), std::logic_error);
  Thyra::initializeOp(*factory, wrapped(s.A), solver.ptr());
  EXPECT_EQ(solve(*solver, *s.b, s.x).solveStatus, Thyra::SOLVE_STATUS_CONVERGED);
}

void refused(RCP<Teuchos::ParameterList> const& list, std::vector<std::string> const& words) {
  try {
    factory_of(list);
    ADD_FAILURE() << "not refused: " << words.front();
  } catch (std::invalid_argument const& error) {
    for (auto const& word : words)
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << word << " in " << error.what();
  }
}

TEST(WholeSolves, InvalidListsAreRefused) {
  auto list = list_of("Tessera", "host");
  solver_of(*list).set("Convergence Tolerence", 1e-3);
  refused(list, {"a.xml->Linear Solver Types->Tessera->Solver Types->Pseudo Block CG", "did you mean"});
  list = list_of("Tessera", "host");
  auto& own = list->sublist("Linear Solver Types").sublist("Tessera");
  own.set("Solver Typ", "Block CG");
  refused(list, {"a.xml->Linear Solver Types->Tessera -> \"Solver Typ\"", "did you mean \"Solver Type"});
  own.remove("Solver Typ");
  own.set("Convergence Tolerance", 1e-3);
  refused(list, {"a.xml->Linear Solver Types->Tessera -> \"Convergence Tolerance\""});
  own.remove("Convergence Tolerance");
  own.sublist("Solver Types").set("Convergence Tolerance", 1e-3);
  refused(list, {"Solver Types -> \"Convergence Tolerance\"", "no effect"});
  list = list_of("Tessera", "host", "Conjugate Gradients");
  refused(list, {"\"Conjugate Gradients\"", "PSEUDO BLOCK CG"});
  list = list_of("Belos", "host");
  list->set<std::string>("Linear Solver Type", "Tessera");  // the sublist is still Belos'
  refused(list, {"a.xml->Linear Solver Types -> \"Belos\"", "no effect"});
}

TEST(WholeSolves, ThirdPartyPreconditionersAreRefused) {
  auto const list = list_of("Tessera", "host");
  ::Stratimikos::DefaultLinearSolverBuilder builder;
  ::Stratimikos::enableTessera(builder);
  ::Stratimikos::enableTessera(builder, "Another");
  list->set<std::string>("Linear Solver Type", "Another");
  builder.setParameterList(list);
  EXPECT_NO_THROW(builder.createLinearSolveStrategy(""));
  auto const factory = builder.createLinearSolveStrategy("Tessera");
  EXPECT_THROW(factory->setPreconditionerFactory(Teuchos::null, "ML"), std::invalid_argument);
  TestSystem s;
  auto const solver = factory->createOp();
  auto const foreign = rcp(new Thyra::DefaultPreconditioner<double>(wrapped(s.A)));
  EXPECT_THROW(Thyra::initializePreconditionedOp<double>(*factory, wrapped(s.A), foreign, solver.ptr()),
               std::invalid_argument);
}

TEST(WholeSolves, FactoriesReturnTheirInputs) {
  ThyraLinearOpWithSolveFactory<> factory;
  auto const list = rcp(new Teuchos::ParameterList("Tessera"));
  auto const before = *list;
  factory.setParameterList(list);
  EXPECT_TRUE(Teuchos::haveSameValues(*list, before)) << "the list is the user's";
  EXPECT_EQ(factory.unsetParameterList().getRawPtr(), list.getRawPtr());
  EXPECT_TRUE(factory.getValidParameters()->isSublist("Solver Types"));
  auto const preconditioners = rcp(new ThyraPreconditionerFactory<>);
  factory.setPreconditionerFactory(preconditioners, "Tessera");
  RCP<Thyra::PreconditionerFactoryBase<double>> back;
  std::string name;
  factory.unsetPreconditionerFactory(&back, &name);
  EXPECT_EQ(back.getRawPtr(), preconditioners.getRawPtr());
  EXPECT_EQ(name, "Tessera");
  EXPECT_TRUE(factory.getPreconditionerFactory().is_null());

  TestSystem s;
  auto const solver = factory.createOp();
  auto const source = Thyra::defaultLinearOpSource(wrapped(s.A));
  factory.initializeOp(source, &*solver, Thyra::SUPPORT_SOLVE_FORWARD_ONLY);
  RCP<Thyra::LinearOpSourceBase<double> const> same;
  Thyra::ESupportSolveUse use;
  factory.uninitializeOp(&*solver, &same, nullptr, nullptr, &use);
  EXPECT_EQ(same.getRawPtr(), source.getRawPtr());
  EXPECT_EQ(use, Thyra::SUPPORT_SOLVE_FORWARD_ONLY);
  factory.uninitializeOp(&*solver, &same, nullptr, nullptr, nullptr);
  EXPECT_TRUE(same.is_null());
}

}  // namespace
}  // namespace Tessera::test
