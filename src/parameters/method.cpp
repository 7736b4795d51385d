#include "parameters/method.hpp"

#include <algorithm>

#include "parameters/suggestion.hpp"
#include "parameters/table.hpp"

namespace Tessera::parameters {

std::vector<Method> const& methods() {
  static std::vector<Method> const all{{"Tessera::SmoothedAggregation",
                                        {"SA-AMG", "SMOOTHED AGGREGATION", "SA", "TESSERA"},
                                        {Algorithm::smoothed, Algorithm::unsmoothed},
                                        [](Draft&) {},
                                        true,
                                        "hierarchy",
                                        "refresh (aggregates and patterns kept)",
                                        "reuse (hierarchy kept)"},
                                       {"Tessera::Fsai",
                                        {"FSAI"},
                                        {Algorithm::fsai},
                                        [](Draft& draft) { draft.settings.algorithm = Algorithm::fsai; },
                                        false,
                                        "factor",
                                        "refresh (pattern kept)",
                                        "reuse (factor kept)"}};
  return all;
}

std::vector<std::pair<std::string, Algorithm>> const& algorithms() {
  static std::vector<std::pair<std::string, Algorithm>> const all{
      {"sa", Algorithm::smoothed}, {"unsmoothed", Algorithm::unsmoothed}, {"fsai", Algorithm::fsai}};
  return all;
}

bool Method::takes(Algorithm algorithm) const {
  return std::find(algorithms.begin(), algorithms.end(), algorithm) != algorithms.end();
}

Method const& method_named(std::string const& name) {
  return *std::find_if(methods().begin(), methods().end(), [&](auto const& one) { return one.name == name; });
}

Method const* find_method(std::string const& key) {
  auto const upper = upper_case(key);
  for (auto const& method : methods())
    if (std::count(method.keys.begin(), method.keys.end(), upper) > 0) return &method;
  return nullptr;
}

Method const& method_for(Algorithm algorithm) {
  Method const* found = nullptr;
  for (auto const& method : methods()) {
    Draft draft;
    method.defaults(draft);
    if (draft.settings.algorithm == algorithm) return method;
    if (found == nullptr && method.takes(algorithm)) found = &method;
  }
  return *found;
}

std::string algorithms_text(bool has_levels) {
  std::string text;
  for (auto const& [name, algorithm] : algorithms())
    if (method_for(algorithm).has_levels == has_levels) text += (text.empty() ? "" : " or ") + name;
  return std::string(algorithm_name) + " = " + text;
}

}  // namespace Tessera::parameters
