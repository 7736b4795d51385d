// Configurations of AmgX as settings of Tessera.
#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

#include "amgx/solver.hpp"
#include "core/error.hpp"
#include "settings/settings.hpp"

namespace Tessera::amgx {
namespace {

using nlohmann::json;
using settings::hint;
using settings::Parameter;
using settings::trimmed;
using settings::upper_case;
using settings::Value;
using settings::Written;

char const* const default_scope = "default";

Written written(json const& value) {
  if (value.is_boolean()) return {value.get<bool>(), value.dump(), "bool"};
  if (value.is_number_integer()) return {value.get<long long>(), value.dump(), "int"};
  if (value.is_number_float()) return {value.get<double>(), value.dump(), "double"};
  if (value.is_string()) return {value.get<std::string>(), value.get<std::string>(), "string"};
  return {{}, value.is_array() ? "[...]" : value.is_object() ? "{...}" : "null", value.type_name()};
}

/// A value without quotes or type.
Written guessed(std::string text) {
  if (text.size() > 1 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  auto const number = json::parse(text, nullptr, false);
  return number.is_number() ? written(number) : Written{text, text, "string"};
}

/// The options of a JSON object go to a scope, those of the solvers that it names to scopes of their own.
class JsonReader {
 public:
  explicit JsonReader(Options& options) : options_(options) {}

  void read(json const& object, std::string const& scope, int depth = 0) {
    constexpr int deepest = 32;
    TESSERA_VALIDATE(depth < deepest, "the configuration names solvers in ", deepest,
                     " depths; give at most 3: a solver, its preconditioner, and its smoother");
    for (auto const& [name, value] : object.items()) {
      if (name == "scope") continue;
      if (name == "tessera" && scope == default_scope) {
        read_own(value);
      } else if (value.is_object()) {
        read_solver(name, value, scope, depth);
      } else if (depth == 0 || name != "solver") {
        options_.scopes[scope][name] = {written(value), ""};
      }
    }
  }

 private:
  void read_own(json const& value) {
    TESSERA_VALIDATE(value.is_object(), "\"tessera\" is of type ", value.type_name(),
                     "; give an object with Tessera's parameters");
    for (auto const& [name, one] : value.items()) options_.own[name] = written(one);
  }

  void read_solver(std::string const& name, json const& value, std::string const& scope, int depth) {
    auto const solver = value.find("solver");
    TESSERA_VALIDATE(solver != value.end() && solver->is_string(), "\"", core::excerpt(name),
                     "\" is an object without \"solver\" (objects hold the options of the solver that they "
                     "name); name the solver in it, or move \"tessera\" to the top");
    auto const given = value.find("scope");
    auto const own = given != value.end() && given->is_string() ? given->get<std::string>()
                                                                : core::message(scope, " -> ", name);
    options_.scopes[scope][name] = {written(*solver), own};
    read(value, own, depth + 1);
  }

  Options& options_;
};

/// scope:name(new scope)=value
void read_assignment(std::string const& text, Options& options) {
  auto const equals = text.find('=');
  TESSERA_VALIDATE(equals != std::string::npos, "\"", core::excerpt(text),
                   "\" is no option; write name=value, scope:name=value or JSON");
  auto name = trimmed(text.substr(0, equals));
  std::string scope = default_scope, inner;
  if (auto const colon = name.find(':'); colon != std::string::npos) {
    scope = trimmed(name.substr(0, colon));
    name = trimmed(name.substr(colon + 1));
  }
  if (auto const open = name.find('('); open != std::string::npos && name.back() == ')') {
    inner = trimmed(name.substr(open + 1, name.size() - open - 2));
    name = trimmed(name.substr(0, open));
  }
  options.scopes[scope][name] = {guessed(trimmed(text.substr(equals + 1))), inner};
}

class Translator {
 public:
  explicit Translator(Options const& options) : options_(options) {}

  Plan result() {
    read_outer_solver();
    read_own();
    warn_of_others();
    if (!problems_.empty()) {
      std::string text;
      for (auto const& problem : problems_) text += (text.empty() ? "" : "\n") + problem;
      throw core::InvalidInput(text);
    }
    return std::move(plan_);
  }

 private:
  /// Finds an option, and marks it as used.
  Option const* find(std::string const& scope, std::string const& name) {
    auto const* const option = options_.find(scope, name);
    if (option != nullptr) used_.insert(option);
    known_.insert(name);
    return option;
  }
  template <class T>
  T get(std::string const& scope, std::string const& name, T standard, char const* type) {
    auto const* const option = find(scope, name);
    if (option == nullptr) return standard;
    if (auto const* value = std::get_if<T>(&option->value.value)) return *value;
    problems_.push_back("\"" + name + "\" " + settings::wrong_type(option->value, type));
    return standard;
  }
  long long whole(std::string const& scope, std::string const& name, long long standard) {
    return get<long long>(scope, name, standard, "int");
  }
  double number(std::string const& scope, std::string const& name, double standard) {
    auto const* const option = find(scope, name);
    auto const* const integer = option == nullptr ? nullptr : std::get_if<long long>(&option->value.value);
    return integer != nullptr ? static_cast<double>(*integer) : get<double>(scope, name, standard, "double");
  }
  std::string word(std::string const& scope, std::string const& name, char const* standard) {
    return upper_case(get<std::string>(scope, name, standard, "string"));
  }
  bool flag(std::string const& scope, std::string const& name) {
    auto const* const option = find(scope, name);
    auto const* const boolean = option == nullptr ? nullptr : std::get_if<bool>(&option->value.value);
    return boolean != nullptr ? *boolean : whole(scope, name, 0) != 0;
  }
  /// The scope of the solver that an option names.
  std::string scope_of(std::string const& scope, std::string const& name) {
    auto const* const option = options_.find(scope, name);
    return option == nullptr || option->scope.empty() ? scope : option->scope;
  }
  void set(char const* name, Written const& value) {
    std::string problem;
    auto const* const row = settings::names().at(name).row;
    if (auto const converted = settings::converted(*row, nullptr, value, problem)) {
      plan_.translated[row] = *converted;
    } else {
      problems_.push_back(core::message("\"", name, "\", which the configuration gives, ", problem));
    }
  }
  void set(char const* name, char const* value) { set(name, Written{std::string(value), value, "string"}); }
  void set(char const* name, long long value) { set(name, Written{value, std::to_string(value), "int"}); }
  void set(char const* name, double value) { set(name, Written{value, core::text(value), "double"}); }
  /// Sets a parameter if the configuration has the option.
  void set_from(char const* name, std::string const& scope, char const* option) {
    if (auto const* const given = find(scope, option)) set(name, given->value);
  }

  void read_outer_solver() {
    auto const name = word(default_scope, "solver", "AMG");
    auto const scope = scope_of(default_scope, "solver");
    if (name == "PCG" || name == "PCGF" || name == "CG") {
      plan_.krylov.flexible = name == "PCGF";
      auto const M = name == "CG" ? "NOSOLVER" : word(scope, "preconditioner", "AMG");
      plan_.preconditioned = M != "NOSOLVER";
      if (plan_.preconditioned) read_preconditioner(M, scope_of(scope, "preconditioner"), scope);
    } else if (is_smoother(name) || name == "AMG") {
      plan_.iteration = Iteration::preconditioner;
      read_preconditioner(name, scope, scope);
    } else {
      problems_.push_back(
          "solver " + core::excerpt(name) +
          " is not available (Tessera solves symmetric positive definite systems); take PCG, PCGF or CG, or "
          "a preconditioner alone: AMG, BLOCK_JACOBI, JACOBI_L1 or CHEBYSHEV");
    }
    read_convergence(scope);
    plan_.print_solve = flag(scope, "print_solve_stats");
    plan_.print_grid = flag(scope, "print_grid_stats") || plan_.print_grid;
    plan_.print_times = flag(scope, "obtain_timings");
  }

  void read_convergence(std::string const& scope) {
    auto& krylov = plan_.krylov;
    auto const most = whole(scope, "max_iters", 100);
    if (most < 0 || most > 1000000000)
      problems_.push_back(core::message("\"max_iters\" is ", most, "; give 0 to 1000000000"));
    krylov.max_iterations = static_cast<int>(std::clamp(most, 0LL, 1000000000LL));
    plan_.monitored = flag(scope, "monitor_residual");
    auto const criterion = word(scope, "convergence", "ABSOLUTE");
    auto const tolerance = number(scope, "tolerance", 1e-12);
    krylov.tolerance = krylov.absolute_tolerance = tolerance;
    krylov.relative_to = krylov::RelativeTo::initial_residual;
    if (criterion == "ABSOLUTE") {
      krylov.test = krylov::Test::absolute;
    } else if (criterion == "COMBINED_REL_INI_ABS") {
      krylov.test = krylov::Test::either;
      krylov.tolerance = number(scope, "alt_rel_tolerance", 1e-12);
    } else if (criterion.rfind("RELATIVE_MAX", 0) == 0) {
      warn("convergence " + criterion + " compares with the initial residual instead of the largest one");
    } else if (criterion.rfind("RELATIVE_INI", 0) != 0) {
      problems_.push_back("convergence " + core::excerpt(criterion) +
                          " is unknown; take ABSOLUTE, RELATIVE_INI or COMBINED_REL_INI_ABS");
    }
    auto const norm = word(scope, "norm", "L2");
    if (norm != "L2") warn("norm " + core::excerpt(norm) + " is replaced by L2");
    try {
      check(krylov);
    } catch (core::InvalidInput const& error) {
      problems_.emplace_back(error.what());
    }
  }

  static bool is_smoother(std::string const& name) {
    return name == "BLOCK_JACOBI" || name == "JACOBI_L1" || name == "CHEBYSHEV" || name == "CHEBYSHEV_POLY";
  }

  /// outer: the scope of the solver; its number of iterations is not the preconditioner's.
  void read_preconditioner(std::string const& name, std::string const& scope, std::string const& outer) {
    auto const times = scope == outer ? 1 : whole(scope, "max_iters", 1);
    if (name == "AMG") {
      set("cycle: applications", times);
      read_multigrid(scope);
    } else if (is_smoother(name)) {
      set("max levels", 1LL);
      set("coarse: type", "smoother");
      set("coarse: sweeps", times);
      read_smoother(name, scope);
    } else {
      problems_.push_back("preconditioner " + core::excerpt(name) +
                          " is not available; take AMG, BLOCK_JACOBI, JACOBI_L1, CHEBYSHEV or NOSOLVER");
    }
  }

  void read_multigrid(std::string const& scope) {
    if (word(scope, "algorithm", "AGGREGATION") == "CLASSICAL") {
      set("multigrid algorithm", "classical");
      set_from("classical: strong threshold", scope, "strength_threshold");
      set("classical: max row entries", std::max(0LL, whole(scope, "interp_max_elements", 0)));
      double const truncation = number(scope, "interp_truncation_factor", 1.1);  // from 1 on: none
      if (truncation < 1) set("classical: truncation", truncation);
    }
    constexpr long long most_levels = 64;  // as good as any number
    set("max levels", std::min(whole(scope, "max_levels", 10), most_levels));
    auto const cycle = word(scope, "cycle", "V");
    set("cycle type", cycle == "CG" || cycle == "CGF" ? "K" : cycle.c_str());
    constexpr long long most_sweeps = 1000;  // more than allowed
    auto const before = std::clamp(whole(scope, "presweeps", 1), 0LL, most_sweeps),
               after = std::clamp(whole(scope, "postsweeps", 1), 0LL, most_sweeps);
    auto const sweeps = std::max(1LL, (before + after + 1) / 2);
    if (before != after)
      warn(core::message("presweeps ", before, " and postsweeps ", after, " become ", sweeps,
                         " each, so that the cycle is symmetric"));
    set("smoother: sweeps", sweeps);
    known_.insert("smoother");
    if (auto const* const given = options_.find(scope, "smoother")) {
      auto const* const name = std::get_if<std::string>(&given->value.value);
      if (name != nullptr && is_smoother(upper_case(*name))) {
        used_.insert(given);
        read_smoother(upper_case(*name), scope_of(scope, "smoother"));
      }
    }
    if (auto const name = word(scope, "coarse_solver", "DENSE_LU_SOLVER"); name == "NOSOLVER") {
      set("coarse: type", "smoother");
      set_from("coarse: sweeps", scope, "coarsest_sweeps");
    } else if (name != "DENSE_LU_SOLVER") {
      warn("coarse_solver " + core::excerpt(name) + " is replaced by a dense factorization");
    }
    set_from("coarse: max size", scope, "dense_lu_num_rows");
    plan_.print_grid = flag(scope, "print_grid_stats");
  }

  void read_smoother(std::string const& name, std::string const& scope) {
    if (name == "BLOCK_JACOBI") {
      set("smoother: type", "RELAXATION");
      set("relaxation: type", "Jacobi");
    } else if (name == "JACOBI_L1") {
      set("smoother: type", "RELAXATION");
      set("relaxation: type", "L1-Jacobi");
      set_from("smoother: damping factor", scope, "relaxation_factor");
    } else {
      set("smoother: type", "CHEBYSHEV");
      set_from("chebyshev: degree", scope, "chebyshev_polynomial_order");
    }
  }

  void read_own() {
    std::vector<std::string> candidates;
    for (auto const& known : settings::names()) candidates.push_back(known.first);
    for (auto const& [name, value] : options_.own) {
      auto const where = "\"tessera\" -> \"" + core::excerpt(name) + "\" ";
      auto const found = settings::names().find(name);
      std::string problem;
      if (found == settings::names().end()) {
        problem = "is an unknown parameter" + hint(name, candidates);
      } else if (name.rfind("backend: ", 0) == 0) {
        problem = "has no effect: the mode and the resources choose the device; leave it out";
      } else if (auto const converted =
                     settings::converted(*found->second.row, found->second.alias, value, problem)) {
        plan_.own[found->second.row] = *converted;
      }
      if (!problem.empty()) problems_.push_back(where + problem);
    }
  }

  /// Warns of options that nothing has read.
  void warn_of_others() {
    static std::set<std::string> const silent{"config_version", "determinism_flag", "exception_handling",
                                              "communicator"};
    std::vector<std::string> const known(known_.begin(), known_.end());
    for (auto const& [scope, options] : options_.scopes) {
      for (auto const& [name, option] : options) {
        if (used_.count(&option) == 0 && silent.count(name) == 0)
          warn("option " + core::excerpt(name) + " = " + core::excerpt(option.value.text) +
               " has no counterpart, and no effect" + (known_.count(name) > 0 ? "" : hint(name, known)));
      }
    }
  }
  void warn(std::string text) { plan_.warnings.push_back(std::move(text)); }

  Options const& options_;
  Plan plan_;
  std::set<Option const*> used_;
  std::set<std::string> known_;  ///< names that were looked for
  std::vector<std::string> problems_;
};

using Values = std::map<Parameter const*, Value>;

settings::Draft drafted(Values const& values) {
  settings::Draft draft;
  for (auto const& [row, value] : values)
    if (row->name == settings::algorithm_name) row->set(draft, value);
  settings::method_for(draft.settings.algorithm).defaults(draft);
  for (auto const& [row, value] : values) row->set(draft, value);
  return draft;
}

Parameter const* without_effect(Values const& values, Values const& among) {
  auto const draft = drafted(values);
  for (auto const& one : among) {
    auto const& condition = one.first->condition;
    if (values.count(one.first) > 0 && condition.holds && !condition.holds(draft)) return one.first;
  }
  return nullptr;
}

}  // namespace

void Options::add(std::string const& text) {
  auto const content = trimmed(text);
  if (content.empty() || content.front() != '{') {
    std::string one;
    std::istringstream in(content);
    for (char letter = 0; in.get(letter);) {
      if (letter != ',' && letter != ';' && letter != '\n') {
        one += letter;
        if (in.peek() != std::istringstream::traits_type::eof()) continue;
      }
      if (auto const option = trimmed(one); !option.empty() && option.front() != '#')
        read_assignment(option, *this);
      one.clear();
    }
    return;
  }
  json object;
  try {
    object = json::parse(content, nullptr, true, true);
  } catch (json::exception const& error) {
    throw core::InvalidInput(core::message("the configuration is not valid JSON: ", error.what()));
  }
  JsonReader(*this).read(object, default_scope);
}

Option const* Options::find(std::string const& scope, std::string const& name) const {
  for (auto const& place : {scope, std::string(default_scope)}) {
    auto const options = scopes.find(place);
    if (options == scopes.end()) continue;
    auto const option = options->second.find(name);
    if (option != options->second.end()) return &option->second;
  }
  return nullptr;
}

Plan plan_of(Options const& options) {
  return Translator(options).result();
}

settings::Settings settings_of(Plan const& plan, int block) {
  auto const* const equations = settings::names().at("number of equations").row;
  Values translated = plan.translated;
  translated[equations] = block;
  auto const merged = [&] {
    auto values = plan.own;
    values.insert(translated.begin(), translated.end());
    return values;
  };
  while (auto const* const row = without_effect(merged(), translated)) {
    if (plan.own.count(row) > 0) break;
    translated.erase(row);
  }
  auto const values = merged();
  if (auto const* const row = without_effect(values, plan.own)) {
    throw core::InvalidInput("\"tessera\" -> \"" + row->name + "\" would have no effect: it is for " +
                             row->condition.text + "; set that, or leave this out");
  }
  auto settings = settings::settings_of(drafted(values));
  auto const& levels = settings.multigrid;
  TESSERA_VALIDATE(
      block == 1 || !settings::method_for(settings.algorithm).has_levels || levels.equations == block,
      "`number of equations` is ", levels.equations, ", but blocks have ", block, " rows; leave it out");
  TESSERA_VALIDATE(
      !settings::has_foreign_smoother(settings) && levels.coarse != multigrid::CoarseType::direct,
      "`smoother: type` = IFPACK2 and `coarse: type` = amesos2 need Trilinos, which this library "
      "is built without; take CHEBYSHEV and dense, for example");
  return settings;
}

}  // namespace Tessera::amgx
