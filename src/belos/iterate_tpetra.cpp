#include <BelosSolverFactory_Tpetra.hpp>
#include <BelosTpetraAdapter.hpp>

#include "belos/iterate_def.hpp"

namespace Tessera::belos {

using Vectors = Tpetra::MultiVector<>;
using Operator = Tpetra::Operator<>;

void validate(KrylovChoice const& choice) {
  auto const valid = make_manager<Vectors, Operator>(choice.solver)->getValidParameters();
  try {
    choice.parameters.validateParameters(*valid, 0);
  } catch (Teuchos::Exceptions::InvalidParameter const& error) {
    throw core::InvalidInput("Linear Solver Types -> Belos -> Solver Types -> " + choice.solver + ": " +
                             error.what());
  }
}

template SolveOutcome iterate(KrylovChoice const&, Teuchos::RCP<Operator const> const&,
                              Teuchos::RCP<Operator const> const&, Teuchos::RCP<Vectors const> const&,
                              Teuchos::RCP<Vectors> const&, bool);

}  // namespace Tessera::belos
