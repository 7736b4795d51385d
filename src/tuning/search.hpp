#pragma once
/// \file
/// The parts of tune(): facts of the matrix, candidates, their variations, the search.
#include <functional>
#include <string>
#include <vector>

#include "tpetra/types.hpp"
#include "tuning/Tessera_Tune.hpp"

namespace Tessera::tuning {

/// Figures of the entries, from one pass over them. The caller adds the figures of vectors that were given.
/// Collective.
TuneFacts matrix_facts(tpetra::RowMatrix const& A, int equations);

/// Presets in the order in which they are tried, and the property of the matrix that gives this order.
struct Plan {
  std::vector<std::string> presets;
  std::string reason;
};

/// Depends on the facts alone.
Plan plan(TuneFacts const& facts);

/// xml_params/NAME.xml as it was when the library was built; null if there is none.
char const* preset_xml(std::string const& name);

/// A whole Stratimikos list.
struct Candidate {
  std::string name;  ///< of the preset, and what was changed in it
  Teuchos::RCP<Teuchos::ParameterList> settings;
};

/// Each preset for each back end, with the values of the options; `number of equations` where the method has
/// it.
std::vector<Candidate> candidates(std::vector<std::string> const& presets, TuneOptions const& options);

/// The sublist "Tessera" of a candidate.
Teuchos::ParameterList& own_settings(Candidate const& candidate);

/// A new value of one of Tessera's parameters.
struct Change {
  std::string text;                                  ///< such as: chebyshev: degree = 1
  std::function<void(Teuchos::ParameterList&)> set;  ///< in the sublist "Tessera"
};

/// A parameter: its other values worth trying, in order, for a given sublist "Tessera".
using Variation = std::function<std::vector<Change>(Teuchos::ParameterList const&)>;

/// The parameters that are varied in turn. Each variation starts from the best list of the previous ones.
std::vector<Variation> variations();

/// For a list that does not converge: no coupling is dropped. Empty if the list drops none.
std::vector<Change> without_dropping(Teuchos::ParameterList const& own);

/// A copy with the change.
Candidate changed(Candidate const& candidate, Change const& change);

/// Tries the candidates in order, then without dropping couplings those that did not converge, then
/// variations of the fastest. Records the trials and the best of them in the report. After one candidate has
/// converged, each further one may take half as long again; its first iterations measure the time of one.
/// Lists near the best take turns before the best is varied, and at the end. All decisions use times that all
/// ranks agree on. `options` are complete and checked. Collective.
void search(Teuchos::RCP<tpetra::RowMatrix const> const& A, std::vector<Candidate> const& candidates,
            TuneOptions const& options, TuneReport& report);

}  // namespace Tessera::tuning
