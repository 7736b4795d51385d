#include "parameters/method.hpp"

#include <algorithm>
#include <utility>

#include "parameters/messages.hpp"
#include "parameters/table.hpp"

namespace Tessera::parameters {
namespace {

/// A K-cycle compensates for unsmoothed prolongators. Aggregates are those of MIS(2). At the same operator
/// complexity PAA needs more iterations and a longer setup (Laplace2D 1024^2, Laplace3D 101^3).
void unsmoothed(Draft& draft) {
  draft.settings.algorithm = Algorithm::unsmoothed;
  draft.settings.multigrid.cycle = multigrid::CycleType::K;
}

/// Matchings need no strength scheme. Couplings below the drop tolerance never match, and are lumped before P
/// is smoothed. The aggregates are large and long, so they need a larger damping factor than those of MIS(2).
void matching(Draft& draft) {
  draft.settings.algorithm = Algorithm::matching;
  draft.settings.multigrid.aggregation.scheme = aggregation::AggregationScheme::matching;
  draft.settings.multigrid.prolongator_damping = 1.6;
}

/// The strength of a coupling is relative to the strongest one of its node, with the same tolerance on all
/// levels.
void root_nodes(Draft& draft) {
  draft.settings.algorithm = Algorithm::root_nodes;
  auto& multigrid = draft.settings.multigrid;
  multigrid.strength.scheme = aggregation::DropScheme::signed_classical;
  multigrid.strength.drop_tolerance = 0.5;
  multigrid.drop_tolerance_scaling = 1;
}

void classical(Draft& draft) {
  draft.settings.algorithm = Algorithm::classical;
}

Method levels(std::string name, std::vector<std::string> keys, Algorithm algorithm,
              void (*defaults)(Draft&)) {
  return {std::move(name),
          std::move(keys),
          {algorithm},
          defaults,
          true,
          "hierarchy",
          "refresh (aggregates and patterns kept)",
          "reuse (hierarchy kept)"};
}

}  // namespace

std::vector<Method> const& methods() {
  static std::vector<Method> const all{
      levels("Tessera::SmoothedAggregation", {"SA-AMG", "SMOOTHED AGGREGATION", "SA", "TESSERA"},
             Algorithm::smoothed, [](Draft&) {}),
      levels("Tessera::UnsmoothedAggregation", {"UA-AMG", "UNSMOOTHED AGGREGATION", "UA"},
             Algorithm::unsmoothed, unsmoothed),
      levels("Tessera::MatchingAggregation", {"MATCHING-AMG", "MATCHING AGGREGATION", "MATCHING"},
             Algorithm::matching, matching),
      levels("Tessera::RootNodeAggregation", {"ROOTNODE-AMG", "ROOT NODE AGGREGATION", "ROOTNODE"},
             Algorithm::root_nodes, root_nodes),
      levels("Tessera::ClassicalAmg", {"CLASSICAL-AMG", "CLASSICAL AMG", "CLASSICAL"}, Algorithm::classical,
             classical),
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
      {"sa", Algorithm::smoothed},         {"unsmoothed", Algorithm::unsmoothed},
      {"matching", Algorithm::matching},   {"rootnode", Algorithm::root_nodes},
      {"classical", Algorithm::classical}, {"fsai", Algorithm::fsai}};
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

namespace {

template <class Takes>
std::string text_of_algorithms(Takes const& takes) {
  std::vector<std::string> taken, others;
  for (auto const& [name, algorithm] : algorithms()) (takes(algorithm) ? taken : others).push_back(name);
  bool const most = taken.size() > others.size();
  std::string text;
  for (auto const& name : most ? others : taken) text += (text.empty() ? "" : " or ") + name;
  return std::string(algorithm_name) + (most ? " other than " : " = ") + text;
}

}  // namespace

std::string algorithms_text(bool has_levels) {
  return text_of_algorithms([&](Algorithm one) { return method_for(one).has_levels == has_levels; });
}

bool has_aggregates(Algorithm algorithm) {
  return algorithm != Algorithm::classical && method_for(algorithm).has_levels;
}

std::string algorithms_with_aggregates() {
  return text_of_algorithms(has_aggregates);
}

}  // namespace Tessera::parameters
