#include "Tessera_ThyraLinearOpWithSolveFactory.hpp"

#include <Teuchos_VerboseObjectParameterListHelpers.hpp>

#include "Tessera_Details_Create.hpp"
#include "belos/krylov_choice.hpp"
#include "belos/linear_solver.hpp"
#include "parameters/precision.hpp"
#include "parameters/teuchos_text.hpp"
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
      "\" is none of Tessera's, which runs where the solver does; set \"Preconditioner Type\" to "
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
  TESSERA_VALIDATE(mine != nullptr, description(), ": the target was not made by createOp()");
  return *mine;
}

auto ThyraLinearOpWithSolveFactory::matrix(Teuchos::RCP<Source const> const& source) const
    -> Teuchos::RCP<RowMatrix const> {
  TESSERA_VALIDATE(!source.is_null(), description(), ": the source of an operator is null");
  auto const A = stratimikos::tpetra_as<RowMatrix>(source->getOp());
  TESSERA_VALIDATE(!A.is_null(), description(),
                   ": the operator is no Tpetra::RowMatrix; wrap a Tpetra::CrsMatrix with "
                   "Thyra::createConstLinearOp");
  belos::require_complete(description(), A.getRawPtr());
  return A;
}

void ThyraLinearOpWithSolveFactory::make(Ours& target, Ours::Given const& given,
                                         Teuchos::RCP<RowMatrix const> const& A) const {
  if (!given.preconditioner.is_null()) {
    auto const M = stratimikos::tpetra_as<Preconditioner>(given.preconditioner->getUnspecifiedPrecOp());
    TESSERA_VALIDATE(!M.is_null(), description(),
                     ": the preconditioner was not made by Tessera::ThyraPreconditionerFactory");
    target.solver_->take(A, M, false);
    return;
  }
  if (preconditioners_.is_null()) return target.solver_->set_up(A, nullptr, A);
  auto const list = preconditioners_->getParameterList();
  auto own = list.is_null() ? Teuchos::ParameterList("Tessera") : *list;
  parameters::choose_precision(own, choice_->solver, choice_->parameters);
  target.solver_->set_up(A, &own, given.approximation.is_null() ? A : matrix(given.approximation));
}

void ThyraLinearOpWithSolveFactory::initialize(Ours& target, Ours::Given const& given) const {
  parameters::require<std::logic_error>(given.use != Thyra::SUPPORT_SOLVE_TRANSPOSE_ONLY &&
                                            given.use != Thyra::SUPPORT_SOLVE_FORWARD_AND_TRANSPOSE,
                                        description(),
                                        ": there are no solves with the transpose; where the matrix is "
                                        "symmetric, ask for forward solves.");
  target.op_ = Teuchos::null;
  auto const A = matrix(given.source);
  auto said = belos::said(*choice_);
  said.emplace_back("Preconditioner Type", preconditioners_.is_null() ? "None" : "Tessera");
  parameters::require_same_on_all_ranks(*A->getComm(), said);
  stratimikos::or_catastrophe([&] { make(target, given, A); });
  *target.choice_ = *choice_;
  target.given_ = given;
  target.op_ = given.source->getOp();
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
  TESSERA_VALIDATE(!preconditioner.is_null(), description(), ": the preconditioner is null");
  initialize(ours(target), {source, Teuchos::null, preconditioner, use});
}

void ThyraLinearOpWithSolveFactory::initializeApproxPreconditionedOp(
    Teuchos::RCP<Source const> const& source, Teuchos::RCP<Source const> const& approximation, Target* target,
    Thyra::ESupportSolveUse use) const {
  TESSERA_VALIDATE(!preconditioners_.is_null(), description(),
                   ": there is no preconditioner factory to take the approximation; set \"Preconditioner "
                   "Type\" to Tessera");
  TESSERA_VALIDATE(!approximation.is_null(), description(), ": the approximation is null");
  initialize(ours(target), {source, approximation, Teuchos::null, use});
}

void ThyraLinearOpWithSolveFactory::uninitializeOp(Target* target, Teuchos::RCP<Source const>* source,
                                                   Teuchos::RCP<AnyPreconditioner const>* preconditioner,
                                                   Teuchos::RCP<Source const>* approximation,
                                                   Thyra::ESupportSolveUse* use) const {
  auto& mine = ours(target);
  if (source) *source = mine.given_.source;
  if (preconditioner) *preconditioner = mine.given_.preconditioner;
  if (approximation) *approximation = mine.given_.approximation;
  if (use) *use = mine.given_.use;
  mine.given_ = {};
  mine.op_ = Teuchos::null;
  mine.solver_->forget_matrix();
}

void ThyraLinearOpWithSolveFactory::setParameterList(Teuchos::RCP<Teuchos::ParameterList> const& list) {
  TESSERA_VALIDATE(!list.is_null(), description(), "::setParameterList: the list is null");
  auto const all = aroundList(list);
  char const* const type = "Linear Solver Type";
  if (!all.is_null() && all->isType<std::string>(type) && all->get<std::string>(type) == "Tessera")
    parameters::selection(all);
  auto const choice = belos::krylov_choice(parameters::solver_selection(list));
  Teuchos::ParameterList copy(*list);  // which gets defaults
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
            "A solver of Belos', or TESSERA CG or TESSERA FLEXIBLE CG.");
  list->set("Left Preconditioner If Unspecified", false, "The preconditioner stands on the left.");
  list->set("Convergence Test Frequency", 1, "Has no effect: for lists that were Belos'.");
  list->sublist("Solver Types", false, "The parameters of each solver, in a sublist of its name.")
      .disableRecursiveValidation();
  Teuchos::setupVerboseObjectSublist(list.getRawPtr());
  return list;
}

}  // namespace Tessera::Details
