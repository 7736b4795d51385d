#include "Tessera_Details_Create.hpp"

#include "Tessera_Fsai.hpp"
#include "Tessera_SmoothedAggregation.hpp"
#include "parameters/parse.hpp"

namespace Tessera::Details {
namespace {

using Matrix = Tpetra::RowMatrix<>;
using Pointer = Teuchos::RCP<Preconditioner<Matrix>>;

template <class Class>
Pointer made(Teuchos::ParameterList const& list, Teuchos::RCP<Matrix const> const& A, Pointer M) {
  if (Teuchos::rcp_dynamic_cast<Class>(M).is_null()) {
    M = Teuchos::rcp(new Class(A));
  } else {
    M->setMatrix(A);  // nothing where A is the same: compute() then refreshes
  }
  M->setParameters(list);
  return M;
}

}  // namespace

Pointer create(Teuchos::ParameterList const& list, Teuchos::RCP<Matrix const> const& A, Pointer const& old) {
  return parameters::parse(list).algorithm == parameters::Algorithm::fsai
             ? made<Fsai<Matrix>>(list, A, old)
             : made<SmoothedAggregation<Matrix>>(list, A, old);
}

}  // namespace Tessera::Details
