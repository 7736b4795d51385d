#pragma once
/// \file
/// What a list gives, entry by entry.
#include <Teuchos_ParameterList.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "parameters/table.hpp"

namespace Tessera::parameters {

/// The entry as a value of the row (alias: the name it was given under; null: the canonical one). Nothing,
/// and what is wrong in `problem`, where type or value are not allowed.
std::optional<Value> converted(Parameter const& row, Alias const* alias, Teuchos::ParameterEntry const& entry,
                               std::string& problem);

/// Such an entry, of a value that the row allows, as lists spell it.
Teuchos::ParameterEntry entry_of(Parameter const& row, std::string const& value);

/// A value that was given, and where.
struct Given {
  std::string where;  ///< path and name
  Value value;
};
using Givens = std::map<Parameter const*, Given>;  ///< in the order of the table

/// Of all levels, or of one.
struct Block {
  Givens given;
  Givens before, after;  ///< of the smoothers before and after the coarse levels alone
};

struct Reading {
  Block top;
  std::map<int, Block> levels;
  std::vector<std::string> problems;          ///< wrong types and values, contradictions
  std::vector<std::string> unknown;           ///< unknown names, and parameters without counterpart
  std::vector<std::string> idle;              ///< parameters of other libraries without effect
  std::vector<std::string> of_coarse_solver;  ///< other libraries' words about it
  int suppressed = 0;                         ///< further unknown names
};

/// Marks what it reads as used; nothing else about the list changes.
Reading read(Teuchos::ParameterList const& list);

}  // namespace Tessera::parameters
