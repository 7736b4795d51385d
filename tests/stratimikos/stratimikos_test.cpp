// Tessera through Stratimikos: selection, errors, reuse.
#include <gtest/gtest.h>

#include <Thyra_LinearOpWithSolveFactoryHelpers.hpp>
#include <Thyra_PreconditionerFactoryHelpers.hpp>
#include <Thyra_TpetraThyraWrappers.hpp>

#include "Tessera_Details_Preconditioner.hpp"
#include "Tessera_SmoothedAggregation.hpp"
#include "Tessera_StratimikosHelpers.hpp"
#include "ifpack2/problems.hpp"

namespace Tessera::test {
namespace {

constexpr int side = 30;

RCP<Teuchos::ParameterList> stratimikos_list() {
  auto list = rcp(new Teuchos::ParameterList("a.xml"));
  list->set<std::string>("Linear Solver Type", "Belos").set<std::string>("Preconditioner Type", "Tessera");
  auto& belos = list->sublist("Linear Solver Types").sublist("Belos");
  belos.set<std::string>("Solver Type", "Pseudo Block CG");
  belos.sublist("VerboseObject").set<std::string>("Verbosity Level", "none");
  belos.sublist("Solver Types").sublist("Pseudo Block CG").set("Convergence Tolerance", 1e-8);
  list->sublist("Preconditioner Types").sublist("Tessera").set("coarse: max size", 30);
  return list;
}

struct ThroughStratimikos : testing::Test {
  RCP<Map const> map = uniform_map(side * side);
  RCP<CrsMatrix> A = laplacian(map, side);
  ::Stratimikos::DefaultLinearSolverBuilder builder;
  std::string description;  ///< of the preconditioner of residual_by
  ThroughStratimikos() { ::Stratimikos::enableTessera(builder); }
  double residual_by(std::string const& solver, Teuchos::ParameterList const& own = {},
                     char const* precision = nullptr);
};

using Operator = Tpetra::Operator<double, int, long long>;

RCP<Thyra::LinearOpBase<double> const> wrapped(RCP<CrsMatrix> const& matrix) {
  return Thyra::createConstLinearOp<double, int, long long>(RCP<Operator const>(matrix));
}

RCP<Operator const> operator_of(Thyra::PreconditionerBase<double> const& preconditioner) {
  using Wrapper = Thyra::TpetraLinearOp<double, int, long long, Tpetra::Map<>::node_type>;
  auto const wrapper = Teuchos::rcp_dynamic_cast<Wrapper const>(preconditioner.getUnspecifiedPrecOp(), true);
  return wrapper->getConstTpetraOperator();
}

RCP<SmoothedAggregation<> const> unwrapped(Thyra::PreconditionerBase<double> const& preconditioner) {
  return Teuchos::rcp_dynamic_cast<SmoothedAggregation<> const>(operator_of(preconditioner), true);
}

TEST_F(ThroughStratimikos, ASystemIsSolvedByListsAlone) {
  builder.setParameterList(stratimikos_list());
  auto const strategy = Thyra::createLinearSolveStrategy(builder);
  auto const solver = Thyra::linearOpWithSolve(*strategy, wrapped(A));
  auto const b = waves(map);
  auto const x = rcp(new MultiVector(map, 1));
  auto const status = solver->solve(
      Thyra::NOTRANS, *Thyra::createConstMultiVector<double, int, long long>(RCP<MultiVector const>(b)),
      Thyra::createMultiVector<double, int, long long>(x).ptr());
  EXPECT_EQ(status.solveStatus, Thyra::SOLVE_STATUS_CONVERGED);
  EXPECT_LT(relative_residual(*A, *x, *b), 1e-7);
}

/// Solves with a solver of Belos and these parameters; returns the relative residual.
double ThroughStratimikos::residual_by(std::string const& solver, Teuchos::ParameterList const& own,
                                       char const* precision) {
  auto const list = stratimikos_list();
  auto& belos = list->sublist("Linear Solver Types").sublist("Belos");
  belos.remove("Solver Type");
  if (!solver.empty()) {
    belos.set("Solver Type", solver);
    belos.sublist("Solver Types").sublist(solver).setParameters(own);
  }
  belos.sublist("Solver Types")
      .sublist(solver.empty() ? "Pseudo Block GMRES" : solver)
      .set("Convergence Tolerance", 1e-10);
  if (precision != nullptr)
    list->sublist("Preconditioner Types")
        .sublist("Tessera")
        .set<std::string>("precision: hierarchy", precision);
  ::Stratimikos::DefaultLinearSolverBuilder mine;
  ::Stratimikos::enableTessera(mine);
  mine.setParameterList(list);
  auto const strategy = Thyra::createLinearSolveStrategy(mine);
  auto const solver_of_A = Thyra::linearOpWithSolve(*strategy, wrapped(A));
  auto const b = waves(map);
  auto const x = rcp(new MultiVector(map, 1));
  solver_of_A->solve(Thyra::NOTRANS,
                     *Thyra::createConstMultiVector<double, int, long long>(RCP<MultiVector const>(b)),
                     Thyra::createMultiVector<double, int, long long>(x).ptr());
  auto const factory = mine.createPreconditioningStrategy("Tessera");
  auto const preconditioner = factory->createPrec();
  Thyra::initializePrec(*factory, wrapped(A), preconditioner.ptr());
  description = operator_of(*preconditioner)->description();
  return relative_residual(*A, *x, *b);
}

TEST_F(ThroughStratimikos, LevelsAreInDoubleForSolversThatDoNotSupportSingle) {
  for (std::string const solver : {"Pseudo Block GMRES", "Block GMRES", "GCRODR", "TFQMR", ""}) {
    EXPECT_LT(residual_by(solver), 1.1e-10) << solver;
    EXPECT_NE(description.find("Precision: double"), std::string::npos) << solver << ": " << description;
  }
}

TEST_F(ThroughStratimikos, LevelsAreInFloatForOtherSolversAndIfTheListRequestsIt) {
  Teuchos::ParameterList flexible;
  flexible.set("Flexible Gmres", true);
  EXPECT_LT(residual_by("Pseudo Block CG"), 1.1e-10);
  EXPECT_NE(description.find("Precision: float"), std::string::npos) << description;
  EXPECT_LT(residual_by("Block GMRES", flexible), 1.1e-10);
  EXPECT_NE(description.find("Precision: float"), std::string::npos) << description;
  EXPECT_GT(residual_by("Pseudo Block GMRES", {}, "float"), 1e-7) << "what is asked for is done";
  EXPECT_NE(description.find("Precision: float"), std::string::npos) << description;
  EXPECT_NE(description.find("others, such as GMRES, need precision: hierarchy = double"), std::string::npos);
}

/// Replaces the string by its integer, as Teuchos' validator of Trilinos 16 does; that of 13 keeps the
/// string.
struct WritingValidator : Teuchos::StringToIntegralParameterEntryValidator<int> {
  using StringToIntegralParameterEntryValidator::StringToIntegralParameterEntryValidator;
  void validateAndModify(std::string const& name, std::string const& list,
                         Teuchos::ParameterEntry* entry) const override {
    entry->setValue(getIntegralValue(*entry, name, list, false));
  }
};

TEST(ResolveSolverDefaults, AnIntegerForTheSolversNameIsAccepted) {
  Teuchos::ParameterList valid;
  for (auto const* sublist : {"Solver Types", "VerboseObject"}) valid.sublist(sublist);
  valid.set("Solver Type", "Block GMRES", "",
            rcp(new WritingValidator(Teuchos::tuple<std::string>("Block GMRES", "Pseudo Block CG"),
                                     Teuchos::tuple<int>(7, 3), "Solver Type")));
  for (std::string const solver : {"Block GMRES", "Pseudo Block CG"}) {
    auto const list = stratimikos_list();
    auto& belos = list->sublist("Linear Solver Types").sublist("Belos");
    belos.set("Solver Type", solver).validateParametersAndSetDefaults(valid, 0);
    ASSERT_TRUE(belos.isType<int>("Solver Type"));
    auto const own = Teuchos::sublist(Teuchos::sublist(list, "Preconditioner Types"), "Tessera");
    EXPECT_EQ(Details::resolveSolverDefaults(own).isParameter("precision: hierarchy"),
              solver == "Block GMRES");
  }
}

TEST_F(ThroughStratimikos, TheListDecidesBetweenHierarchyAndSparseInverse) {
  auto const list = stratimikos_list();
  list->sublist("Preconditioner Types").remove("Tessera");
  list->sublist("Preconditioner Types").sublist("Tessera").set<std::string>("multigrid algorithm", "fsai");
  builder.setParameterList(list);
  auto const factory = builder.createPreconditioningStrategy("Tessera");
  auto const preconditioner = factory->createPrec();
  Thyra::initializePrec(*factory, wrapped(A), preconditioner.ptr());
  EXPECT_NE(operator_of(*preconditioner)->description().find("Tessera::Fsai"), std::string::npos);
  Thyra::initializePrec(*factory, wrapped(A), preconditioner.ptr());
  EXPECT_NE(operator_of(*preconditioner)->description().find("refresh (pattern kept)"), std::string::npos);
  factory->setParameterList(rcp(new Teuchos::ParameterList("Tessera")));
  Thyra::initializePrec(*factory, wrapped(A), preconditioner.ptr());
  EXPECT_NO_THROW(unwrapped(*preconditioner));
  auto const strategy = Thyra::createLinearSolveStrategy(builder);
  auto const solver = Thyra::linearOpWithSolve(*strategy, wrapped(A));
  auto const b = waves(map);
  auto const x = rcp(new MultiVector(map, 1));
  solver->solve(Thyra::NOTRANS,
                *Thyra::createConstMultiVector<double, int, long long>(RCP<MultiVector const>(b)),
                Thyra::createMultiVector<double, int, long long>(x).ptr());
  EXPECT_LT(relative_residual(*A, *x, *b), 1e-7);
}

TEST_F(ThroughStratimikos, ATypoIsRefusedWithPathAndSuggestion) {
  auto const list = stratimikos_list();
  list->sublist("Preconditioner Types").sublist("Tessera").set("smother: type", "CHEBYSHEV");
  builder.setParameterList(list);
  try {
    builder.createPreconditioningStrategy("Tessera");
    ADD_FAILURE() << "not refused";
  } catch (std::invalid_argument const& error) {
    std::string const text = error.what();
    EXPECT_NE(text.find("a.xml->Preconditioner Types->Tessera"), std::string::npos) << text;
    EXPECT_NE(text.find("did you mean \"smoother: type\"?"), std::string::npos) << text;
  }
}

TEST_F(ThroughStratimikos, AUsedNameIsRefused) {
  EXPECT_THROW(::Stratimikos::enableTessera(builder), std::logic_error);
  EXPECT_NO_THROW(::Stratimikos::enableTessera(builder, "Another"));
}

TEST_F(ThroughStratimikos, ChangedValuesAreRefreshed) {
  builder.setParameterList(stratimikos_list());
  auto const factory = builder.createPreconditioningStrategy("Tessera");
  auto const preconditioner = factory->createPrec();
  auto const op = wrapped(A);
  Thyra::initializePrec(*factory, op, preconditioner.ptr());
  auto const first = unwrapped(*preconditioner);
  EXPECT_NE(first->description().find("Last compute: \"setup\""), std::string::npos) << first->description();
  A->resumeFill();
  A->scale(2.0);
  A->fillComplete();
  Thyra::initializePrec(*factory, op, preconditioner.ptr());
  auto const second = unwrapped(*preconditioner);
  EXPECT_EQ(first.getRawPtr(), second.getRawPtr());
  EXPECT_NE(second->description().find("Last compute: \"refresh"), std::string::npos)
      << second->description();
}

TEST_F(ThroughStratimikos, AnotherMatrixIsRefreshed) {
  auto const list = stratimikos_list();
  list->sublist("Preconditioner Types").sublist("Tessera").set<std::string>("reuse: type", "tP");
  builder.setParameterList(list);
  auto const factory = builder.createPreconditioningStrategy("Tessera");
  auto const preconditioner = factory->createPrec();
  Thyra::initializePrec(*factory, wrapped(A), preconditioner.ptr());
  auto const B = laplacian(map, side, 2.0);
  Thyra::initializePrec(*factory, wrapped(B), preconditioner.ptr());
  auto const M = unwrapped(*preconditioner);
  EXPECT_EQ(M->getMatrix().getRawPtr(), B.getRawPtr());
  EXPECT_NE(M->description().find("refresh"), std::string::npos) << M->description();
}

TEST_F(ThroughStratimikos, OnlyRowMatricesAreCompatible) {
  builder.setParameterList(stratimikos_list());
  auto const factory = builder.createPreconditioningStrategy("Tessera");
  EXPECT_TRUE(factory->isCompatible(*Thyra::defaultLinearOpSource(wrapped(A))));
  auto const M = rcp(new SmoothedAggregation<>(A));  // an operator, but no matrix
  M->compute();
  auto const op = Thyra::createConstLinearOp<double, int, long long>(RCP<Operator const>(M));
  EXPECT_FALSE(factory->isCompatible(*Thyra::defaultLinearOpSource(op)));
  EXPECT_THROW(Thyra::initializePrec(*factory, op, factory->createPrec().ptr()), std::invalid_argument);
}

TEST_F(ThroughStratimikos, ListsAreReturned) {
  ThyraPreconditionerFactory<> factory;
  auto const list = rcp(new Teuchos::ParameterList("Tessera"));
  factory.setParameterList(list);
  EXPECT_EQ(factory.getNonconstParameterList().getRawPtr(), list.getRawPtr());
  EXPECT_EQ(factory.unsetParameterList().getRawPtr(), list.getRawPtr());
  EXPECT_TRUE(factory.getParameterList().is_null());
  EXPECT_TRUE(factory.getValidParameters()->isParameter("max levels"));
}

}  // namespace
}  // namespace Tessera::test
