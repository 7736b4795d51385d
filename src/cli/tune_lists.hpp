#pragma once
/// \file
/// Which lists are tried on a matrix, and how a good one is varied.
#include <Teuchos_ParameterList.hpp>
#include <functional>
#include <string>
#include <vector>

#include "cli/solver_list.hpp"
#include "cli/tune_facts.hpp"

namespace Tessera::cli {

/// Ready lists in the order in which they are tried, and what of the matrix gives this order.
struct Plan {
  std::vector<std::string> lists;
  std::string why;
};

/// Depends on the facts alone.
Plan plan(MatrixFacts const& facts);

/// A whole Stratimikos list.
struct Candidate {
  std::string name;  ///< of the ready list, and what was changed in it
  Teuchos::RCP<Teuchos::ParameterList> list;
};

/// The ready list with what the command line puts above it, and the unknowns of a node where it takes them.
/// Collective. \throws core::InvalidInput where there is no such list
Candidate ready_candidate(std::string const& name, Overrides const& overrides, int equations,
                          Teuchos::Comm<int> const& comm);

/// One value of a parameter of ours.
struct Change {
  std::string words;                                 ///< such as: chebyshev: degree 1
  std::function<void(Teuchos::ParameterList&)> put;  ///< into the sublist "Tessera"
};

/// A parameter and its other values worth trying, in this order.
using Knob = std::function<std::vector<Change>(Teuchos::ParameterList const&)>;

/// The parameters that are varied, one after the other; each sees the list as those before it have left it.
std::vector<Knob> knobs();

/// A copy with the change.
Candidate changed(Candidate const& candidate, Change const& change);

/// The sublist "Tessera" of a candidate.
Teuchos::ParameterList& own_settings(Candidate const& candidate);

/// The list as XML with a comment, one element a line, read again and checked. \throws core::InvalidInput
std::string checked_xml(Candidate const& candidate, std::vector<std::string> const& comment);

}  // namespace Tessera::cli
