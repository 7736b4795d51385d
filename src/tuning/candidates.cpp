#include <algorithm>

#include "core/error.hpp"
#include "parameters/parse.hpp"
#include "parameters/selection.hpp"
#include "parameters/xml.hpp"
#include "tuning/search.hpp"

namespace Tessera::tuning {
namespace {

using settings::Algorithm;
using Teuchos::ParameterList;

double constexpr many = 0.2;  ///< share of couplings above which they decide the first preset

Candidate candidate(std::string const& name, std::string const& backend, TuneOptions const& options) {
  char const* const text = preset_xml(name);
  TESSERA_VALIDATE(text != nullptr, "Tessera::tune: there is no preset ", name);
  Candidate result{name, parameters::parse_xml(text, name)};
  auto const selection = parameters::selection(result.settings);
  auto& solver = *selection.solver_parameters;
  solver.set("Convergence Tolerance", options.tolerance);
  if (options.maxIterations > 0) solver.set("Maximum Iterations", options.maxIterations);
  auto& own = *selection.preconditioner_parameters;
  if (!backend.empty()) own.set("backend: type", backend);
  if (options.backends.size() > 1) result.name += ", backend: type = " + backend;
  if (options.equations > 1 && parameters::parse(own).algorithm != settings::Algorithm::fsai)
    own.set("number of equations", options.equations);
  return result;
}

// Variations of the fastest candidate.

char const* const smoother = "smoother: params";

/// Sets `name`, in the sublist of the smoother if it is there already.
template <class T>
Change change(std::string const& name, T const& value) {
  return {core::message(name, " = ", value), [=](ParameterList& own) {
            bool const below = own.isSublist(smoother) && own.sublist(smoother).isParameter(name);
            (below ? own.sublist(smoother) : own).set(name, value);
          }};
}

/// The degrees 1, 2 and 3 without the present one.
std::vector<Change> degrees(ParameterList const& own) {
  auto const settings = parameters::parse(own);
  std::vector<Change> changes;
  if (settings.algorithm == Algorithm::fsai) return changes;
  for (int const degree : {1, 2, 3})
    if (degree != settings.multigrid.smoother.degree) changes.push_back(change("chebyshev: degree", degree));
  return changes;
}

char const* const drop_tolerance = "aggregation: drop tol";

/// The drop tolerance of a list that decides strength by the size of couplings; 0 for other lists.
double dropped_below(ParameterList const& own) {
  auto const settings = parameters::parse(own);
  bool const drops = settings::has_aggregates(settings.algorithm) &&
                     settings.multigrid.aggregation.scheme != aggregation::AggregationScheme::matching;
  return drops ? settings.multigrid.strength.drop_tolerance : 0;
}

/// The drop tolerance halved, doubled, and 0.
std::vector<Change> drop_tolerances(ParameterList const& own) {
  double const now = dropped_below(own);
  if (now == 0) return {};
  return {change(drop_tolerance, 0.5 * now), change(drop_tolerance, std::min(1.0, 2.0 * now)),
          change(drop_tolerance, 0.0)};
}

/// Classical coarsening with more strong couplings, and with longer rows of P.
std::vector<Change> couplings(ParameterList const& own) {
  auto const settings = parameters::parse(own);
  if (settings.algorithm != Algorithm::classical) return {};
  auto const& now = settings.multigrid.classical;
  return {change("classical: strong threshold", 0.5 * now.strong_threshold),
          change("classical: max row entries", now.most_entries + 2)};
}

/// The number of matchings a level.
std::vector<Change> matchings(ParameterList const& own) {
  auto const settings = parameters::parse(own);
  if (settings.algorithm != Algorithm::matching) return {};
  int const now = settings.multigrid.aggregation.matchings;
  std::vector<Change> changes;
  for (int const steps : {now - 1, now + 1})
    if (1 <= steps && steps <= 6) changes.push_back(change("matching: steps", steps));
  return changes;
}

/// A V-cycle for a K-cycle and vice versa. A bootstrap keeps its cycle.
std::vector<Change> cycles(ParameterList const& own) {
  auto const settings = parameters::parse(own);
  if (settings.algorithm == Algorithm::fsai || settings.multigrid.bootstrap.components > 1) return {};
  std::string const name = "cycle type";
  bool const is_k = settings.multigrid.cycle == multigrid::CycleType::K;
  std::string const other = is_k ? "V" : "K";
  return {{name + " = " + other, [=](ParameterList& list) {
             list.set(name, other);
             if (is_k) list.remove("cycle: K levels", false);
           }}};
}

/// The reach of the pattern of a sparse inverse.
std::vector<Change> patterns(ParameterList const& own) {
  auto const settings = parameters::parse(own);
  if (settings.algorithm != Algorithm::fsai) return {};
  char const* const name = "fsai: pattern level";
  int const now = settings.fsai.pattern_level;
  std::vector<Change> changes;
  for (int const level : {now - 1, now + 1})
    if (level >= 1) changes.push_back(change(name, level));
  return changes;
}

/// The prefilter of a sparse inverse.
std::vector<Change> filters(ParameterList const& own) {
  auto const settings = parameters::parse(own);
  if (settings.algorithm != Algorithm::fsai) return {};
  char const* const name = "fsai: prefilter tolerance";
  double const now = settings.fsai.prefilter;
  return {change(name, 0.5 * now), change(name, 2.0 * now)};
}

}  // namespace

Plan plan(TuneFacts const& facts) {
  if (facts.equations > 1 || facts.nullspace > 1)
    return {{"elasticity", "sa_amg", "robust", "sa_amg_anisotropic", "matching_amg", "sa_amg_fsai_smoother",
             "fsai"},
            "several unknowns a node or near-nullspace vectors, so presets for such systems come first"};
  if (facts.dominant >= 0.5)
    return {{"fsai", "sa_amg", "ua_amg_kcycle", "matching_amg", "robust", "sa_amg_anisotropic",
             "sa_amg_fsai_smoother"},
            "the diagonal dominates most rows, so a sparse inverse comes first"};
  if (facts.weak >= many || facts.positive >= many)
    return {
        {"sa_amg_anisotropic", "robust", "classical_amg", "matching_amg", "sa_amg", "ua_amg_kcycle",
         "sa_amg_fsai_smoother", "fsai", "matching_amg_bootstrap"},
        "many couplings are weak or positive, as with anisotropies and jumps, so presets that distinguish "
        "them come first"};
  return {{"sa_amg", "robust", "ua_amg_kcycle", "matching_amg", "sa_amg_anisotropic", "classical_amg", "fsai",
           "sa_amg_fsai_smoother", "matching_amg_bootstrap"},
          "few couplings are weak or positive, so the default comes first"};
}

std::vector<Candidate> candidates(std::vector<std::string> const& order, TuneOptions const& options) {
  auto backends = options.backends;
  if (backends.empty()) backends.emplace_back();
  std::vector<Candidate> all;
  for (auto const& name : order)
    for (auto const& backend : backends) all.push_back(candidate(name, backend, options));
  return all;
}

Teuchos::ParameterList& own_settings(Candidate const& candidate) {
  return *parameters::selection(candidate.settings).preconditioner_parameters;
}

std::vector<Variation> variations() {
  return {degrees, drop_tolerances, couplings, matchings, cycles, patterns, filters};
}

std::vector<Change> without_dropping(ParameterList const& own) {
  if (dropped_below(own) == 0) return {};
  return {change(drop_tolerance, 0.0)};
}

Candidate changed(Candidate const& candidate, Change const& change) {
  auto const copy = Teuchos::rcp(new ParameterList(*candidate.settings));
  Candidate result{candidate.name + ", " + change.text, copy};
  change.set(own_settings(result));
  return result;
}

}  // namespace Tessera::tuning
