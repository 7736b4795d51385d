// Trilinos' tests of operators, applied to the preconditioners of all presets: Thyra::LinearOpTester, the
// forward parts of Thyra::LinearOpWithSolveTester, and Belos::TestOperatorTraits.
#include <gtest/gtest.h>

#include <BelosMVOPTester.hpp>
#include <BelosTpetraAdapter.hpp>
#include <Thyra_LinearOpTester.hpp>
#include <Thyra_LinearOpWithSolveFactoryHelpers.hpp>
#include <Thyra_LinearOpWithSolveTester.hpp>
#include <Thyra_PreconditionerFactoryHelpers.hpp>
#include <Thyra_TpetraThyraWrappers.hpp>

#include "Tessera_Details_Preconditioner.hpp"
#include "Tessera_ReadXml.hpp"
#include "Tessera_StratimikosHelpers.hpp"
#include "Tessera_ThyraPreconditionerFactory.hpp"
#include "ifpack2/problems.hpp"
#include "multigrid/reported_levels.hpp"
#include "stratimikos/presets.hpp"

namespace Tessera::test {
namespace {

using Operator = Tpetra::Operator<double, int, long long>;

/// Divisible by all numbers of equations of the presets.
constexpr int side = 30;

class Conformance : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    auto const list = readXml(std::string(TESSERA_XML) + "/" + GetParam() + ".xml", *world());
    ThyraPreconditionerFactory factory;
    auto const own = Teuchos::sublist(Teuchos::sublist(list, "Preconditioner Types"), "Tessera");
    bool const has_levels = own->get<std::string>("multigrid algorithm", "sa") != "fsai";
    if (has_levels) own->set("coarse: max size", 40);  // several levels for a small matrix
    factory.setParameterList(own);
    preconditioner_ = factory.createPrec();
    Thyra::initializePrec<double>(
        factory,
        Thyra::createConstLinearOp<double, int, long long>(RCP<Operator const>(laplacian(map, side))),
        preconditioner_.ptr());
    using Wrapper = Thyra::TpetraLinearOp<double, int, long long, Tpetra::Map<>::node_type>;
    op_ = preconditioner_->getUnspecifiedPrecOp();
    M_ = Teuchos::rcp_dynamic_cast<Details::Preconditioner const>(
        Teuchos::rcp_dynamic_cast<Wrapper const>(op_, true)->getConstTpetraOperator(), true);
  }

  RCP<Map const> map = uniform_map(side * side);
  RCP<Thyra::PreconditionerBase<double>> preconditioner_;
  RCP<Thyra::LinearOpBase<double> const> op_;
  RCP<Details::Preconditioner const> M_;
};

TEST_P(Conformance, ThyrasTesterFindsALinearSymmetricOperatorUnlessItIsAKCycle) {
  // Levels are in float. Errors are relative to inner products of random vectors, which may cancel to a
  // thousandth of the product of the norms.
  double constexpr tolerance = 1e-3;
  Thyra::LinearOpTester<double> tester;
  tester.set_all_error_tol(tolerance);
  tester.set_all_warning_tol(tolerance);
  tester.num_rhs(3);
  tester.num_random_vectors(2);
  tester.check_adjoint(false);
  tester.check_linear_properties(M_->isLinear());
  tester.check_for_symmetry(M_->isLinear());
  std::ostringstream words;
  bool const passed = tester.check(*op_, Teuchos::getFancyOStream(Teuchos::rcpFromRef(words)).ptr());
  EXPECT_TRUE(passed) << words.str();
  bool const has_k_cycle =
      GetParam() == "elasticity" || GetParam() == "ua_amg_kcycle" || GetParam() == "ua_amg_paper";
  EXPECT_EQ(M_->isLinear(), !has_k_cycle);
  if (M_->hierarchyReport()) {
    EXPECT_GE(M_->hierarchyReport()->levels.size(), 2U);
  }
}

TEST_P(Conformance, ThePreconditionerGivesItsMatrixBack) {
  ThyraPreconditionerFactory factory;
  RCP<Thyra::LinearOpSourceBase<double> const> source;
  factory.uninitializePrec(preconditioner_.get(), &source, nullptr);
  ASSERT_FALSE(source.is_null());
  EXPECT_TRUE(source->getOp()->domain()->isCompatible(*op_->domain()));
  EXPECT_TRUE(preconditioner_->getUnspecifiedPrecOp().is_null());
  factory.uninitializePrec(preconditioner_.get(), &source, nullptr);
  EXPECT_TRUE(source.is_null());
}

TEST_P(Conformance, BelosTesterFindsAnOperator) {
  std::ostringstream words;
  auto const printer = Teuchos::rcp(
      new Belos::OutputManager<double>(Belos::Warnings | Belos::Errors, Teuchos::rcpFromRef(words)));
  bool const passed = Belos::TestOperatorTraits<double, MultiVector, Operator>(
      printer, rcp(new MultiVector(map, 1)), Teuchos::rcp_implicit_cast<Operator const>(M_));
  EXPECT_TRUE(passed) << words.str();
}

TEST_P(Conformance, ThyrasTesterFindsThatTheListsSolverSolves) {
  auto const list = readXml(std::string(TESSERA_XML) + "/" + GetParam() + ".xml", *world());
  ::Stratimikos::DefaultLinearSolverBuilder builder;
  ::Stratimikos::enableTessera(builder);
  builder.setParameterList(list);
  auto const factory = Thyra::createLinearSolveStrategy(builder);
  auto const solver = Thyra::linearOpWithSolve<double>(
      *factory,
      Thyra::createConstLinearOp<double, int, long long>(RCP<Operator const>(laplacian(map, side))));
  Thyra::LinearOpWithSolveTester<double> tester;
  tester.turn_off_all_tests();
  tester.check_forward_default(true);
  tester.check_forward_residual(true);
  tester.set_all_solve_tol(1e-7);
  tester.set_all_slack_warning_tol(1e-8);
  tester.set_all_slack_error_tol(1e-8);
  tester.forward_default_residual_error_tol(1e-7);
  tester.forward_default_solution_error_error_tol(1e-4);  // the condition number is about 400
  tester.num_random_vectors(2);
  tester.num_rhs(2);
  std::ostringstream words;
  EXPECT_TRUE(tester.check(*solver, Teuchos::getFancyOStream(Teuchos::rcpFromRef(words)).get()))
      << words.str();
}

std::string as_identifier(testing::TestParamInfo<std::string> const& info) {
  return info.param;
}

INSTANTIATE_TEST_SUITE_P(Presets, Conformance, testing::ValuesIn(preset_names()), as_identifier);

}  // namespace
}  // namespace Tessera::test
