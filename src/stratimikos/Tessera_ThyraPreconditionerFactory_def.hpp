#pragma once
/// \file
/// Bodies of ThyraPreconditionerFactory; compiled ahead of time.
#include <Thyra_DefaultPreconditioner.hpp>
#include <Thyra_TpetraThyraWrappers.hpp>

#include "Tessera_Details_Create.hpp"
#include "Tessera_Details_TpetraOperator.hpp"
#include "Tessera_SmoothedAggregation_decl.hpp"
#include "Tessera_ThyraPreconditionerFactory_decl.hpp"

namespace Tessera {
template <class LO, class GO, class Node>
bool ThyraPreconditionerFactory<LO, GO, Node>::isCompatible(Source const& source) const {
  auto const op = Details::tpetraOperator<LO, GO, Node>(source.getOp());
  return !Teuchos::rcp_dynamic_cast<RowMatrix const>(op).is_null();
}

template <class LO, class GO, class Node>
Teuchos::RCP<Thyra::PreconditionerBase<double>> ThyraPreconditionerFactory<LO, GO, Node>::createPrec() const {
  return Teuchos::rcp(new Thyra::DefaultPreconditioner<double>);
}

template <class LO, class GO, class Node>
void ThyraPreconditionerFactory<LO, GO, Node>::initializePrec(Teuchos::RCP<Source const> const& source,
                                                              Target* target, Thyra::ESupportSolveUse) const {
  TEUCHOS_TEST_FOR_EXCEPTION(source.is_null() || target == nullptr, std::invalid_argument,
                             description() << "::initializePrec: source or target is null.");
  auto const A =
      Teuchos::rcp_dynamic_cast<RowMatrix const>(Details::tpetraOperator<LO, GO, Node>(source->getOp()));
  TEUCHOS_TEST_FOR_EXCEPTION(A.is_null(), std::invalid_argument,
                             description()
                                 << "::initializePrec: the operator is no Tpetra::RowMatrix; wrap a "
                                    "Tpetra::CrsMatrix with Thyra::createConstLinearOp.");
  auto* const preconditioner = dynamic_cast<Thyra::DefaultPreconditioner<double>*>(target);
  TEUCHOS_TEST_FOR_EXCEPTION(preconditioner == nullptr, std::invalid_argument,
                             description() << "::initializePrec: the target was not made by createPrec().");
  auto const old = Details::tpetraOperator<LO, GO, Node>(preconditioner->getUnspecifiedPrecOp());
  auto const before = Teuchos::rcp_const_cast<Details::Preconditioner<RowMatrix>>(
      Teuchos::rcp_dynamic_cast<Details::Preconditioner<RowMatrix> const>(old));
  auto const list = list_.is_null() ? Teuchos::ParameterList("Tessera") : Details::besideItsSolver(list_);
  auto const M = Details::create(list, A, before);
  M->compute();
  Teuchos::RCP<Tpetra::Operator<double, LO, GO, Node>> const op = M;
  preconditioner->initializeUnspecified(Thyra::createLinearOp<double, LO, GO, Node>(op));
}

template <class LO, class GO, class Node>
void ThyraPreconditionerFactory<LO, GO, Node>::uninitializePrec(Target* target,
                                                                Teuchos::RCP<Source const>* source,
                                                                Thyra::ESupportSolveUse* use) const {
  auto* const preconditioner = dynamic_cast<Thyra::DefaultPreconditioner<double>*>(target);
  TEUCHOS_TEST_FOR_EXCEPTION(preconditioner == nullptr, std::invalid_argument,
                             description() << "::uninitializePrec: the target was not made by createPrec().");
  if (source) *source = Teuchos::null;
  if (use) *use = Thyra::SUPPORT_SOLVE_UNSPECIFIED;
  preconditioner->uninitialize();
}

template <class LO, class GO, class Node>
void ThyraPreconditionerFactory<LO, GO, Node>::setParameterList(
    Teuchos::RCP<Teuchos::ParameterList> const& list) {
  TEUCHOS_TEST_FOR_EXCEPTION(list.is_null(), std::invalid_argument,
                             description() << "::setParameterList: the list is null.");
  Details::create(*list, Teuchos::null);
  list_ = list;
}

template <class LO, class GO, class Node>
Teuchos::RCP<Teuchos::ParameterList> ThyraPreconditionerFactory<LO, GO, Node>::getNonconstParameterList() {
  return list_;
}

template <class LO, class GO, class Node>
Teuchos::RCP<Teuchos::ParameterList> ThyraPreconditionerFactory<LO, GO, Node>::unsetParameterList() {
  auto const list = list_;
  list_ = Teuchos::null;
  return list;
}

template <class LO, class GO, class Node>
Teuchos::RCP<Teuchos::ParameterList const> ThyraPreconditionerFactory<LO, GO, Node>::getParameterList()
    const {
  return list_;
}

template <class LO, class GO, class Node>
Teuchos::RCP<Teuchos::ParameterList const> ThyraPreconditionerFactory<LO, GO, Node>::getValidParameters()
    const {
  return SmoothedAggregation<RowMatrix>(Teuchos::null).getValidParameters();
}

template <class LO, class GO, class Node>
std::string ThyraPreconditionerFactory<LO, GO, Node>::description() const {
  return "Tessera::ThyraPreconditionerFactory";
}

}  // namespace Tessera

#define TESSERA_THYRAPRECONDITIONERFACTORY_INSTANT(LO, GO, N) \
  template class Tessera::ThyraPreconditionerFactory<LO, GO, N>;
