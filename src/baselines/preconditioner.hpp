#pragma once
/// \file
/// Preconditioners that the program can measure: Tessera's, and those of other Trilinos packages.
#include <Teuchos_ParameterList.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Operator.hpp>
#include <functional>
#include <memory>
#include <string>

#include "Tessera_Details_Preconditioner.hpp"
#include "baselines/info.hpp"

class Epetra_CrsMatrix;

namespace Tessera::baselines {

using Matrix = Tpetra::CrsMatrix<>;
using MultiVector = Tpetra::MultiVector<>;
using Operator = Tpetra::Operator<>;

/// Data of the problem for a preconditioner.
struct ProblemData {
  Teuchos::RCP<Matrix> matrix;            ///< fill-complete; not modified (MueLu takes it as non-const)
  Teuchos::RCP<MultiVector> nullspace;    ///< near-nullspace on the row map; null: constants
  Teuchos::RCP<MultiVector> coordinates;  ///< one row a node, one column a dimension; may be null
  int equations = 1;                      ///< unknowns of a node
  std::string saved = {};  ///< file of a saved Tessera setup, loaded instead of a setup; empty: none
  /// Called for each level of Tessera's setup; see Details::Preconditioner::setLevelObserver.
  std::function<void(int, long long, long long)> on_level = nullptr;
  /// Material of the nodes, for Tessera's setMaterial(); may be null.
  Teuchos::RCP<MultiVector> material = Teuchos::null;
};

struct Preconditioner {
  std::string name;                    ///< for example "SA-AMG", "ML", "MueLu", "Ifpack2 CHEBYSHEV", "none"
  Teuchos::RCP<Operator const> apply;  ///< ready; null: none
  /// Seconds of copying the matrix to another library's format or to a GPU; part of make_preconditioner's
  /// time.
  double conversion_seconds = 0;
  std::size_t conversion_bytes = 0;  ///< memory of that copy on this rank
  std::function<Info()> info;        ///< collective
  /// Seconds of transfers between host and device on this rank, in the setup and all applications.
  std::function<double()> transfer_seconds = [] { return 0.0; };
  Teuchos::RCP<Details::Preconditioner> ours = Teuchos::null;  ///< `apply` if it is Tessera's, else null
  double reading_seconds = 0;  ///< seconds of reading the Tpetra matrix on the host for a setup on a GPU
};

/// Builds the preconditioner `type` ("Tessera", "ML", "MueLu", "Ifpack2" or "None") from its sublist of
/// "Preconditioner Types" in a Stratimikos list. Keeps the matrix alive, but not the list. Collective.
/// \throws core::InvalidInput for an unknown type or parameter, with the list's path; core::Unavailable for a
///         package that is not in this build, the same on every rank
Preconditioner make_preconditioner(std::string const& type, Teuchos::ParameterList const& list,
                                   ProblemData const& data);

/// Whether this build has `type`; if not, sets `reason`.
bool is_available(std::string const& type, std::string* reason = nullptr);

/// Factory functions of the types, each in its own unit, because the packages compile slowly.
Preconditioner make_tessera(Teuchos::ParameterList const& list, ProblemData const& data);
Preconditioner make_ifpack2(Teuchos::ParameterList const& list, ProblemData const& data);
Preconditioner make_ml(Teuchos::ParameterList const& list, ProblemData const& data);
Preconditioner make_muelu(Teuchos::ParameterList const& list, ProblemData const& data);

/// Copies structure and values for ML, which needs Epetra; maps keep their global indices and their order on
/// each rank. Only in builds with ML. Collective.
/// \throws core::InvalidInput if a global index does not fit 32 bits
std::unique_ptr<Epetra_CrsMatrix> copy_to_epetra(Matrix const& A);

}  // namespace Tessera::baselines
