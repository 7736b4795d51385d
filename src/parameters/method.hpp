#pragma once
/// \file
/// The one list of methods: what each of Tessera's preconditioner classes is called, takes and says of
/// itself.
#include <string>
#include <utility>
#include <vector>

#include "parameters/settings.hpp"

namespace Tessera::parameters {

struct Draft;

struct Method {
  std::string name;               ///< of the class, such as Tessera::SmoothedAggregation
  std::vector<std::string> keys;  ///< by which Tessera::Factory knows it, in capitals; the first is reported
  std::vector<Algorithm> algorithms;  ///< values of `multigrid algorithm` that it takes
  void (*defaults)(Draft& draft);     ///< where they are not those of an empty list
  bool has_levels;                    ///< it makes a multigrid::Hierarchy, else an fsai::Fsai
  std::string thing;                  ///< that it makes, such as: hierarchy
  std::string refresh, reuse;         ///< what it kept when it made that again

  bool takes(Algorithm algorithm) const;
};

std::vector<Method> const& methods();

/// By the name of its class, which there is.
Method const& method_named(std::string const& name);
/// By one of its keys, in any case; null where there is none.
Method const* find_method(std::string const& key);

/// Whose algorithm this is by default, else the first that takes it.
Method const& method_for(Algorithm algorithm);

/// Values of `multigrid algorithm`.
std::vector<std::pair<std::string, Algorithm>> const& algorithms();
/// Those with levels, or those without, such as: multigrid algorithm = sa or unsmoothed
std::string algorithms_text(bool has_levels);

/// Whether levels are made of aggregates.
bool has_aggregates(Algorithm algorithm);
std::string algorithms_with_aggregates();

/// The parameter itself.
inline constexpr char const* algorithm_name = "multigrid algorithm";

}  // namespace Tessera::parameters
