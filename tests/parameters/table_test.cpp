// The table: every row is valid, has an effect, and agrees with the validators and the reference.
#include "settings/table.hpp"

#include <gtest/gtest.h>

#include <Teuchos_ParameterList.hpp>
#include <Teuchos_XMLParameterListCoreHelpers.hpp>
#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "core/error.hpp"
#include "parameters/messages.hpp"
#include "parameters/parse.hpp"
#include "parameters/valid_parameters.hpp"

namespace Tessera::parameters {
namespace {

/// Numbers and choices as text.
template <class... Values>
std::string joined(Values... values) {
  std::ostringstream out;
  out.precision(17);
  ((out << static_cast<double>(values) << ' '), ...);
  return out.str();
}

// All members of settings as text: settings are equal if their texts are. A new member does not compile
// until it is named here.

std::string fingerprint(fsai::Parameters const& p) {
  auto const& [factors, ordering, level, prefilter, postfilter, norm, row_size, steps, step_size, tolerance,
               depth, workspace] = p;
  return joined(factors, ordering, level, prefilter, postfilter, norm, row_size, steps, step_size, tolerance,
                depth, workspace);
}

std::string fingerprint(multigrid::SmootherParameters const& p) {
  auto const& [type, pre_or_post, sweeps, damping, chebyshev, degree, ratio, fsai, foreign] = p;
  return joined(type, pre_or_post, sweeps, damping, chebyshev, degree, ratio, foreign.symmetric) +
         foreign.name + foreign.parameters + fingerprint(fsai);
}

std::string fingerprint(aggregation::StrengthParameters const& p) {
  auto const& [scheme, drop_tolerance, equations, dirichlet_threshold, row_sum, material, coupled, edges] = p;
  return joined(scheme, drop_tolerance, equations, dirichlet_threshold, row_sum, material, coupled, edges);
}

std::string fingerprint(aggregation::AggregationParameters const& p) {
  auto const& [seed, extra_phases, extra_degree, scheme, largest, passes, aggressive, skip_ratio, matchings,
               coarse_matchings, matching, reshaping_steps] = p;
  auto const& [least_quotient, first_weight, first_share, smoothing_share, drop_tolerance] = matching;
  return joined(seed, extra_phases, extra_degree, scheme, largest, passes, aggressive, skip_ratio, matchings,
                coarse_matchings, least_quotient, first_weight, first_share, smoothing_share, drop_tolerance,
                reshaping_steps);
}

std::string fingerprint(galerkin::FilterParameters const& p) {
  auto const& [filtered, keep_above] = p;
  return joined(filtered, keep_above);
}

std::string fingerprint(galerkin::EnergyParameters const& p) {
  auto const& [reach, prefilter, energy_steps] = p;
  return joined(reach, prefilter, energy_steps);
}

std::string fingerprint(galerkin::ClassicalParameters const& p) {
  auto const& [threshold, most_entries, truncation, aggressive_levels] = p;
  return joined(threshold, most_entries, truncation, aggressive_levels);
}

std::string fingerprint(multigrid::BootstrapParameters const& p) {
  auto const& [components, convergence_rate, sweeps] = p;
  return joined(components, convergence_rate, sweeps);
}

std::string fingerprint(multigrid::Parameters const& p) {
  std::string by_level;
  for (auto const& one : p.level_drop_tolerances) by_level += joined(one.first, one.second);
  for (auto const& one : p.level_smoothers) by_level += joined(one.first) + fingerprint(one.second);
  auto const& [max_levels, coarsening, cycle, k_levels, applications, equations, strength, drop_scaling,
               level_drop_tolerances, aggregation, filter, energy, classical, damping, normalise_constant,
               steps, safety, max_eigenvalue, smoother, level_smoothers, coarse, coarse_max_size,
               coarse_sweeps, direct, rows_per_rank, in_float, prepare_refresh, bootstrap, warnings, spgemm,
               format, chunk_size, sigma, half, half_from] = p;
  return joined(max_levels, coarsening, cycle, k_levels, applications, equations, drop_scaling, damping,
                normalise_constant, steps, safety, max_eigenvalue, coarse, coarse_max_size, coarse_sweeps,
                rows_per_rank, in_float, prepare_refresh, warnings.size(), direct.name.size(), spgemm, format,
                chunk_size, sigma, half, half_from) +
         fingerprint(strength) + fingerprint(aggregation) + fingerprint(filter) + fingerprint(energy) +
         fingerprint(classical) + fingerprint(smoother) + fingerprint(bootstrap) + by_level;
}

std::string fingerprint(Settings const& s) {
  auto const& [algorithm, multigrid, fsai, backend, overlap, device, precision, verbosity, reuse, excess,
               timer, phase_timers, strict, problem, direct_solver] = s;
  return joined(algorithm, backend, overlap, device, precision, verbosity, reuse, excess, timer, phase_timers,
                strict, problem) +
         direct_solver + fingerprint(multigrid) + fingerprint(fsai);
}

/// A list in which the row's condition holds.
Teuchos::ParameterList company(Parameter const& row) {
  Teuchos::ParameterList list("Tessera");
  std::string const& text = row.condition.text;
  if (text.find("RELAXATION") != std::string::npos) list.set<std::string>("smoother: type", "RELAXATION");
  if (text.find("IFPACK2") != std::string::npos) list.set<std::string>("smoother: type", "IFPACK2");
  for (std::string const scheme : {"paa", "matching"}) {
    if (text.find("aggregation: type = " + scheme) != std::string::npos)
      list.set("aggregation: type", scheme);
  }
  if (text.find("drop scheme = distance laplacian") != std::string::npos)
    list.set<std::string>("aggregation: drop scheme", "distance laplacian");
  if (text.find("bootstrap: components > 1") != std::string::npos) list.set("bootstrap: components", 2);
  if (text.find("= first") != std::string::npos) list.set<std::string>("chebyshev: algorithm", "first");
  if (text.find("precision: hierarchy = auto") != std::string::npos)
    list.set<std::string>("precision: hierarchy", "auto");
  if (text.find("cycle type = K") != std::string::npos) list.set<std::string>("cycle type", "K");
  if (text.find("coarse: type = smoother") != std::string::npos) {
    list.set<std::string>("coarse: type", "smoother");
  }
  if (text.find("coarse: type = amesos2") != std::string::npos)
    list.set<std::string>("coarse: type", "amesos2");
  if (text.find("P = T") == 0) list.set<std::string>("multigrid algorithm", "unsmoothed");
  for (std::string const algorithm : {"rootnode", "classical"})
    if (text == "multigrid algorithm = " + algorithm) list.set("multigrid algorithm", algorithm);
  if (text.find("multigrid algorithm = fsai") != std::string::npos)
    list.set<std::string>("multigrid algorithm", "fsai");
  if (text.find("ordering = random") != std::string::npos) {
    list.set<std::string>("multigrid algorithm", "fsai");
    list.set<std::string>("fsai: ordering", "random");
  }
  if (text.find("adaptive steps > 0") != std::string::npos) {
    list.set<std::string>("multigrid algorithm", "fsai");
    list.set("fsai: adaptive steps", 2);
  }
  return list;
}

void put(Teuchos::ParameterList& list, std::string const& name, Value const& value) {
  auto const* const xml = std::get_if<std::string>(&value);
  if (xml && (xml->empty() || xml->front() == '<')) {  // of a list
    list.sublist(name);
    if (!xml->empty()) list.sublist(name).setParameters(*Teuchos::getParametersFromXmlString(*xml));
    return;
  }
  std::visit([&](auto const& v) { list.set(name, v); }, value);
}

/// Allowed values of the row that are not its default.
std::vector<Value> others(Parameter const& row) {
  Value const standard = row.standard();
  switch (row.kind) {
    case Kind::boolean:
      return {Value(!std::get<bool>(standard))};
    case Kind::integer: {
      int const value = std::get<int>(standard);
      if (row.extra_value == value) return {Value(static_cast<int>(row.lowest) + 1)};
      int const twice = value <= 0 ? value + 1 : 2 * value;  // keeps powers of two
      return {Value(twice <= row.highest ? twice : value / 2)};
    }
    case Kind::real: {
      double const value = std::get<double>(standard);
      if (row.extra_value == value) return {Value(row.lowest + 1)};
      return {Value(value < row.highest ? 0.5 * (value + std::min(row.highest, 1.0 + value)) : 0.5 * value)};
    }
    case Kind::list:
      return {
          Value(R"(<ParameterList name="list"><Parameter name="a" type="int" value="3"/></ParameterList>)")};
    case Kind::choice:
      break;
  }
  std::vector<Value> result;
  for (auto const& choice : row.choices) {
    if (Value(choice) != standard) result.push_back(choice);
  }
  return result;
}

TEST(ParameterTable, NamesAndAliasesAreDistinct) {
  std::set<std::string> names;
  for (auto const& row : table()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    for (auto const& alias : row.aliases) EXPECT_TRUE(names.insert(alias.name).second) << alias.name;
  }
}

TEST(ParameterTable, EveryRowIsDocumentedAndItsDefaultIsAllowed) {
  for (auto const& row : table()) {
    EXPECT_FALSE(row.documentation.empty()) << row.name;
    EXPECT_EQ(row.documentation.back(), '.') << row.name;
    EXPECT_FALSE(row.origin.empty()) << row.name;
    auto list = company(row);
    put(list, row.name, row.standard());
    EXPECT_NO_THROW(parse(list)) << row.name;
  }
}

TEST(ParameterTable, AnEmptyListGivesDefaultSettings) {
  auto const defaults = Settings();
  EXPECT_EQ(fingerprint(parse(Teuchos::ParameterList("Tessera"))), fingerprint(defaults));
}

// `aggregation: order` no longer has an effect; parse() warns.
TEST(ParameterTable, EveryKeyIsConsumed) {
  for (auto const& row : table()) {
    if (row.name == "aggregation: order") continue;
    for (auto const& value : others(row)) {
      auto list = company(row);
      std::string const before = fingerprint(parse(list));
      put(list, row.name, value);
      EXPECT_NE(fingerprint(parse(list)), before) << row.name << " = " << text(value);
      EXPECT_TRUE(list.getEntry(row.name).isUsed()) << row.name;
    }
  }
}

TEST(ParameterTable, EveryAliasAndSublistHasTheSameEffect) {
  for (auto const& row : table()) {
    Value const value = others(row).front();
    auto canonical = company(row);
    put(canonical, row.name, value);
    std::string const expected = fingerprint(parse(canonical));
    if (!row.sublist.empty()) {
      auto list = company(row);
      put(list.sublist(row.sublist), row.name, value);
      EXPECT_EQ(fingerprint(parse(list)), expected) << row.sublist << " -> " << row.name;
    }
    for (auto const& alias : row.aliases) {
      auto list = company(row);
      if (alias.values.empty()) put(list, alias.name, value);
      for (auto const& pair : alias.values) {
        if (Value(pair.second) == value) list.set(alias.name, pair.first);
      }
      EXPECT_EQ(fingerprint(parse(list)), expected) << alias.name;
    }
  }
}

TEST(ParameterTable, TeuchosAcceptsValidListsAndItsDefaultsDoNotContradictTheUser) {
  for (auto const& row : table()) {
    auto list = company(row);
    put(list, row.name, others(row).front());
    std::string const expected = fingerprint(parse(list));
    EXPECT_NO_THROW(list.validateParametersAndSetDefaults(*valid_parameters())) << row.name;
    EXPECT_EQ(fingerprint(parse(list)), expected) << row.name;
  }
}

// Trilinos 16 looks at defaults, too.
TEST(ParameterTable, TeuchosAcceptsAllDefaultsWhenTheyAreSet) {
  Teuchos::ParameterList list("Tessera");
  for (auto const& row : table()) put(list, row.name, row.standard());
  EXPECT_NO_THROW(list.validateParameters(*valid_parameters()));
}

TEST(ParameterTable, TeuchosRefusesInvalidLists) {
  auto const refuses = [](std::string const& name, auto value) {
    Teuchos::ParameterList list("Tessera");
    list.set(name, value);
    EXPECT_THROW(list.validateParameters(*valid_parameters()), std::logic_error) << name;
    EXPECT_THROW(parse(list), core::InvalidInput) << name;
  };
  refuses("smother: sweeps", 2);
  refuses("max levels", 0);
  refuses("max levels", 2.5);
  refuses("aggregation: drop tol", 1.5);
  refuses("fsai: prefilter tolerance", 1.0);
  refuses("fsai: max row size", 1025);
  refuses("cycle type", std::string("X"));
  refuses("aggregation: coupled", std::string("perhaps"));
}

TEST(ParameterTable, TheReferenceInDocsIsUpToDate) {
  std::ifstream file(TESSERA_REFERENCE);
  std::ostringstream written, current;
  written << file.rdbuf();
  print_markdown(current);
  EXPECT_TRUE(written.str() == current.str()) << "docs/parameters.md is out of date; write it again with: "
                                                 "tessera params --markdown > docs/parameters.md";
}

TEST(ParameterTable, TheReferenceNamesEveryParameter) {
  std::ostringstream out;
  print_reference(out);
  for (auto const& row : table())
    EXPECT_NE(out.str().find("  " + row.name + " ("), std::string::npos) << row.name;
}

TEST(Suggestions, EditDistanceCountsSwapsAndIgnoresCase) {
  EXPECT_EQ(edit_distance("smoother", "smoother"), 0);
  EXPECT_EQ(edit_distance("smother", "smoother"), 1);
  EXPECT_EQ(edit_distance("smoohter", "smoother"), 1);
  EXPECT_EQ(edit_distance("SMOOTHER", "smoother"), 0);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("", "abc"), 3);
}

TEST(Suggestions, NearNamesComeFirstOtherwiseNamesWithThePrefix) {
  std::vector<std::string> const known{"coarse: type", "coarse: max size", "max levels"};
  EXPECT_EQ(did_you_mean("max level", known), "did you mean \"max levels\"?");
  EXPECT_EQ(did_you_mean("coarse: quantum solver", known),
            "known names that begin likewise: \"coarse: type\", \"coarse: max size\"");
  EXPECT_EQ(did_you_mean("something else", known), "");
}

}  // namespace
}  // namespace Tessera::parameters
