#include "belos/conjugate_gradients_def.hpp"
#include "belos/operators.hpp"
#include "ifpack2/range_of_float.hpp"

namespace Tessera::belos {
namespace {

/// An operator of ours as it is; any other as a function on spans.
krylov::Preconditioner on_spans(Teuchos::RCP<ResidentOperator const> const& M,
                                ResidentMultiVector const& like) {
  if (M.is_null()) return {};
  if (auto const* ours = dynamic_cast<PreconditionerOperator const*>(M.getRawPtr())) {
    ours->require(like.residence());
    return ours->preconditioner();
  }
  krylov::Preconditioner wrapped;
  wrapped.apply = [M, like](Span<double const> r, Span<double> z) {
    ResidentMultiVector const R(like, {const_cast<double*>(r.data())});
    ResidentMultiVector Z(like, {z.data()});
    M->apply(R, Z);
  };
  return wrapped;
}

/// The same system divided by a power of two, which changes no bit of what float holds.
template <class Space>
krylov::Result solve_scaled(MatrixOperator<Space> const& A, krylov::Preconditioner const& M,
                            ResidentMultiVector const& B, ResidentMultiVector& X, int j, double scale,
                            krylov::Parameters parameters, krylov::Workspace<Space>& workspace) {
  ResidentMultiVector b(B, 1);
  auto const x = X.view({j});
  b.combine(1 / scale, *B.view({j}), 0, *B.view({j}));
  x->scale({1 / scale});
  if (parameters.relative_to == krylov::RelativeTo::one) parameters.tolerance /= scale;
  auto const result = krylov::solve(A.space(), A.matrix(), M, column(std::as_const(b), 0), column(*x, 0),
                                    parameters, workspace);
  x->scale({scale});
  return result;
}

template <class Space>
std::vector<krylov::Result> run_on(MatrixOperator<Space> const& A, krylov::Preconditioner const& M,
                                   ResidentMultiVector const& B, ResidentMultiVector& X,
                                   krylov::Parameters const& parameters,
                                   krylov::Workspace<Space>& workspace) {
  A.require(B.residence());
  A.require(X.residence());
  std::vector<krylov::Result> results;
  for (int j = 0; j < B.columns(); ++j) {
    results.push_back(
        krylov::solve(A.space(), A.matrix(), M, column(B, j), column(X, j), parameters, workspace));
    if (results.back().converged) continue;
    double const scale = ifpack2::scale_for_float(B.view({j})->normsInf().front(), 1);
    if (scale != 1) results.back() = solve_scaled(A, M, B, X, j, scale, parameters, workspace);
  }
  return results;
}

}  // namespace

template <>
std::vector<krylov::Result> run(ResidentProblem const& problem, krylov::Parameters const& parameters,
                                Workspaces& workspaces) {
  auto const* A = problem.getOperator().getRawPtr();
  auto const& B = *problem.getRHS();
  auto& X = *problem.getLHS();
  auto const M = on_spans(preconditioner_of(problem), B);
  if (auto const* matrix = dynamic_cast<MatrixOperator<Host> const*>(A)) {
    return run_on(*matrix, M, B, X, parameters, workspaces.host);
  }
#if defined(TESSERA_HAVE_CUDA)
  if (auto const* matrix = dynamic_cast<MatrixOperator<Cuda> const*>(A)) {
    return run_on(*matrix, M, B, X, parameters, workspaces.cuda);
  }
#endif
  TEUCHOS_TEST_FOR_EXCEPTION(true, std::invalid_argument,
                             "Tessera's conjugate gradients: the problem's operator is none of "
                             "Tessera::ResidentSystem; for one of your own use Belos' \"Pseudo Block CG\".");
}

template <>
bool prints(ResidentProblem const& problem) {
  return problem.getRHS()->residence().rows().comm().rank() == 0;
}

template class ConjugateGradients<ResidentMultiVector, ResidentOperator>;

}  // namespace Tessera::belos
