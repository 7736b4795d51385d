#pragma once
/// \file
/// Which ready lists are tried on a matrix, and in which order.
#include <Teuchos_ParameterList.hpp>
#include <string>
#include <vector>

#include "tuning/Tessera_Tune.hpp"

namespace Tessera::tuning {

/// A whole Stratimikos list.
struct Candidate {
  std::string name;  ///< of the ready list, and what was changed in it
  Teuchos::RCP<Teuchos::ParameterList> settings;
};

/// Ready lists in the order in which they are tried, and what of the matrix gives this order.
struct Plan {
  std::vector<std::string> lists;
  std::string why;
};

/// Depends on the facts alone.
Plan plan(TuneFacts const& facts);

/// The ready lists of an order, each for every back end, with what the options say and the unknowns of a node
/// where it takes them.
std::vector<Candidate> candidates(std::vector<std::string> const& order, TuneOptions const& options);

/// The sublist "Tessera" of a candidate.
Teuchos::ParameterList& own_settings(Candidate const& candidate);

}  // namespace Tessera::tuning
