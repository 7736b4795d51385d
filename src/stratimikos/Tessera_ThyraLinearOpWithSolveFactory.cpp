#include "Tessera_ThyraLinearOpWithSolveFactory.hpp"

#include <Teuchos_VerboseObjectParameterListHelpers.hpp>
#include <Teuchos_oblackholestream.hpp>
#include <Thyra_SolveSupportTypes.hpp>
#include <Thyra_TpetraThyraWrappers.hpp>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "Tessera_Details_Preconditioner.hpp"
#include "belos/krylov_choice.hpp"
#include "belos/linear_solver.hpp"
#include "belos/nullspace.hpp"
#include "core/error.hpp"
#include "parameters/messages.hpp"
#include "parameters/selection.hpp"

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

/// Runs work. \throws Thyra::CatastrophicSolveFailure for a core::NumericalError of work
template <class Work>
auto as_solve_failure(Work const& work) {
  try {
    return work();
  } catch (core::NumericalError const& error) {
    throw Thyra::CatastrophicSolveFailure(error.what());
  }
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
    bool const prints = this->getVerbLevel() >= Teuchos::VERB_LOW;
    auto const nowhere = Teuchos::rcp(new Teuchos::oblackholestream);
    choice.parameters.set("Output Stream", prints ? Teuchos::RCP<std::ostream>(this->getOStream())
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
  auto const report = as_solve_failure([&] { return solver_->solve(choice, *b, *x); });
  Status status;
  status.solveStatus = report.converged ? Thyra::SOLVE_STATUS_CONVERGED : Thyra::SOLVE_STATUS_UNCONVERGED;
  status.achievedTol = choice.relative_to_start ? report.reduction : report.relativeResidual;
  status.message = status_message(report);
  status.extraParameters = status_parameters(report, solver_->setup());
  return status;
}

ThyraLinearOpWithSolveFactory::ThyraLinearOpWithSolveFactory()
    : choice_(std::make_unique<belos::KrylovChoice>()) {}

ThyraLinearOpWithSolveFactory::~ThyraLinearOpWithSolveFactory() = default;

void ThyraLinearOpWithSolveFactory::setPreconditionerFactory(
    Teuchos::RCP<AnyPreconditionerFactory> const& factory, std::string const& name) {
  auto const mine = Teuchos::rcp_dynamic_cast<OurPreconditioners>(factory);
  TESSERA_VALIDATE(
      !mine.is_null(), description(), ": the preconditioner \"", name,
      "\" is not Tessera's (solver and preconditioner run in the same place); set \"Preconditioner Type\" to "
      "Tessera or None, or \"Linear Solver Type\" to Belos");
  preconditioners_ = mine;
  preconditioners_name_ = name;
}

void ThyraLinearOpWithSolveFactory::unsetPreconditionerFactory(
    Teuchos::RCP<AnyPreconditionerFactory>* factory, std::string* name) {
  if (factory) *factory = preconditioners_;
  if (name) *name = preconditioners_name_;
  preconditioners_ = Teuchos::null;
  preconditioners_name_.clear();
}

bool ThyraLinearOpWithSolveFactory::isCompatible(Source const& source) const {
  return OurPreconditioners().isCompatible(source);
}

Teuchos::RCP<Thyra::LinearOpWithSolveBase<double>> ThyraLinearOpWithSolveFactory::createOp() const {
  return Teuchos::rcp(new Tessera::ThyraLinearOpWithSolve<>);
}

auto ThyraLinearOpWithSolveFactory::ours(Target* target) const -> Ours& {
  auto* const mine = dynamic_cast<Ours*>(target);
  TESSERA_VALIDATE(mine != nullptr, description(),
                   ": the target was not made by createOp() (its type is another); call createOp()");
  return *mine;
}

auto ThyraLinearOpWithSolveFactory::matrix(Teuchos::RCP<Source const> const& source) const
    -> Teuchos::RCP<RowMatrix const> {
  TESSERA_VALIDATE(!source.is_null(), description(),
                   ": the source of the operator is null; give an operator");
  auto const A = OurPreconditioners::tpetraAs<RowMatrix>(source->getOp());
  TESSERA_VALIDATE(!A.is_null(), description(),
                   ": the operator is not a Tpetra::RowMatrix; wrap a Tpetra::CrsMatrix with "
                   "Thyra::createConstLinearOp");
  belos::require_complete(description(), A.getRawPtr());
  return A;
}

void ThyraLinearOpWithSolveFactory::set_up(Ours& target, Ours::Inputs const& inputs,
                                           Teuchos::RCP<RowMatrix const> const& A) const {
  if (!inputs.preconditioner.is_null()) {
    auto const M =
        OurPreconditioners::tpetraAs<Preconditioner>(inputs.preconditioner->getUnspecifiedPrecOp());
    TESSERA_VALIDATE(
        !M.is_null(), description(),
        ": the preconditioner was not made by Tessera::ThyraPreconditionerFactory; use that factory");
    target.solver_->take(A, M, false);
    return;
  }
  if (preconditioners_.is_null()) return target.solver_->set_up(A, nullptr, A);
  auto const list = preconditioners_->getParameterList();
  auto own = list.is_null() ? Teuchos::ParameterList("Tessera") : *list;
  parameters::choose_precision(own, choice_->solver, choice_->parameters);
  target.solver_->set_up(A, &own, inputs.approximation.is_null() ? A : matrix(inputs.approximation));
}

void ThyraLinearOpWithSolveFactory::initialize(Ours& target, Ours::Inputs const& inputs) const {
  parameters::require<std::logic_error>(
      inputs.use != Thyra::SUPPORT_SOLVE_TRANSPOSE_ONLY &&
          inputs.use != Thyra::SUPPORT_SOLVE_FORWARD_AND_TRANSPOSE,
      description(),
      ": a transposed solve was requested (Tessera solves with the matrix only); if "
      "the matrix is symmetric, request forward solves.");
  target.op_ = Teuchos::null;
  auto const A = matrix(inputs.source);
  auto said = belos::said(*choice_);
  said.emplace_back("Preconditioner Type", preconditioners_.is_null() ? "None" : "Tessera");
  parameters::require_same_on_all_ranks(*A->getComm(), said);
  as_solve_failure([&] { set_up(target, inputs, A); });
  *target.choice_ = *choice_;
  target.inputs_ = inputs;
  target.op_ = inputs.source->getOp();
  target.setOStream(this->getOStream());
  target.setVerbLevel(this->getVerbLevel());
}

void ThyraLinearOpWithSolveFactory::initializeOp(Teuchos::RCP<Source const> const& source, Target* target,
                                                 Thyra::ESupportSolveUse use) const {
  initialize(ours(target), {source, Teuchos::null, Teuchos::null, use});
}

bool ThyraLinearOpWithSolveFactory::supportsPreconditionerInputType(
    Thyra::EPreconditionerInputType type) const {
  return type == Thyra::PRECONDITIONER_INPUT_TYPE_AS_OPERATOR || !preconditioners_.is_null();
}

void ThyraLinearOpWithSolveFactory::initializePreconditionedOp(
    Teuchos::RCP<Source const> const& source, Teuchos::RCP<AnyPreconditioner const> const& preconditioner,
    Target* target, Thyra::ESupportSolveUse use) const {
  TESSERA_VALIDATE(!preconditioner.is_null(), description(),
                   ": the preconditioner is null; give a preconditioner");
  initialize(ours(target), {source, Teuchos::null, preconditioner, use});
}

void ThyraLinearOpWithSolveFactory::initializeApproxPreconditionedOp(
    Teuchos::RCP<Source const> const& source, Teuchos::RCP<Source const> const& approximation, Target* target,
    Thyra::ESupportSolveUse use) const {
  TESSERA_VALIDATE(!preconditioners_.is_null(), description(),
                   ": an approximation was given without a preconditioner factory (which would use it); set "
                   "\"Preconditioner Type\" to Tessera");
  TESSERA_VALIDATE(!approximation.is_null(), description(), ": the approximation is null; give an operator");
  initialize(ours(target), {source, approximation, Teuchos::null, use});
}

void ThyraLinearOpWithSolveFactory::uninitializeOp(Target* target, Teuchos::RCP<Source const>* source,
                                                   Teuchos::RCP<AnyPreconditioner const>* preconditioner,
                                                   Teuchos::RCP<Source const>* approximation,
                                                   Thyra::ESupportSolveUse* use) const {
  auto& mine = ours(target);
  if (source) *source = mine.inputs_.source;
  if (preconditioner) *preconditioner = mine.inputs_.preconditioner;
  if (approximation) *approximation = mine.inputs_.approximation;
  if (use) *use = mine.inputs_.use;
  mine.inputs_ = {};
  mine.op_ = Teuchos::null;
  mine.solver_->forget_matrix();
}

void ThyraLinearOpWithSolveFactory::setParameterList(Teuchos::RCP<Teuchos::ParameterList> const& list) {
  TESSERA_VALIDATE(!list.is_null(), description(),
                   "::setParameterList: the list is null; give a parameter list");
  auto const all = aroundList(list);
  char const* const type = "Linear Solver Type";
  if (!all.is_null() && all->isType<std::string>(type) && all->get<std::string>(type) == "Tessera")
    parameters::selection(all);
  auto const choice = belos::krylov_choice(parameters::solver_selection(list));
  Teuchos::ParameterList copy(*list);  // readVerboseObjectSublist adds defaults
  Teuchos::readVerboseObjectSublist(&copy, this);
  *choice_ = choice;
  list_ = list;
}

Teuchos::RCP<Teuchos::ParameterList> ThyraLinearOpWithSolveFactory::unsetParameterList() {
  auto const list = list_;
  list_ = Teuchos::null;
  *choice_ = belos::KrylovChoice();
  return list;
}

Teuchos::RCP<Teuchos::ParameterList const> ThyraLinearOpWithSolveFactory::getValidParameters() const {
  auto const list = Teuchos::rcp(new Teuchos::ParameterList("Tessera"));
  list->set("Solver Type", belos::KrylovChoice().solver,
            "A solver of Belos, TESSERA CG, or TESSERA FLEXIBLE CG.");
  list->set("Left Preconditioner If Unspecified", false, "Apply the preconditioner from the left.");
  list->set("Convergence Test Frequency", 1, "Has no effect; accepted for lists of Belos' factory.");
  list->sublist("Solver Types", false, "The parameters of each solver, in a sublist of its name.")
      .disableRecursiveValidation();
  Teuchos::setupVerboseObjectSublist(list.getRawPtr());
  return list;
}

}  // namespace Tessera::Details
