#include "Tessera_ThyraLinearOpWithSolve.hpp"

#include <Teuchos_oblackholestream.hpp>
#include <Thyra_TpetraThyraWrappers.hpp>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "belos/linear_solver.hpp"
#include "belos/nullspace.hpp"
#include "parameters/messages.hpp"
#include "stratimikos/thyra.hpp"

namespace Tessera::Details {
namespace {

using parameters::require;

/// "converged after 9 iterations of TESSERA CG on cuda, true relative residual 3e-9"
std::string status_message(SolveReport const& report) {
  std::ostringstream residual;
  residual << std::setprecision(3) << report.relativeResidual;
  std::string text =
      core::message(name(report.status), " after ", report.iterations, " iterations of ", report.solver,
                    " on ", report.backend, ", true relative residual ", residual.str());
  if (!report.reason.empty()) text += ": " + report.reason;
  if (report.converged && report.projectedShare > 0)
    text += "; " + belos::projection_text(report.projectedShare);
  for (auto const& warning : report.warnings) text += "; warning: " + warning;
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

Teuchos::RCP<Teuchos::ParameterList> status_parameters(SolveReport const& report,
                                                       belos::SetupReport const& setup) {
  auto const list = Teuchos::rcp(new Teuchos::ParameterList("Tessera"));
  auto const bytes = [](std::size_t count) { return static_cast<long long>(count); };
  for (auto const* key : {"Iteration Count", "Belos/Iteration Count"}) list->set(key, report.iterations);
  list->set<std::string>("Status", name(report.status));
  list->set("Reason", report.reason);
  list->set("Relative Residual", report.relativeResidual);
  list->set("Rounding Level", report.roundingLevel);
  list->set("Backward Error", report.backwardError);
  list->set("Row-wise Backward Error", report.rowError);
  list->set("Projected Share", report.projectedShare);
  list->set("Solver", report.solver);
  list->set("Backend", report.backend);
  list->set("Solve Seconds", report.setupSeconds + report.solveSeconds);
  list->set("Transfer Seconds", report.uploadSeconds);
  list->set("Bytes To Device", bytes(report.bytesToDevice));
  list->set("Bytes To Host", bytes(report.bytesToHost));
  list->set("Setup", setup.what);
  list->set("Setup Seconds", setup.seconds);
  list->set("Setup Transfer Seconds", setup.transfer_seconds);
  list->set("Setup Bytes To Device", bytes(setup.bytes_to_device));
  list->set("Setup Bytes To Host", bytes(setup.bytes_to_host));
  return list;
}

}  // namespace

ThyraLinearOpWithSolve::ThyraLinearOpWithSolve()
    : choice_(std::make_unique<belos::KrylovChoice>()), solver_(std::make_unique<belos::LinearSolver>()) {}

ThyraLinearOpWithSolve::~ThyraLinearOpWithSolve() = default;

Teuchos::RCP<Thyra::VectorSpaceBase<double> const> ThyraLinearOpWithSolve::range() const {
  return op_.is_null() ? Teuchos::null : op_->range();
}

Teuchos::RCP<Thyra::VectorSpaceBase<double> const> ThyraLinearOpWithSolve::domain() const {
  return op_.is_null() ? Teuchos::null : op_->domain();
}

std::string ThyraLinearOpWithSolve::description() const {
  std::string const state = op_.is_null() ? "uninitialised" : choice_->solver + " for " + op_->description();
  return "Tessera::ThyraLinearOpWithSolve{" + state + "}";
}

bool ThyraLinearOpWithSolve::opSupportedImpl(Thyra::EOpTransp transpose) const {
  return !op_.is_null() && Thyra::opSupported(*op_, transpose);
}

void ThyraLinearOpWithSolve::applyImpl(Thyra::EOpTransp transpose, Vectors const& X,
                                       Teuchos::Ptr<Vectors> const& Y, double alpha, double beta) const {
  require<std::logic_error>(!op_.is_null(), description(),
                            "::apply: it is not initialised; call its factory's initializeOp() before.");
  Thyra::apply(*op_, transpose, X, Y, alpha, beta);
}

bool ThyraLinearOpWithSolve::solveSupportsImpl(Thyra::EOpTransp transpose) const {
  return Thyra::real_trans(transpose) == Thyra::NOTRANS;
}

bool ThyraLinearOpWithSolve::solveSupportsNewImpl(Thyra::EOpTransp transpose,
                                                  Teuchos::Ptr<Criteria const> criteria) const {
  if (!solveSupportsImpl(transpose)) return false;
  if (criteria.is_null()) return true;
  auto const& measure = criteria->solveMeasureType;
  return criteria->numeratorReductionFunc.is_null() && criteria->denominatorReductionFunc.is_null() &&
         (measure.useDefault() ||
          measure(Thyra::SOLVE_MEASURE_NORM_RESIDUAL, Thyra::SOLVE_MEASURE_NORM_RHS) ||
          measure(Thyra::SOLVE_MEASURE_NORM_RESIDUAL, Thyra::SOLVE_MEASURE_NORM_INIT_RESIDUAL));
}

bool ThyraLinearOpWithSolve::solveSupportsSolveMeasureTypeImpl(Thyra::EOpTransp transpose,
                                                               Thyra::SolveMeasureType const& measure) const {
  Criteria const criteria(measure, Criteria::unspecifiedTolerance());
  return solveSupportsNewImpl(transpose, Teuchos::ptrFromRef(criteria));
}

void ThyraLinearOpWithSolve::require_supported(Thyra::EOpTransp transpose,
                                               Teuchos::Ptr<Criteria const> criteria) const {
  require<std::logic_error>(!op_.is_null(), description(),
                            "::solve: it is not initialised; call its factory's initializeOp() before.");
  require<std::logic_error>(
      solveSupportsImpl(transpose), description(),
      "::solve: a transposed solve was requested (Tessera solves with the matrix only); if the "
      "matrix is symmetric, request NOTRANS.");
  require<std::logic_error>(
      solveSupportsNewImpl(transpose, criteria), description(),
      "::solve: the criteria use a norm that the solver does not compute; use the norm of the "
      "residual relative to the right-hand side or to the initial residual, without reduction "
      "functionals.");
}

belos::KrylovChoice ThyraLinearOpWithSolve::choice_for(Teuchos::Ptr<Criteria const> criteria) const {
  auto choice = *choice_;
  // As for Belos' solvers in Stratimikos: "Verbosity" selects what is printed, the verbosity level whether.
  if (choice.parameters.isParameter("Verbosity")) {
    bool const speaks = this->getVerbLevel() >= Teuchos::VERB_LOW;
    auto const nowhere = Teuchos::rcp(new Teuchos::oblackholestream);
    choice.parameters.set("Output Stream", speaks ? Teuchos::RCP<std::ostream>(this->getOStream())
                                                  : Teuchos::RCP<std::ostream>(nowhere));
  }
  if (criteria.is_null()) return choice;
  auto const& measure = criteria->solveMeasureType;
  if (!measure.useDefault()) {
    choice.relative_to_start = measure.denominator == Thyra::SOLVE_MEASURE_NORM_INIT_RESIDUAL;
    if (criteria->requestedTol != Criteria::unspecifiedTolerance()) choice.tolerance = criteria->requestedTol;
    TESSERA_VALIDATE(choice.tolerance > 0 && std::isfinite(choice.tolerance), description(),
                     "::solve: the requested tolerance is ", choice.tolerance,
                     " (no residual reaches it); it must be positive");
  }
  auto const& extra = criteria->extraParameters;
  if (!extra.is_null() && extra->isType<int>("Maximum Iterations")) {
    choice.max_iterations = extra->get<int>("Maximum Iterations");
    TESSERA_VALIDATE(choice.max_iterations > 0, description(), "::solve: \"Maximum Iterations\" is ",
                     choice.max_iterations, "; it must be positive");
  }
  return choice;
}

Thyra::SolveStatus<double> ThyraLinearOpWithSolve::solveImpl(Thyra::EOpTransp transpose, Vectors const& B,
                                                             Teuchos::Ptr<Vectors> const& X,
                                                             Teuchos::Ptr<Criteria const> criteria) const {
  require_supported(transpose, criteria);
  auto const choice = choice_for(criteria);
  using Extraction = Thyra::TpetraOperatorVectorExtraction<double, int, long long, Tpetra::Map<>::node_type>;
  auto const b = Extraction::getConstTpetraMultiVector(Teuchos::rcpFromRef(B));
  auto const x = Extraction::getTpetraMultiVector(Teuchos::rcpFromPtr(X));
  belos::require_fitting("Tessera::ThyraLinearOpWithSolve::solve", *solver_->matrix(), *b, *x);
  auto const report = stratimikos::as_solve_failure([&] { return solver_->solve(choice, *b, *x); });
  Status status;
  status.solveStatus = report.converged ? Thyra::SOLVE_STATUS_CONVERGED : Thyra::SOLVE_STATUS_UNCONVERGED;
  status.achievedTol = choice.relative_to_start ? report.reduction : report.relativeResidual;
  status.message = status_message(report);
  status.extraParameters = status_parameters(report, solver_->setup());
  return status;
}

}  // namespace Tessera::Details
