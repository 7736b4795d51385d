#include "Tessera_ThyraPreconditionerFactory.hpp"

#include <Thyra_DefaultPreconditioner.hpp>
#include <Thyra_TpetraLinearOp.hpp>
#include <Thyra_TpetraThyraWrappers.hpp>

#include "Tessera_Details_Preconditioner.hpp"
#include "parameters/messages.hpp"
#include "tpetra/types.hpp"

namespace Tessera::Details {

using parameters::require;

namespace {

/// A preconditioner with the source of its initialisation, which uninitializePrec() returns.
struct Initialized : Thyra::DefaultPreconditioner<double> {
  Teuchos::RCP<Thyra::LinearOpSourceBase<double> const> source;
};

}  // namespace

Teuchos::RCP<Tpetra::Operator<> const> ThyraPreconditionerFactory::tpetraOperator(
    Teuchos::RCP<Thyra::LinearOpBase<double> const> const& op) {
  using Wrapper = Thyra::TpetraLinearOp<double, tpetra::LocalOrdinal, tpetra::GlobalOrdinal, tpetra::Node>;
  auto const wrapped = Teuchos::rcp_dynamic_cast<Wrapper const>(op);
  return wrapped.is_null() ? Teuchos::null : wrapped->getConstTpetraOperator();
}

bool ThyraPreconditionerFactory::isCompatible(Source const& source) const {
  return !tpetraAs<RowMatrix>(source.getOp()).is_null();
}

Teuchos::RCP<Thyra::PreconditionerBase<double>> ThyraPreconditionerFactory::createPrec() const {
  return Teuchos::rcp(new Initialized);
}

void ThyraPreconditionerFactory::initializePrec(Teuchos::RCP<Source const> const& source, Target* target,
                                                Thyra::ESupportSolveUse) const {
  require<std::invalid_argument>(!source.is_null() && target != nullptr, description(),
                                 "::initializePrec: source or target is null; give both.");
  auto const A = tpetraAs<RowMatrix>(source->getOp());
  require<std::invalid_argument>(!A.is_null(), description(),
                                 "::initializePrec: the operator is not a Tpetra::RowMatrix; wrap a "
                                 "Tpetra::CrsMatrix with Thyra::createConstLinearOp.");
  auto* const preconditioner = dynamic_cast<Initialized*>(target);
  require<std::invalid_argument>(
      preconditioner != nullptr, description(),
      "::initializePrec: the target was not made by createPrec(); call createPrec().");
  auto const before = Teuchos::rcp_const_cast<Preconditioner>(
      tpetraAs<Preconditioner>(preconditioner->getUnspecifiedPrecOp()));
  auto const list = list_.is_null() ? Teuchos::ParameterList("Tessera") : resolveSolverDefaults(list_);
  auto const M = create(list, A, before);
  M->compute();
  Teuchos::RCP<Tpetra::Operator<>> const op = M;
  preconditioner->initializeUnspecified(Thyra::createLinearOp(op));
  preconditioner->source = source;
}

void ThyraPreconditionerFactory::uninitializePrec(Target* target, Teuchos::RCP<Source const>* source,
                                                  Thyra::ESupportSolveUse* use) const {
  auto* const preconditioner = dynamic_cast<Initialized*>(target);
  require<std::invalid_argument>(
      preconditioner != nullptr, description(),
      "::uninitializePrec: the target was not made by createPrec(); call createPrec().");
  if (source) *source = preconditioner->source;
  preconditioner->source = Teuchos::null;
  if (use) *use = Thyra::SUPPORT_SOLVE_UNSPECIFIED;
  preconditioner->uninitialize();
}

void ThyraPreconditionerFactory::setParameterList(Teuchos::RCP<Teuchos::ParameterList> const& list) {
  require<std::invalid_argument>(!list.is_null(), description(),
                                 "::setParameterList: the list is null; give a parameter list.");
  create(*list, Teuchos::null);
  list_ = list;
}

Teuchos::RCP<Teuchos::ParameterList> ThyraPreconditionerFactory::unsetParameterList() {
  auto const list = list_;
  list_ = Teuchos::null;
  return list;
}

Teuchos::RCP<Teuchos::ParameterList const> ThyraPreconditionerFactory::getValidParameters() const {
  return create(Teuchos::ParameterList(), Teuchos::null)->getValidParameters();
}

}  // namespace Tessera::Details
