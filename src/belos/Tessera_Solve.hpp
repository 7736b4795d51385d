#pragma once
/// \file
/// A x = b in one call.
#include <Teuchos_ParameterList.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_RowMatrix.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "Tessera_SolveStatus.hpp"

namespace Tessera {

/// What a solve came to; of several columns, the worst of each. Seconds are the largest over the ranks.
struct SolveReport {
  bool converged = false;  ///< the true residual met the tolerance: status converged
  SolveStatus status = SolveStatus::notConverged;
  std::string reason;  ///< why it did not converge, and what to do; empty where it did
  int iterations = 0;
  double relativeResidual = 0;  ///< ||b - A x|| / ||b||, computed afresh
  double reduction = 0;         ///< ||b - A x|| over that of the start
  double roundingLevel =
      0;  ///< eps || |A| |x| + |b| || / ||b||: about as low as rounding lets the residual go
  double backwardError = 0;           ///< ||b - A x|| / || |A| |x| + |b| ||
  double rowError = 0;                ///< the largest |b - A x|_i / (|A| |x| + |b|)_i (Oettli, Prager)
  double projectedShare = 0;          ///< of ||b||, in A's nullspace and taken out (`Project Nullspace`):
                                      ///< all else is of what was left
  std::vector<std::string> warnings;  ///< what a status does not say, each with what to do
  std::string solver;                 ///< the manager that ran, such as TESSERA CG
  std::string backend = "host";       ///< where it ran: host or cuda
  double uploadSeconds = 0;           ///< from Tpetra's matrix and vectors to the back end's, and x back
  double setupSeconds = 0;            ///< the preconditioner, its matrix being there
  double solveSeconds = 0;            ///< from b to x where they lie
  /// Copied between host and devices by all ranks, setup and solve: zero on the host.
  std::size_t bytesToDevice = 0, bytesToHost = 0;
};

/// Solves A x = b starting from x, on the back end that the list says (`backend: type` of the
/// preconditioner): there everything from the preconditioner's setup to the last iteration runs. The list is
/// one of Stratimikos, such as xml_params/sa_amg.xml, or the preconditioner's alone: `Preconditioner Type` is
/// Tessera or None, `Linear Solver Type` Belos or Tessera, which is the same here, the solver one of Belos'
/// (default Pseudo Block CG, tolerance 1e-8). Entries are marked used. b and x: on A's row map, equally many
/// columns, one at least, no memory in common. Converged means that the true residual is. A solve that ends
/// otherwise is no exception, but a status with its reason. Collective. \throws std::invalid_argument for a
/// wrong list, before any work, and what
///         SmoothedAggregation::compute() throws
SolveReport solve(Teuchos::RCP<Tpetra::RowMatrix<> const> const& A, Tpetra::MultiVector<> const& b,
                  Tpetra::MultiVector<>& x, Teuchos::ParameterList& list);

}  // namespace Tessera
