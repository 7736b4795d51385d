#include <BelosTpetraAdapter.hpp>

#include "belos/Tessera_ResidentSystem.hpp"
#include "belos/conjugate_gradients_def.hpp"
#include "belos/operators.hpp"
#include "ifpack2/Tessera_Details_Preconditioner_decl.hpp"
#include "tpetra/types.hpp"

namespace Tessera::belos {
namespace {

using Vectors = Tpetra::MultiVector<>;
using Operator = Tpetra::Operator<>;
using Ours = Details::Preconditioner<tpetra::RowMatrix>;

/// Somebody else's preconditioner for vectors of ours on the host.
class Foreign final : public ResidentOperator {
 public:
  explicit Foreign(Teuchos::RCP<Operator const> M)
      : M_(std::move(M)), x_(M_->getDomainMap(), 1), y_(M_->getRangeMap(), 1) {}

  void apply(ResidentMultiVector const& X, ResidentMultiVector& Y) const override {
    for (int j = 0; j < X.columns(); ++j) {
      X.view({j})->download(x_);
      M_->apply(x_, y_);
      Y.view({j})->upload(y_);
    }
  }

 private:
  Teuchos::RCP<Operator const> M_;
  mutable Vectors x_, y_;
};

/// Where the matrix and the preconditioner are taken to.
struct Placed {
  ResidentSystem system;
  Teuchos::RCP<ResidentOperator const> preconditioner;
};

Placed place(Teuchos::RCP<Operator const> const& A, Teuchos::RCP<Operator const> const& M) {
  auto const rows = Teuchos::rcp_dynamic_cast<tpetra::RowMatrix const>(A);
  TEUCHOS_TEST_FOR_EXCEPTION(rows.is_null(), std::invalid_argument,
                             "Tessera's conjugate gradients: the problem's operator is no Tpetra::RowMatrix; "
                             "use Belos' \"Pseudo Block CG\".");
  auto const ours = Teuchos::rcp_dynamic_cast<Ours const>(M);
  if (!ours.is_null()) {
    bool const own = ours->getMatrix().getRawPtr() == rows.getRawPtr();
    auto const system = own ? ResidentSystem(M) : ResidentSystem(rows, M);
    return {system, system.preconditioner()};
  }
  auto const system = ResidentSystem::ofMatrix(rows, "host");
  return {system, M.is_null() ? Teuchos::null : Teuchos::rcp(new Foreign(M))};
}

}  // namespace

template <>
std::vector<krylov::Result> run(TpetraProblem const& problem, krylov::Parameters const& parameters,
                                Workspaces& workspaces) {
  auto const placed = place(problem.getOperator(), preconditioner_of(problem));
  auto const b = placed.system.upload(*problem.getRHS());
  auto const x = placed.system.upload(*problem.getLHS());
  ResidentProblem resident(placed.system.matrix(), x, b);
  resident.setRightPrec(placed.preconditioner);
  auto const results = run(resident, parameters, workspaces);
  x->download(*problem.getLHS());
  return results;
}

template <>
bool prints(TpetraProblem const& problem) {
  return problem.getRHS()->getMap()->getComm()->getRank() == 0;
}

template class ConjugateGradients<Vectors, Operator>;

}  // namespace Tessera::belos
