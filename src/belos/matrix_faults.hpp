#pragma once
/// \file
/// What keeps solvers from converging and lies in the system itself.
#include <Teuchos_RCP.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Operator.hpp>
#include <string>

namespace Tessera::belos {

/// The largest share of a column of B along a vector v with A v = 0, where that keeps || b - A x || above
/// tolerance ||b|| for every x; else 0, as for what has no rows to look at and matrices that are not
/// symmetric. The candidates for v are the near-nullspace vectors of M where that is a preconditioner of
/// Tessera's with levels, else the constants. Two passes over A for each that B has a share of. Collective.
double share_out_of_range(Tpetra::Operator<> const& A, Teuchos::RCP<Tpetra::Operator<> const> const& M,
                          Tpetra::MultiVector<> const& B, double tolerance);

/// Names two entries of a matrix that is not symmetric; empty where a sample of them is, and for what has no
/// rows to look at. Collective.
std::string asymmetry(Tpetra::Operator<> const& A);

}  // namespace Tessera::belos
