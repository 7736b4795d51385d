#include "Tessera_Tune.hpp"

#include <Teuchos_CommHelpers.hpp>
#include <cmath>

#include "belos/linear_solver.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "ifpack2/backend.hpp"
#include "parameters/agreement.hpp"
#include "parameters/parse.hpp"
#include "tpetra/types.hpp"
#include "tpetra/vectors.hpp"
#include "tuning/search.hpp"

namespace Tessera {
namespace {

char const* const caller = "Tessera::tune";

parameters::NamedSettings said(TuneOptions const& options) {
  auto const columns = [](auto const& X) {
    return X.is_null() ? std::string("not given") : core::message("of ", X->getNumVectors(), " columns");
  };
  std::string backends;
  for (auto const& backend : options.backends) backends += backend + " ";
  return {{"seconds", core::text(options.seconds)},
          {"solvesPerSetup", std::to_string(options.solvesPerSetup)},
          {"bytes", std::to_string(options.bytes)},
          {"tolerance", core::text(options.tolerance)},
          {"maxIterations", std::to_string(options.maxIterations)},
          {"backends", backends},
          {"equations", std::to_string(options.equations)},
          {"nearNullspace", columns(options.nearNullspace)},
          {"coordinates", columns(options.coordinates)},
          {"b", columns(options.b)}};
}

/// Checks numbers that are the same on all ranks. \throws core::InvalidInput
void require_sensible(TuneOptions const& options) {
  TESSERA_VALIDATE(options.seconds > 0, caller, ": seconds is ", options.seconds,
                   "; give the search a time above zero");
  TESSERA_VALIDATE(options.solvesPerSetup >= 1, caller, ": solvesPerSetup is ", options.solvesPerSetup,
                   "; it must be at least 1");
  TESSERA_VALIDATE(options.tolerance > 0 && options.tolerance < 1, caller, ": tolerance is ",
                   options.tolerance, "; it must lie between 0 and 1");
  TESSERA_VALIDATE(options.maxIterations >= 0, caller, ": maxIterations is ", options.maxIterations,
                   "; it must be at least 1, or 0 for the presets' number");
  TESSERA_VALIDATE(options.equations >= 1, caller, ": equations is ", options.equations,
                   "; a node has at least one unknown");
}

/// \throws core::InvalidInput, core::Unavailable
void require_backends(std::vector<std::string> const& backends) {
  for (auto const& backend : backends) {
    Teuchos::ParameterList list("Tessera::tune");
    list.set("backend: type", backend);
    ifpack2::require_backend(parameters::parse(list));
  }
}

void require_fitting(tpetra::RowMatrix const& A, TuneOptions const& options) {
  auto const rows = tpetra::local_size(*A.getRowMap());
  TESSERA_VALIDATE(rows % static_cast<std::size_t>(options.equations) == 0, caller, ": a rank has ", rows,
                   " rows, which is no multiple of equations (", options.equations,
                   "); leave each node's rows on one rank, in sequence");
  if (options.b.is_null()) return;
  TESSERA_VALIDATE(options.b->getNumVectors() == 1, caller, ": b has ", options.b->getNumVectors(),
                   " columns; give one");
  TESSERA_VALIDATE(options.b->getLocalLength() == rows, caller, ": b has ", options.b->getLocalLength(),
                   " rows on a rank, where the matrix has ", rows, "; make it on the matrix' row map");
}

/// Ones; for a matrix that maps ones to zero, a vector in its range.
Teuchos::RCP<tpetra::MultiVector const> right_hand_side(tpetra::RowMatrix const& A, bool singular) {
  auto const b = Teuchos::rcp(new tpetra::MultiVector(A.getRowMap(), 1));
  if (!singular) {
    b->putScalar(1.0);
    return b;
  }
  tpetra::MultiVector x(A.getDomainMap(), 1);
  {
    tpetra::WriteColumns const columns(x, tpetra::Before::forgotten);
    for (std::size_t i = 0; i < columns[0].size(); ++i)
      columns[0][i] = core::uniform(x.getMap()->getGlobalElement(static_cast<int>(i)), 0);
  }
  A.apply(x, *b);
  return b;
}

/// Names the closest list, or why no list ran.
std::string nothing_found(TuneReport const& report) {
  std::string const text = "no list has converged; ";
  TuneTrial const* closest = nullptr;
  for (auto const& trial : report.trials)
    if (trial.relativeResidual >= 0 &&
        (closest == nullptr || trial.relativeResidual < closest->relativeResidual))
      closest = &trial;
  if (closest != nullptr)
    return text + "closest came " + closest->name + ": relative residual " +
           core::formatted("%.2e", closest->relativeResidual) +
           core::message(" after ", closest->iterations, " iterations, asked for ", report.tolerance, " (",
                         closest->reason, ")",
                         closest->ranOut ? "; more time, iterations or a larger tolerance may help" : "");
  auto const& first = report.trials.front();
  return text + first.name + ": " + first.reason;
}

}  // namespace

char const* name(TuneStatus status) {
  switch (status) {
    case TuneStatus::converged:
      return "converged";
    case TuneStatus::roundingLevel:
      return "rounding level";
    case TuneStatus::notConverged:
      return "not converged";
    case TuneStatus::stopped:
      return "stopped";
    case TuneStatus::tooLarge:
      return "too large";
    case TuneStatus::failed:
      return "failed";
    case TuneStatus::notTried:
      return "not tried";
  }
  return "";
}

TuneError::TuneError(TuneReport report)
    : std::runtime_error(nothing_found(report)), report_(std::move(report)) {}

TuneReport tune(Teuchos::RCP<Tpetra::RowMatrix<double, int, long long> const> const& A,
                TuneOptions const& options) {
  belos::require_complete(caller, A.getRawPtr());
  auto const& comm = *A->getComm();
  parameters::require_same_on_all_ranks(comm, said(options));
  require_sensible(options);
  comm::agree_on_errors(tpetra::communicator(comm), [&] {
    require_backends(options.backends);
    require_fitting(*A, options);
  });

  TuneReport report;
  report.facts = tuning::matrix_facts(*A, options.equations);
  report.facts.nullspace =
      options.nearNullspace.is_null() ? 0 : static_cast<int>(options.nearNullspace->getNumVectors());
  report.facts.coordinates = !options.coordinates.is_null();
  report.solvesPerSetup = options.solvesPerSetup;
  report.tolerance = options.tolerance;
  auto const plan = tuning::plan(report.facts);
  report.order = plan.presets;
  report.orderReason = plan.reason;
  if (options.told) options.told(report);

  auto complete = options;
  if (options.b.is_null()) complete.b = right_hand_side(*A, report.facts.singular);
  tuning::search(A, tuning::candidates(plan.presets, options), complete, report);
  if (!report.found()) throw TuneError(std::move(report));
  auto const& best = *report.trials[report.best].settings;
  report.list = Teuchos::rcp(new Teuchos::ParameterList(best));
  return report;
}

}  // namespace Tessera
