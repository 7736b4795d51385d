#pragma once
/// \file
/// What Thyra wraps.
#include <Thyra_TpetraLinearOp.hpp>

namespace Tessera {
namespace Details {

/// The Tpetra operator inside a Thyra one; null where there is none.
template <class LO, class GO, class Node>
Teuchos::RCP<Tpetra::Operator<double, LO, GO, Node> const> tpetraOperator(
    Teuchos::RCP<Thyra::LinearOpBase<double> const> const& op) {
  auto const wrapped = Teuchos::rcp_dynamic_cast<Thyra::TpetraLinearOp<double, LO, GO, Node> const>(op);
  if (wrapped.is_null()) return Teuchos::null;
  return wrapped->getConstTpetraOperator();
}

}  // namespace Details
}  // namespace Tessera
