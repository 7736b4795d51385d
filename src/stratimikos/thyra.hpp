#pragma once
/// \file
/// Between Thyra and Tessera: what Thyra wraps, and our exceptions as Thyra's.
#include <Thyra_SolveSupportTypes.hpp>
#include <Thyra_TpetraLinearOp.hpp>

#include "core/error.hpp"
#include "tpetra/types.hpp"

namespace Tessera::stratimikos {

/// The Tpetra operator inside a Thyra one; null where there is none.
inline Teuchos::RCP<Tpetra::Operator<> const> tpetra_operator(
    Teuchos::RCP<Thyra::LinearOpBase<double> const> const& op) {
  using Wrapper = Thyra::TpetraLinearOp<double, tpetra::LocalOrdinal, tpetra::GlobalOrdinal, tpetra::Node>;
  auto const wrapped = Teuchos::rcp_dynamic_cast<Wrapper const>(op);
  return wrapped.is_null() ? Teuchos::null : wrapped->getConstTpetraOperator();
}

/// The same where it is of this class, such as Tpetra::RowMatrix; else null.
template <class Class>
Teuchos::RCP<Class const> tpetra_as(Teuchos::RCP<Thyra::LinearOpBase<double> const> const& op) {
  return Teuchos::rcp_dynamic_cast<Class const>(tpetra_operator(op));
}

/// Does it. \throws Thyra::CatastrophicSolveFailure where that fails for what numbers are
template <class Work>
auto or_catastrophe(Work const& work) {
  try {
    return work();
  } catch (core::NumericalError const& error) {
    throw Thyra::CatastrophicSolveFailure(error.what());
  }
}

}  // namespace Tessera::stratimikos
