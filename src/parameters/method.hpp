#pragma once
/// \file
/// The one list of methods: names, algorithms, defaults and descriptions of Tessera's preconditioner classes.
#include <string>
#include <utility>
#include <vector>

#include "parameters/settings.hpp"

namespace Tessera::parameters {

struct Draft;

struct Method {
  std::string name;                   ///< of the class, such as Tessera::SmoothedAggregation
  std::vector<std::string> keys;      ///< names for Tessera::Factory, in capitals; reports print the first
  std::vector<Algorithm> algorithms;  ///< values of `multigrid algorithm` that it accepts
  void (*defaults)(Draft& draft);     ///< sets the defaults that differ from those of an empty list
  bool has_levels;                    ///< the setup makes a multigrid::Hierarchy, otherwise an fsai::Fsai
  std::string setup_result;           ///< name of the setup's result, such as: hierarchy
  std::string refresh, reuse;         ///< descriptions of a repeated setup

  bool takes(Algorithm algorithm) const;
};

std::vector<Method> const& methods();

/// name: of an existing class.
Method const& method_named(std::string const& name);
/// key: one of its keys, in any case. Null if there is no such method.
Method const* find_method(std::string const& key);

/// The method that has this algorithm by default, otherwise the first that accepts it.
Method const& method_for(Algorithm algorithm);

/// Values of `multigrid algorithm`.
std::vector<std::pair<std::string, Algorithm>> const& algorithms();
/// The algorithms with or without levels, such as: multigrid algorithm other than fsai
std::string algorithms_text(bool has_levels);

/// Whether the levels are aggregates.
bool has_aggregates(Algorithm algorithm);
std::string algorithms_with_aggregates();

/// The name of the parameter.
inline constexpr char const* algorithm_name = "multigrid algorithm";

}  // namespace Tessera::parameters
