#pragma once
/// \file
/// How a good list is varied.
#include <functional>
#include <string>
#include <vector>

#include "tuning/candidates.hpp"

namespace Tessera::tuning {

/// One value of a parameter of ours.
struct Change {
  std::string words;                                 ///< such as: chebyshev: degree = 1
  std::function<void(Teuchos::ParameterList&)> put;  ///< into the sublist "Tessera"
};

/// A parameter and its other values worth trying, in this order.
using Knob = std::function<std::vector<Change>(Teuchos::ParameterList const&)>;

/// The parameters that are varied, one after the other; each sees the list as those before it have left it.
std::vector<Knob> knobs();

/// Of a list that does not converge: no coupling is dropped. Empty where the list drops none.
std::vector<Change> without_dropping(Teuchos::ParameterList const& own);

/// A copy with the change.
Candidate changed(Candidate const& candidate, Change const& change);

}  // namespace Tessera::tuning
