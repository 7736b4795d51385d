#include "belos/nullspace.hpp"

#include <BelosTpetraAdapter.hpp>

#include "belos/matrix_faults.hpp"
#include "belos/operators.hpp"
#include "ifpack2/Tessera_Details_Preconditioner.hpp"
#include "krylov/explain.hpp"

namespace Tessera::belos {
namespace {

/// Null where nobody knows any.
Teuchos::RCP<Tpetra::MultiVector<> const> known_nullspace(Tpetra::Operator<> const* M) {
  auto const* const ours = dynamic_cast<Details::Preconditioner const*>(M);
  return ours == nullptr ? Teuchos::null : ours->nearNullspace();
}

}  // namespace

Teuchos::RCP<Tpetra::MultiVector<> const> likely_nullspace(Tpetra::MultiVector<> const& like,
                                                           Teuchos::RCP<Tpetra::Operator<> const> const& M) {
  auto const known = known_nullspace(M.getRawPtr());
  if (!known.is_null()) return known;
  auto const constant = Teuchos::rcp(new Tpetra::MultiVector<>(like.getMap(), 1));
  constant->putScalar(1);
  return constant;
}

Teuchos::RCP<ResidentMultiVector const> likely_nullspace(ResidentMultiVector const& like,
                                                         Teuchos::RCP<ResidentOperator const> const& M) {
  auto const* const ours = dynamic_cast<PreconditionerOperator const*>(M.getRawPtr());
  auto const known = ours == nullptr ? Teuchos::null : known_nullspace(ours->origin());
  int const columns = known.is_null() ? 1 : static_cast<int>(known->getNumVectors());
  auto const vectors = Teuchos::rcp(new ResidentMultiVector(like, columns));
  if (known.is_null()) {
    vectors->fill(1);
  } else {
    vectors->upload(*known);
  }
  return vectors;
}

std::string taken_out_text(double share) {
  return krylov::percent(share) + " of the right-hand side, in the matrix's nullspace, was taken out";
}

bool may_be_symmetric(Tpetra::Operator<> const& A) {
  return asymmetry(A).empty();
}

}  // namespace Tessera::belos
