#include "settings/settings.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "settings/table.hpp"

namespace Tessera::settings {
namespace {

multigrid::HalfLevels half_levels(Precision precision) {
  using multigrid::HalfLevels;
  if (precision == Precision::automatic) return HalfLevels::automatic;
  return precision == Precision::half ? HalfLevels::all : HalfLevels::none;
}

}  // namespace

Settings settings_of(Draft const& draft) {
  Settings settings = draft.settings;
  auto& multigrid = settings.multigrid;
  if (settings.algorithm == Algorithm::unsmoothed)
    multigrid.coarsening = multigrid::CoarseningType::unsmoothed;
  if (settings.algorithm == Algorithm::root_nodes) {
    multigrid.coarsening = multigrid::CoarseningType::root_nodes;
    TESSERA_VALIDATE(
        multigrid.aggregation.scheme == aggregation::AggregationScheme::mis2,
        "`multigrid algorithm` = rootnode needs aggregates around roots; leave `aggregation: type` "
        "out, or take mis2");
  }
  if (settings.algorithm == Algorithm::classical) {
    multigrid.coarsening = multigrid::CoarseningType::classical;
    TESSERA_VALIDATE(
        multigrid.equations == 1, "`multigrid algorithm` = classical interpolates one unknown a ",
        "node, but `number of equations` is ", multigrid.equations, "; take rootnode or sa for systems");
  }
  multigrid.strength.equations = multigrid.equations;
  TESSERA_VALIDATE(multigrid.strength.row_sum_tolerance <= 0 || multigrid.equations == 1,
                   "`aggregation: row sum drop tol` would judge rows of ", multigrid.equations,
                   " equations a node, whose sums are no measure of a mass; leave it out");
  bool const l1 = draft.use_l1 || draft.relaxation == RelaxationType::l1_jacobi;
  multigrid.smoother.type = draft.smoother == SmootherFamily::chebyshev ? multigrid::SmootherType::chebyshev
                            : draft.smoother == SmootherFamily::fsai    ? multigrid::SmootherType::fsai
                            : draft.smoother == SmootherFamily::ifpack2 ? multigrid::SmootherType::foreign
                            : l1                                        ? multigrid::SmootherType::l1_jacobi
                                                                        : multigrid::SmootherType::jacobi;
  if (draft.smoother == SmootherFamily::ifpack2) {
    multigrid.smoother.foreign = {draft.ifpack2_type, draft.ifpack2_list, draft.ifpack2_symmetric, {}};
  }
  settings.fsai.workspace = static_cast<std::size_t>(draft.workspace) << 20;
  if (draft.smoother == SmootherFamily::fsai) multigrid.smoother.fsai = settings.fsai;
  TESSERA_VALIDATE(settings.algorithm != Algorithm::fsai ||
                       multigrid.prepare_refresh != multigrid::RefreshPreparation::first,
                   "`reuse: prepare refresh` = first would have no effect: all refreshes of fsai are the "
                   "same; leave it out");
  multigrid.half = half_levels(settings.precision);
  TESSERA_VALIDATE(
      settings.algorithm != Algorithm::fsai || multigrid.half == multigrid::HalfLevels::none,
      "`precision: hierarchy` = half and auto are for levels, since solves with fsai in half take "
      "longer; take float");
  int const C = multigrid.chunk_size;
  TESSERA_VALIDATE((C & (C - 1)) == 0, "`matrix format: chunk size` is ", C,
                   ", which is no power of two; take 32, for example");
  TESSERA_VALIDATE(multigrid.sigma == 1 || multigrid.sigma % C == 0, "`matrix format: sigma` is ",
                   multigrid.sigma, ", which is neither 1 nor a multiple of `matrix format: chunk size`, ", C,
                   "; take ", 8 * C, ", for example");
  return settings;
}

bool has_foreign_smoother(Settings const& settings) {
  auto const& multigrid = settings.multigrid;
  auto const foreign = [](auto const& one) { return one.type == multigrid::SmootherType::foreign; };
  return settings.algorithm != Algorithm::fsai &&
         (foreign(multigrid.smoother) ||
          std::any_of(multigrid.level_smoothers.begin(), multigrid.level_smoothers.end(),
                      [&](auto const& level) { return foreign(level.second); }));
}

bool is_symmetric(Settings const& settings) {
  using multigrid::CycleType;
  using multigrid::PreOrPost;
  if (settings.algorithm == Algorithm::fsai) return true;
  auto const& multigrid = settings.multigrid;
  auto const symmetric = [](multigrid::SmootherParameters const& one) {
    return one.type != multigrid::SmootherType::foreign || one.foreign.symmetric;
  };
  bool const smoothers = symmetric(multigrid.smoother) &&
                         std::all_of(multigrid.level_smoothers.begin(), multigrid.level_smoothers.end(),
                                     [&](auto const& level) { return symmetric(level.second); });
  auto const when = multigrid.smoother.pre_or_post;
  return smoothers && (when == PreOrPost::both || when == PreOrPost::none) &&
         (multigrid.cycle == CycleType::V || multigrid.cycle == CycleType::W);
}
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

}  // namespace Tessera::settings
