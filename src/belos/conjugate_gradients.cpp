#include "belos/conjugate_gradients.hpp"

#include <BelosCGIteration.hpp>
#include <BelosTpetraAdapter.hpp>
#include <Teuchos_TimeMonitor.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <ostream>

#include "belos/Tessera_ResidentSystem.hpp"
#include "belos/krylov_choice.hpp"
#include "belos/nullspace.hpp"
#include "belos/operators.hpp"
#include "belos/system_vectors.hpp"
#include "ifpack2/Tessera_Details_Preconditioner.hpp"
#include "ifpack2/user_data.hpp"
#include "krylov/conjugate_gradients.hpp"
#include "parameters/messages.hpp"
#include "tpetra/types.hpp"

namespace Tessera::belos {
namespace {

using parameters::require;
using Vectors = Tpetra::MultiVector<>;
using Operator = Tpetra::Operator<>;
using ResidentProblem = Belos::LinearProblem<double, ResidentMultiVector, ResidentOperator>;
using TpetraProblem = Belos::LinearProblem<double, Vectors, Operator>;
using AnyWorkspace = ifpack2::OnAnySpace<krylov::Workspace>;
using Ours = Details::Preconditioner;

/// A third-party preconditioner, applied to Tessera's vectors on the host.
class ThirdPartyOperator final : public ResidentOperator {
 public:
  explicit ThirdPartyOperator(Teuchos::RCP<Operator const> M)
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

/// Matrix and preconditioner for Tessera's vectors.
struct ResidentOperators {
  ResidentSystem system;
  Teuchos::RCP<ResidentOperator const> preconditioner;
};

}  // namespace

/// The operators and copies of vectors of the last solve.
struct KeptSystem {
  std::uint64_t compute = 0;  ///< Preconditioner::computeId() when `operators` was made
  std::optional<ResidentOperators> operators;
  VectorCopies copies;
};

namespace {

ResidentOperators resident_operators(Teuchos::RCP<Operator const> const& A,
                                     Teuchos::RCP<Operator const> const& M) {
  auto const rows = Teuchos::rcp_dynamic_cast<tpetra::RowMatrix const>(A);
  require<std::invalid_argument>(!rows.is_null(),
                                 "Tessera's conjugate gradients: the problem's operator is no "
                                 "Tpetra::RowMatrix; use Belos' \"Pseudo Block CG\".");
  auto const ours = Teuchos::rcp_dynamic_cast<Ours const>(M);
  if (!ours.is_null()) {
    bool const own = ours->getMatrix().getRawPtr() == rows.getRawPtr();
    auto const system = own ? ResidentSystem(M) : ResidentSystem(rows, M);
    return {system, system.preconditioner()};
  }
  auto const system = ResidentSystem::ofMatrix(rows, "host");
  return {system, M.is_null() ? Teuchos::null : Teuchos::rcp(new ThirdPartyOperator(M))};
}

/// The left or right preconditioner of a problem, which have the same effect; null if there is none.
template <class Problem>
auto preconditioner_of(Problem const& problem) {
  auto const left = problem.getLeftPrec(), right = problem.getRightPrec();
  require<std::invalid_argument>(left.is_null() || right.is_null(),
                                 "Tessera's conjugate gradients: the problem has a left and a right "
                                 "preconditioner; set one of them.");
  return left.is_null() ? right : left;
}

/// The preconditioner of a PreconditionerOperator; any other operator as a function on spans.
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

/// Solves the system divided by a power of two, which changes no mantissa bit of its float values.
template <class Solve>
krylov::Result solve_scaled(ResidentMultiVector const& B, ResidentMultiVector& X, int j, double scale,
                            krylov::Parameters parameters, Solve const& solve) {
  ResidentMultiVector b(B, 1);
  auto const x = X.view({j});
  b.combine(1 / scale, *B.view({j}), 0, *B.view({j}));
  x->scale({1 / scale});
  if (parameters.relative_to == krylov::RelativeTo::one) parameters.tolerance /= scale;
  parameters.absolute_tolerance /= scale;
  auto result = solve(column(std::as_const(b), 0), column(*x, 0), parameters);
  x->scale({scale});
  if (result.converged && !std::isfinite(x->normsInf().front())) {
    result.converged = false;
    result.stop = krylov::Stop::not_finite;
    result.reason = krylov::out_of_range_text();
  }
  return result;
}

/// Solves for all right-hand sides of a problem.
std::vector<krylov::Result> run(ResidentProblem const& problem, krylov::Parameters const& parameters,
                                AnyWorkspace& any_workspace, KeptSystem&) {
  auto const* A = dynamic_cast<MatrixOperator const*>(problem.getOperator().getRawPtr());
  require<std::invalid_argument>(
      A != nullptr,
      "Tessera's conjugate gradients: the problem's operator is none of "
      "Tessera::ResidentSystem; for one of your own use Belos' \"Pseudo Block CG\".");
  auto const& B = *problem.getRHS();
  auto& X = *problem.getLHS();
  auto const M = on_spans(preconditioner_of(problem), B);
  A->require(B.residence());
  A->require(X.residence());
  return A->on_space([&](auto const& space, auto const& matrix) {
    auto& workspace = workspace_on(space, any_workspace);
    auto const solve = [&](Span<double const> b, Span<double> x, krylov::Parameters const& how) {
      return krylov::solve(space, matrix, M, b, x, how, workspace);
    };
    std::vector<Span<double const>> b;
    std::vector<Span<double>> x;
    for (int j = 0; j < B.columns(); ++j) {
      b.push_back(column(B, j));
      x.push_back(column(X, j));
    }
    auto results = krylov::solve_columns(space, matrix, M, b, x, parameters, workspace);
    for (int j = 0; j < B.columns(); ++j) {
      if (results[j].converged) continue;
      double const scale = ifpack2::scale_for_float(B.view({j})->normsInf().front(), 1);
      if (scale != 1) results[j] = solve_scaled(B, X, j, scale, parameters, solve);
    }
    return results;
  });
}

/// A preconditioner of Tessera that is applied to its own matrix: the operators hold until its next
/// compute(). Others are made for each solve.
ResidentOperators const& operators_for(TpetraProblem const& problem, KeptSystem& kept) {
  auto const A = problem.getOperator(), M = preconditioner_of(problem);
  auto const* const ours = dynamic_cast<Ours const*>(M.getRawPtr());
  bool const own =
      ours != nullptr && static_cast<Operator const*>(ours->getMatrix().getRawPtr()) == A.getRawPtr();
  auto const compute = own ? ours->computeId() : 0;
  if (compute == 0 || kept.compute != compute) {
    kept.compute = 0;
    kept.operators.reset();  // before the new ones need the memory
    kept.operators = resident_operators(A, M);
    kept.compute = compute;
  }
  return *kept.operators;
}

std::vector<krylov::Result> run(TpetraProblem const& problem, krylov::Parameters const& parameters,
                                AnyWorkspace& workspace, KeptSystem& kept) {
  auto const& operators = operators_for(problem, kept);
  SystemVectors vectors(operators.system, *problem.getRHS(), *problem.getLHS(), kept.copies);
  ResidentProblem resident(operators.system.matrix(), vectors.x, vectors.b);
  resident.setRightPrec(operators.preconditioner);
  auto const results = run(resident, parameters, workspace, kept);
  vectors.finish();
  return results;
}

/// Runs work. Rethrows exceptions of Teuchos as the same type, with the plain message.
template <class Work>
void in_plain_text(Work const& work) {
  using namespace Teuchos::Exceptions;
  try {
    work();
  } catch (InvalidParameterName const& error) {
    throw InvalidParameterName(parameters::plain_text(error.what()));
  } catch (InvalidParameterType const& error) {
    throw InvalidParameterType(parameters::plain_text(error.what()));
  } catch (InvalidParameterValue const& error) {
    throw InvalidParameterValue(parameters::plain_text(error.what()));
  }
}

/// Details::Preconditioner::observeRegions() of a preconditioner of Tessera.
std::shared_ptr<void const> observed_by(Teuchos::RCP<Operator const> const& M) {
  auto const* const ours = dynamic_cast<Ours const*>(M.getRawPtr());
  return ours == nullptr ? nullptr : ours->observeRegions();
}

std::shared_ptr<void const> observed_by(Teuchos::RCP<ResidentOperator const> const& M) {
  auto const* const placed = dynamic_cast<PreconditionerOperator const*>(M.getRawPtr());
  auto const* const ours = placed == nullptr ? nullptr : dynamic_cast<Ours const*>(placed->origin());
  return ours == nullptr ? nullptr : ours->observeRegions();
}

/// Whether this is the rank that prints.
bool prints(TpetraProblem const& problem) {
  return problem.getRHS()->getMap()->getComm()->getRank() == 0;
}

bool prints(ResidentProblem const& problem) {
  return problem.getRHS()->residence().rows().comm().rank() == 0;
}

}  // namespace

template <class MV, class OP>
ConjugateGradients<MV, OP>::ConjugateGradients(bool flexible)
    : flexible_(flexible),
      parameters_(Teuchos::rcp(new Teuchos::ParameterList(*manager_parameters()))),
      system_(std::make_shared<KeptSystem>()) {}

template <class MV, class OP>
Teuchos::RCP<Belos::SolverManager<double, MV, OP>> ConjugateGradients<MV, OP>::clone() const {
  return Teuchos::rcp(new ConjugateGradients(flexible_));
}

template <class MV, class OP>
Teuchos::RCP<Teuchos::ParameterList const> ConjugateGradients<MV, OP>::getValidParameters() const {
  return manager_parameters();
}

template <class MV, class OP>
void ConjugateGradients<MV, OP>::setParameters(Teuchos::RCP<Teuchos::ParameterList> const& list) {
  if (list.is_null()) return;
  Teuchos::ParameterList types(*parameters_);  // Teuchos' validators of numbers would read strings
  for (auto const& one : *parameters_) types.getEntry(one.first).setValidator(Teuchos::null);
  in_plain_text([&] {
    list->validateParameters(types);
    list->validateParametersAndSetDefaults(*parameters_);
  });
  stopping(*list);
  parameters_ = Teuchos::rcp(new Teuchos::ParameterList(*list));
}

template <class MV, class OP>
void ConjugateGradients<MV, OP>::reset(Belos::ResetType type) {
  if ((type & Belos::Problem) && !problem_.is_null()) problem_->setProblem();
}

template <class MV, class OP>
std::string ConjugateGradients<MV, OP>::description() const {
  return flexible_ ? "\"Tessera::FlexibleConjugateGradients\"" : "\"Tessera::ConjugateGradients\"";
}

template <class MV, class OP>
Belos::ReturnType ConjugateGradients<MV, OP>::solve() {
  require<std::logic_error>(!problem_.is_null() && problem_->isProblemSet(),
                            "Tessera's conjugate gradients: no problem is set; call its setProblem(), then "
                            "that of the solver manager.");
  auto const timer = Teuchos::TimeMonitor::getNewCounter(parameters_->get<std::string>("Timer Label") +
                                                         ": Tessera CG total solve time");
  results_.clear();
  {
    Teuchos::TimeMonitor const monitor(*timer);
    auto const observed = observed_by(preconditioner_of(*problem_));
    auto const how = solver_parameters(*parameters_, flexible_);
    shares_.clear();
    if (parameters_->get<bool>(project_nullspace)) {
      auto const M = preconditioner_of(*problem_);
      auto const& A = problem_->getOperator();
      auto const& B = problem_->getRHS();
      auto const projection = project_to_range<MV, OP>(*A, *likely_nullspace(*B, M), B);
      shares_ = projection.share;
      Problem projected(A, problem_->getLHS(), projection.B);
      projected.setRightPrec(M);
      results_ = run(projected, how, workspace_, *system_);
    } else {
      results_ = run(*problem_, how, workspace_, *system_);
    }
  }
  iterations_ = 0;
  achieved_ = 0;
  lost_accuracy_ = false;
  bool converged = true;
  for (auto const& result : results_) {
    iterations_ = std::max(iterations_, result.iterations);
    // NaN is kept, and counts as not converged.
    if (!(result.relative_residual <= achieved_)) achieved_ = result.relative_residual;
    lost_accuracy_ = lost_accuracy_ || (!result.converged && result.replacements > 0) ||
                     result.stop == krylov::Stop::stagnated || result.stop == krylov::Stop::rounding_level;
    converged = converged && result.converged;
  }
  print();
  for (auto const& result : results_) {
    bool const indefinite = result.stop == krylov::Stop::indefinite_matrix ||
                            result.stop == krylov::Stop::indefinite_preconditioner;
    require<Belos::CGIterateFailure>(!indefinite, result.reason);
  }
  return converged ? Belos::Converged : Belos::Unconverged;
}

template <class MV, class OP>
void ConjugateGradients<MV, OP>::print() const {
  int const verbosity = parameters_->get<int>("Verbosity"), every = parameters_->get<int>("Output Frequency");
  bool const warnings = (verbosity & Belos::Warnings) != 0, summary = (verbosity & Belos::FinalSummary) != 0;
  bool const iterations = (verbosity & Belos::StatusTestDetails) != 0 && every > 0;
  auto const stream = parameters_->get<Teuchos::RCP<std::ostream>>("Output Stream");
  if (stream.is_null() || !(warnings || summary || iterations) || !prints(*problem_)) return;
  auto& out = *stream;
  for (std::size_t j = 0; j < results_.size(); ++j) {
    auto const& result = results_[j];
    for (std::size_t i = 0; iterations && i < result.history.size(); ++i) {
      if (static_cast<int>(i) % every != 0 && i + 1 != result.history.size()) continue;
      out << "Iter " << i << ", [" << j + 1 << "] : " << result.history[i] << "\n";
    }
    if (warnings && j < shares_.size() && shares_[j] > 0)
      out << "Tessera: " << projection_text(shares_[j]) << "\n";
    if (warnings && !result.converged) out << "Tessera: warning: " << result.reason << "\n";
    if (summary) {
      out << "Tessera: right-hand side " << j + 1 << ": "
          << (result.converged ? "converged" : "not converged") << " in " << result.iterations
          << " iterations, true relative residual " << result.relative_residual << "\n";
    }
  }
  out << std::flush;
}

template class ConjugateGradients<ResidentMultiVector, ResidentOperator>;
template class ConjugateGradients<Vectors, Operator>;

}  // namespace Tessera::belos
