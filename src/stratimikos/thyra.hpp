#pragma once
/// \file
/// Conversions between Thyra and Tessera: wrapped operators, and exceptions.
#include <Thyra_SolveSupportTypes.hpp>
#include <Thyra_TpetraLinearOp.hpp>

#include "core/error.hpp"
#include "tpetra/types.hpp"

namespace Tessera::stratimikos {

/// The Tpetra operator in a Thyra operator; null if there is none.
inline Teuchos::RCP<Tpetra::Operator<> const> tpetra_operator(
    Teuchos::RCP<Thyra::LinearOpBase<double> const> const& op) {
  using Wrapper = Thyra::TpetraLinearOp<double, tpetra::LocalOrdinal, tpetra::GlobalOrdinal, tpetra::Node>;
  auto const wrapped = Teuchos::rcp_dynamic_cast<Wrapper const>(op);
  return wrapped.is_null() ? Teuchos::null : wrapped->getConstTpetraOperator();
}

/// The same if it is of this class, such as Tpetra::RowMatrix; else null.
template <class Class>
Teuchos::RCP<Class const> tpetra_as(Teuchos::RCP<Thyra::LinearOpBase<double> const> const& op) {
  return Teuchos::rcp_dynamic_cast<Class const>(tpetra_operator(op));
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

}  // namespace Tessera::stratimikos
