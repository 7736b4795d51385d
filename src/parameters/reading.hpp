#pragma once
/// \file
/// The entries of a list as values of the table.
#include <Teuchos_ParameterList.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "settings/table.hpp"

namespace Tessera::parameters {

using namespace settings;

/// As settings::converted().
std::optional<Value> converted(Parameter const& row, Alias const* alias, Teuchos::ParameterEntry const& entry,
                               std::string& problem);

/// An entry with this value, which the row allows, in the spelling of lists.
Teuchos::ParameterEntry entry_of(Parameter const& row, std::string const& value);

/// Whether a preconditioner of Ifpack2 with this list, as XML, is known to be symmetric if A is: no
/// triangular sweeps in one direction, no thresholds, no overlap whose values come from one rank alone.
bool symmetric_in_ifpack2(std::string const& type, std::string const& list);

/// A value and its place in the list.
struct Given {
  std::string where;  ///< path and name
  Value value;
};
using Givens = std::map<Parameter const*, Given>;  ///< in the order of the table

/// The values for all levels, or for one.
struct Block {
  Givens given;
  Givens before, after;  ///< only for the smoother before or after the coarse correction
};

struct Reading {
  Block top;
  std::map<int, Block> levels;
  std::vector<std::string> problems;          ///< wrong types and values, contradictions
  std::vector<std::string> unknown;           ///< unknown names, and parameters without counterpart
  std::vector<std::string> no_effect;         ///< parameters of other libraries without effect
  std::vector<std::string> of_coarse_solver;  ///< parameters of other libraries for the coarse solver
  int suppressed = 0;                         ///< number of further unknown names
};

/// Marks the entries as used and changes nothing else in the list.
Reading read(Teuchos::ParameterList const& list);

}  // namespace Tessera::parameters
