#pragma once
/// \file
/// Every preconditioner that the program can measure, ours and the others, behind one function.
#include <Teuchos_ParameterList.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Operator.hpp>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "Tessera_Details_Preconditioner.hpp"
#include "fsai/fsai.hpp"

namespace Tessera::baselines {

using Matrix = Tpetra::CrsMatrix<>;
using MultiVector = Tpetra::MultiVector<>;
using Operator = Tpetra::Operator<>;

/// What a preconditioner may know of the problem.
struct ProblemData {
  Teuchos::RCP<Matrix> matrix;          ///< fill-complete; not modified (MueLu takes it as non-const)
  Teuchos::RCP<MultiVector> nullspace;  ///< near-nullspace on the row map; null: constants
  Teuchos::RCP<MultiVector>
      coordinates;         ///< of the nodes (rows / equations of them), one column a dimension; may be null
  int equations = 1;       ///< unknowns a node
  std::string saved = {};  ///< file of a setup of Tessera's, which is loaded in the place of one; empty: none
  /// Told of Tessera's levels as they come, as Details::Preconditioner::setLevelObserver says.
  std::function<void(int, long long, long long)> on_level = nullptr;
  /// Of the nodes, for Tessera, as setMaterial() takes it; may be null.
  Teuchos::RCP<MultiVector> material = Teuchos::null;
};

/// Global figures of one level, finest first.
struct Level {
  long long rows = 0;
  long long nonzeros = 0;
  long long aggregates = 0;  ///< 0 where the method does not tell
  std::string format;        ///< the matrix'; these two are empty where the method does not tell
  std::string checksum;
  std::size_t bytes = 0;  ///< of all ranks; 0 where the method does not tell
};

/// What a preconditioner tells of itself. Fields that it does not know are empty or zero.
struct Info {
  std::vector<Level> levels;
  double operator_complexity = 0;
  double grid_complexity = 0;
  std::optional<fsai::Report> fsai;      ///< of a factored sparse approximate inverse of Tessera's
  std::map<std::string, double> phases;  ///< seconds of the setup
  std::string backend = "host";
  std::string device;                 ///< empty on the host
  std::string description;            ///< hierarchy table, several lines
  std::vector<std::string> warnings;  ///< such as: coarsening stalled at level 3
};

struct Preconditioner {
  std::string name;                    ///< as in "SA-AMG", "ML", "MueLu", "Ifpack2 CHEBYSHEV", "none"
  Teuchos::RCP<Operator const> apply;  ///< ready; null: none
  double conversion_seconds =
      0;  ///< of the copy into another library's matrix or to a GPU, part of make_preconditioner's time
  std::size_t conversion_bytes = 0;  ///< of that copy, on this rank
  std::function<Info()> info;        ///< collective
  std::function<double()> transfer_seconds = [] {
    return 0.0;
  };  ///< between host and device on this rank, setup and applications so far
  Teuchos::RCP<Details::Preconditioner> ours = Teuchos::null;  ///< the same; null but for Tessera's
  double reading_seconds = 0;  ///< of the Tpetra matrix on the host, where the setup is on a GPU
};

/// Builds the preconditioner `type` ("Tessera", "ML", "MueLu", "Ifpack2" or "None") from its sublist of
/// "Preconditioner Types" in a Stratimikos list. Collective. Keeps the matrix alive, not the list.
/// \throws core::InvalidInput for an unknown type or parameter, with the list's path; core::Unavailable for a
///         package that is not in this build, the same on every rank
Preconditioner make_preconditioner(std::string const& type, Teuchos::ParameterList const& list,
                                   ProblemData const& data);

/// Whether `type` is in this build; if not, `reason` says why.
bool is_available(std::string const& type, std::string* reason = nullptr);

}  // namespace Tessera::baselines
