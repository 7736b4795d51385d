#include "cli/tune_lists.hpp"

#include <algorithm>
#include <sstream>

#include "cli/ready_lists.hpp"
#include "core/error.hpp"
#include "parameters/list_xml.hpp"
#include "parameters/parse.hpp"
#include "parameters/read_xml.hpp"
#include "parameters/selection.hpp"

namespace Tessera::cli {
namespace {

using parameters::Algorithm;
using Teuchos::ParameterList;

double constexpr many = 0.2;  ///< share of couplings from which on they decide what is tried first
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

/// What is taken for strong: the drop tolerance halved and doubled.
std::vector<Change> drop_tolerances(ParameterList const& own) {
  auto const settings = parameters::parse(own);
  bool const drops = settings.algorithm == Algorithm::smoothed || settings.algorithm == Algorithm::unsmoothed;
  double const now = settings.multigrid.strength.drop_tolerance;
  if (!drops || now == 0) return {};
  char const* const name = "aggregation: drop tol";
  return {change(name, 0.5 * now), change(name, std::min(1.0, 2.0 * now))};
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

Teuchos::RCP<ParameterList> copy(ParameterList const& list) {
  return Teuchos::rcp(new ParameterList(list));
}

/// So that it may stand in a comment of XML, whatever a file is called.
std::string for_comment(std::string text) {
  for (auto& c : text)
    if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) > '~') c = '?';
  for (auto at = text.find("--"); at != std::string::npos; at = text.find("--", at))
    text.replace(at, 2, "- -");
  return text;
}

}  // namespace

Plan plan(MatrixFacts const& facts) {
  if (facts.equations > 1 || facts.nullspace > 1)
    return {{"elasticity", "sa_amg", "robust", "matching_amg", "sa_amg_fsai_smoother", "fsai"},
            "several unknowns a node or near-nullspace vectors, so lists that bear them come first"};
  if (facts.dominant >= 0.5)
    return {{"fsai", "sa_amg", "ua_amg_kcycle", "matching_amg", "robust", "sa_amg_anisotropic",
             "sa_amg_fsai_smoother"},
            "the diagonal dominates most rows, so a sparse inverse comes first"};
  if (facts.weak >= many || facts.positive >= many)
    return {
        {"sa_amg_anisotropic", "robust", "matching_amg", "sa_amg", "ua_amg_kcycle", "sa_amg_fsai_smoother",
         "fsai", "matching_amg_bootstrap"},
        "many couplings are weak or positive, as with anisotropies and jumps, so lists that tell them apart "
        "come first"};
  return {{"sa_amg", "robust", "ua_amg_kcycle", "matching_amg", "sa_amg_anisotropic", "fsai",
           "sa_amg_fsai_smoother", "matching_amg_bootstrap"},
          "few couplings are weak or positive, so the default comes first"};
}

Candidate ready_candidate(std::string const& name, Overrides const& overrides, int equations,
                          Teuchos::Comm<int> const& comm) {
  Candidate candidate{name, readXml(list_file(name, comm), comm)};
  auto const selection = parameters::selection(candidate.list);
  auto& solver = *selection.solver_parameters;
  if (overrides.tolerance) solver.set("Convergence Tolerance", *overrides.tolerance);
  if (overrides.max_iterations) solver.set("Maximum Iterations", *overrides.max_iterations);
  auto& own = *selection.preconditioner_parameters;
  if (!overrides.backend.empty()) own.set("backend: type", overrides.backend);
  if (equations > 1 && parameters::parse(own).algorithm != Algorithm::fsai)
    own.set("number of equations", equations);
  return candidate;
}

std::vector<Knob> knobs() {
  return {degrees, drop_tolerances, matchings, cycles, patterns, filters};
}

ParameterList& own_settings(Candidate const& candidate) {
  return *parameters::selection(candidate.list).preconditioner_parameters;
}

Candidate changed(Candidate const& candidate, Change const& change) {
  Candidate result{candidate.name + ", " + change.words, copy(*candidate.list)};
  change.put(own_settings(result));
  return result;
}

std::string checked_xml(Candidate const& candidate, std::vector<std::string> const& comment) {
  std::ostringstream text;
  for (auto const& line : comment)
    text << (&line == &comment.front() ? "<!-- " : "     ") << for_comment(line)
         << (&line == &comment.back() ? " -->\n" : "\n");
  parameters::write_xml(text, *candidate.list, "Stratimikos");
  parameters::validate(parameters::selection(parameters::parse_xml(text.str(), candidate.name)));
  return text.str();
}

}  // namespace Tessera::cli
