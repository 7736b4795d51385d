#include "Tessera_ThyraLinearOpWithSolveFactory.hpp"

#include <Teuchos_VerboseObjectParameterListHelpers.hpp>

#include "Tessera_Details_Preconditioner.hpp"
#include "belos/krylov_choice.hpp"
#include "belos/linear_solver.hpp"
#include "parameters/messages.hpp"
#include "parameters/selection.hpp"
#include "stratimikos/thyra.hpp"

namespace Tessera::Details {

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
  auto const A = stratimikos::tpetra_as<RowMatrix>(source->getOp());
  TESSERA_VALIDATE(!A.is_null(), description(),
                   ": the operator is not a Tpetra::RowMatrix; wrap a Tpetra::CrsMatrix with "
                   "Thyra::createConstLinearOp");
  belos::require_complete(description(), A.getRawPtr());
  return A;
}

void ThyraLinearOpWithSolveFactory::set_up(Ours& target, Ours::Inputs const& inputs,
                                           Teuchos::RCP<RowMatrix const> const& A) const {
  if (!inputs.preconditioner.is_null()) {
    auto const M = stratimikos::tpetra_as<Preconditioner>(inputs.preconditioner->getUnspecifiedPrecOp());
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
  stratimikos::as_solve_failure([&] { set_up(target, inputs, A); });
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
