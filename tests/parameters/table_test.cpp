// The table itself: every row is sound, has an effect, and is what the validators and the reference say.
#include "parameters/table.hpp"

#include <gtest/gtest.h>

#include <Teuchos_ParameterList.hpp>
#include <fstream>
#include <set>
#include <sstream>

#include "core/error.hpp"
#include "parameters/parse.hpp"
#include "parameters/reference.hpp"
#include "parameters/suggestion.hpp"
#include "parameters/valid_parameters.hpp"

namespace Tessera::parameters {
namespace {

std::string fingerprint(fsai::Parameters const& p);

/// Everything that settings hold, as text: two settings are equal where these are.
std::string fingerprint(Settings const& s) {
  auto const& m = s.multigrid;
  std::ostringstream out;
  out.precision(17);
  out << fingerprint(s.fsai) << fingerprint(m.smoother.fsai);
  for (double const value : {double(s.algorithm),
                             double(m.max_levels),
                             double(m.cycle),
                             double(m.equations),
                             double(m.strength.scheme),
                             m.strength.drop_tolerance,
                             m.drop_tolerance_scaling,
                             double(m.strength.equations),
                             m.strength.dirichlet_threshold,
                             double(m.strength.coupled),
                             double(m.aggregation.seed),
                             double(m.aggregation.extra_phases),
                             double(m.aggregation.extra_degree),
                             double(m.filter.filtered),
                             m.filter.keep_above,
                             m.prolongator_damping,
                             double(m.eigenvalue_steps),
                             m.eigenvalue_safety,
                             m.max_eigenvalue,
                             double(m.smoother.type),
                             double(m.smoother.pre_or_post),
                             double(m.smoother.sweeps),
                             m.smoother.damping,
                             double(m.smoother.chebyshev),
                             double(m.smoother.degree),
                             m.smoother.ratio,
                             double(m.coarse),
                             double(m.coarse_max_size),
                             double(m.coarse_sweeps),
                             double(m.rows_per_rank),
                             double(m.prepare_refresh),
                             double(m.spgemm),
                             double(m.format),
                             double(m.chunk_size),
                             double(m.sigma),
                             double(s.backend),
                             double(s.device),
                             double(s.precision),
                             double(s.verbosity),
                             double(s.reuse),
                             double(s.timer_for_apply),
                             double(s.strict)}) {
    out << value << ' ';
  }
  return out.str();
}

std::string fingerprint(fsai::Parameters const& p) {
  std::ostringstream out;
  out.precision(17);
  out << p.factors << ' ' << static_cast<int>(p.ordering) << ' ' << p.pattern_level << ' ' << p.prefilter
      << ' ' << p.postfilter << ' ' << static_cast<int>(p.postfilter_norm) << ' ' << p.max_row_size << ' '
      << p.adaptive_steps << ' ' << p.adaptive_step_size << ' ' << p.adaptive_tolerance << ' '
      << p.ghost_depth << ' ' << p.workspace << ' ';
  return out.str();
}

/// A list in which the row's condition holds.
Teuchos::ParameterList company(Parameter const& row) {
  Teuchos::ParameterList list("Tessera");
  std::string const& text = row.condition.text;
  if (text.find("RELAXATION") != std::string::npos) list.set<std::string>("smoother: type", "RELAXATION");
  if (text.find("= first") != std::string::npos) list.set<std::string>("chebyshev: algorithm", "first");
  if (text.find("coarse: type = smoother") != std::string::npos) {
    list.set<std::string>("coarse: type", "smoother");
  }
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
      int const twice = value <= 0 ? value + 1 : 2 * value;  // a power of two stays one
      return {Value(twice <= row.highest ? twice : value / 2)};
    }
    case Kind::real: {
      double const value = std::get<double>(standard);
      if (row.besides == value) return {Value(row.lowest + 1)};
      return {Value(value < row.highest ? 0.5 * (value + std::min(row.highest, 1.0 + value)) : 0.5 * value)};
    }
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
  EXPECT_EQ(fingerprint(parse(Teuchos::ParameterList("Tessera"))), fingerprint(Settings{}));
}

TEST(ParameterTable, EveryKeyIsConsumed) {
  for (auto const& row : table()) {
    for (auto const& value : others(row)) {
      auto list = company(row);
      std::string const before = fingerprint(parse(list));
      put(list, row.name, value);
      EXPECT_NE(fingerprint(parse(list)), before) << row.name << " = " << text(value);
      EXPECT_TRUE(list.getEntry(row.name).isUsed()) << row.name;
    }
  }
}

TEST(ParameterTable, EveryAliasAndSublistSaysTheSame) {
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

TEST(ParameterTable, TeuchosValidatesWhatWeAcceptAndItsDefaultsDoNotContradictTheUser) {
  for (auto const& row : table()) {
    auto list = company(row);
    put(list, row.name, others(row).front());
    std::string const expected = fingerprint(parse(list));
    EXPECT_NO_THROW(list.validateParametersAndSetDefaults(*valid_parameters())) << row.name;
    EXPECT_EQ(fingerprint(parse(list)), expected) << row.name;
  }
}

TEST(ParameterTable, TeuchosRefusesWhatWeRefuse) {
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
  refuses("cycle type", std::string("F"));
  refuses("aggregation: coupled", std::string("perhaps"));
}

TEST(ParameterTable, TheReferenceInDocsIsUpToDate) {
  std::ifstream file(TESSERA_REFERENCE);
  std::ostringstream written, current;
  written << file.rdbuf();
  print_markdown(current);
  EXPECT_TRUE(written.str() == current.str()) << "docs/parameters.md is out of date; write it anew with: "
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

TEST(Suggestions, NearNamesComeFirstAndElseThoseOfThePrefix) {
  std::vector<std::string> const known{"coarse: type", "coarse: max size", "max levels"};
  EXPECT_EQ(did_you_mean("max level", known), "did you mean \"max levels\"?");
  EXPECT_EQ(did_you_mean("coarse: quantum solver", known),
            "known names that begin likewise: \"coarse: type\", \"coarse: max size\"");
  EXPECT_EQ(did_you_mean("something else", known), "");
}

}  // namespace
}  // namespace Tessera::parameters
