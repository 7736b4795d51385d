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

/// Result of a solve; of several columns, the worst value of each member. Seconds are the maximum over the
/// ranks.
struct SolveReport {
  bool converged = false;  ///< the true residual met the tolerance: status converged
  SolveStatus status = SolveStatus::notConverged;
  std::string reason;  ///< why it did not converge, and what to do; empty if it did
  int iterations = 0;
  double relativeResidual = 0;  ///< ||b - A x|| / ||b||, recomputed at the end
  double reduction = 0;         ///< ||b - A x|| relative to its initial value
  /// eps || |A| |x| + |b| || / ||b||: approximate lower bound of the relative residual in double.
  double roundingLevel = 0;
  double backwardError = 0;  ///< ||b - A x|| / || |A| |x| + |b| ||
  double rowError = 0;       ///< the largest |b - A x|_i / (|A| |x| + |b|)_i (Oettli, Prager)
  /// Of ||b||, projected out of b (`Project Nullspace`); all other members refer to the projected b.
  double projectedShare = 0;
  std::vector<std::string> warnings;  ///< problems of a solve of any status, each with what to do
  std::string solver;                 ///< the manager that ran, such as TESSERA CG
  std::string backend = "host";       ///< where it ran: host or cuda
  double uploadSeconds = 0;  ///< copies from Tpetra's matrix and vectors to the back end, and of x back
  double setupSeconds = 0;   ///< of the preconditioner, without the transfer of its matrix
  double solveSeconds = 0;   ///< of the Krylov method on the back end
  /// Copied between host and devices by all ranks, in setup and solve: zero on the host.
  std::size_t bytesToDevice = 0, bytesToHost = 0;
};

/// Solves A x = b starting from x, on the back end of the list (`backend: type` of the preconditioner), from
/// the preconditioner's setup to the last iteration. The list is a Stratimikos list, such as
/// xml_params/sa_amg.xml, or the preconditioner's list alone. `Preconditioner Type` is Tessera or None;
/// `Linear Solver Type` is Belos or Tessera, which mean the same here; the solver is one of Belos (default
/// Pseudo Block CG, tolerance 1e-8). Entries are marked as used. b and x: at least one column each and
/// equally many, on A's row map, without common memory. The true residual decides on convergence. A solve
/// that does not converge returns a status with its reason. Collective. \throws std::invalid_argument for a
/// wrong list, before any work; exceptions of SmoothedAggregation::compute()
SolveReport solve(Teuchos::RCP<Tpetra::RowMatrix<> const> const& A, Tpetra::MultiVector<> const& b,
                  Tpetra::MultiVector<>& x, Teuchos::ParameterList& list);

}  // namespace Tessera
