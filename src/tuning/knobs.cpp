#include "tuning/knobs.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "parameters/parse.hpp"

namespace Tessera::tuning {
namespace {

using parameters::Algorithm;
using Teuchos::ParameterList;

char const* const smoother = "smoother: params";

/// `name` = value, in the sublist of the smoother where it stands there.
template <class T>
Change change(std::string const& name, T const& value) {
  return {core::message(name, " = ", value), [=](ParameterList& own) {
            bool const below = own.isSublist(smoother) && own.sublist(smoother).isParameter(name);
            (below ? own.sublist(smoother) : own).set(name, value);
          }};
}

/// Those of 1, 2 and 3 that it is not.
std::vector<Change> degrees(ParameterList const& own) {
  auto const settings = parameters::parse(own);
  std::vector<Change> changes;
  if (settings.algorithm == Algorithm::fsai) return changes;
  for (int const degree : {1, 2, 3})
    if (degree != settings.multigrid.smoother.degree) changes.push_back(change("chebyshev: degree", degree));
  return changes;
}

char const* const drop_tolerance = "aggregation: drop tol";

/// Of a list that takes couplings for strong by their size; 0 else.
double dropped_below(ParameterList const& own) {
  auto const settings = parameters::parse(own);
  bool const drops = parameters::has_aggregates(settings.algorithm) &&
                     settings.multigrid.aggregation.scheme != aggregation::AggregationScheme::matching;
  return drops ? settings.multigrid.strength.drop_tolerance : 0;
}

/// What is taken for strong: the drop tolerance halved and doubled, or every coupling.
std::vector<Change> drop_tolerances(ParameterList const& own) {
  double const now = dropped_below(own);
  if (now == 0) return {};
  return {change(drop_tolerance, 0.5 * now), change(drop_tolerance, std::min(1.0, 2.0 * now)),
          change(drop_tolerance, 0.0)};
}

/// Of classical coarsening: more couplings, and longer rows of P.
std::vector<Change> couplings(ParameterList const& own) {
  auto const settings = parameters::parse(own);
  if (settings.algorithm != Algorithm::classical) return {};
  auto const& now = settings.multigrid.classical;
  return {change("classical: strong threshold", 0.5 * now.strong_threshold),
          change("classical: max row entries", now.most_entries + 2)};
}

/// How far matchings coarsen.
std::vector<Change> matchings(ParameterList const& own) {
  auto const settings = parameters::parse(own);
  if (settings.algorithm != Algorithm::matching) return {};
  int const now = settings.multigrid.aggregation.matchings;
  std::vector<Change> changes;
  for (int const steps : {now - 1, now + 1})
    if (1 <= steps && steps <= 6) changes.push_back(change("matching: steps", steps));
  return changes;
}

/// V for K and K for V. A bootstrap keeps its own.
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

/// Of a sparse inverse: how far its pattern reaches.
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

/// Of a sparse inverse: what its pattern leaves out.
std::vector<Change> filters(ParameterList const& own) {
  auto const settings = parameters::parse(own);
  if (settings.algorithm != Algorithm::fsai) return {};
  char const* const name = "fsai: prefilter tolerance";
  double const now = settings.fsai.prefilter;
  return {change(name, 0.5 * now), change(name, 2.0 * now)};
}

}  // namespace

std::vector<Knob> knobs() {
  return {degrees, drop_tolerances, couplings, matchings, cycles, patterns, filters};
}

std::vector<Change> without_dropping(ParameterList const& own) {
  if (dropped_below(own) == 0) return {};
  return {change(drop_tolerance, 0.0)};
}

Candidate changed(Candidate const& candidate, Change const& change) {
  auto const copy = Teuchos::rcp(new ParameterList(*candidate.settings));
  Candidate result{candidate.name + ", " + change.words, copy};
  change.put(own_settings(result));
  return result;
}

}  // namespace Tessera::tuning
