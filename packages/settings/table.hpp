#pragma once
/// \file
/// The one table of parameters: names, types, defaults, ranges and documentation all come from here.
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "settings/settings.hpp"

namespace Tessera::settings {

enum class Kind { boolean, integer, real, choice, list };

/// A value of any kind. A choice is its canonical spelling. A list is its XML in one line; empty if the list
/// is.
using Value = std::variant<bool, int, double, std::string>;

enum class SmootherFamily { chebyshev, relaxation, fsai, ifpack2 };
enum class RelaxationType { jacobi, l1_jacobi };

/// The values that the rows of the table set. settings_of() joins parameters that depend on each other.
struct Draft {
  Settings settings;
  SmootherFamily smoother = SmootherFamily::chebyshev;
  RelaxationType relaxation = RelaxationType::jacobi;
  bool use_l1 = false;
  bool order_by_front = false;  ///< has no effect
  std::string ifpack2_type = "RILUK", ifpack2_list;
  bool ifpack2_symmetric = false;     ///< for settings_of(), by the reader of ifpack2_list
  int workspace = default_workspace;  ///< MiB
  static constexpr int default_workspace = static_cast<int>(fsai::Parameters{}.workspace >> 20);
};

/// Another name of a parameter.
struct Alias {
  std::string name;
  /// (value under this name, value under the canonical one); empty: the values are the same.
  std::vector<std::pair<std::string, std::string>> values;
};

/// The values of other parameters with which a parameter has an effect.
struct Condition {
  std::string text;  ///< such as: smoother: type = RELAXATION; empty: always
  std::function<bool(Draft const&)> holds;
};

struct Parameter {
  std::string section, name;
  Kind kind;
  std::string documentation;  ///< one sentence
  std::string origin;         ///< the library that has the name: MueLu, ML, Ifpack2 or Tessera
  std::vector<Alias> aliases;
  std::string sublist;  ///< where the parameter may be instead of the top; empty: nowhere
  double lowest = 0, highest = 0;
  bool lowest_excluded = false, highest_excluded = false;
  std::optional<double> extra_value;  ///< allowed outside of the range
  std::vector<std::string> choices;
  std::vector<std::pair<std::string, std::string>> retired;  ///< (former choice, its replacement)
  bool also_boolean = false;  ///< of a choice: true and false may be of type bool
  Condition condition;
  std::function<Value(Draft const&)> get;
  std::function<void(Draft&, Value const&)> set;

  Value standard() const { return get(Draft{}); }  ///< the default
};

/// All parameters, in the order in which they are documented.
std::vector<Parameter> const& table();

/// A name that a list of Tessera's may contain, and its row of the table.
struct Name {
  Parameter const* row;
  Alias const* alias;  ///< null: the canonical name
};

std::map<std::string, Name> const& names();

/// The sublists that a list may have, with a sentence on each.
std::vector<std::pair<std::string, std::string>> const& sublists();

/// The name of a level's sublist in sublists(); levels count from 0.
inline constexpr char const* level_sublist = "level N";
inline constexpr int most_levels = 64;

inline constexpr char const* drop_tolerance_name = "aggregation: drop tol";

/// Whether levels may have different values of the parameter.
bool differs_by_level(Parameter const& row);

/// The settings of a draft. \throws core::InvalidInput if parameters contradict each other
Settings settings_of(Draft const& draft);

/// A value as an application wrote it.
struct Written {
  std::variant<std::monostate, bool, long long, double, std::string> value;  ///< monostate: another type
  std::string text, type;                                                    ///< for messages
};

/// The value as one of the row. Empty if type or value are not allowed; `problem` then has the mistake.
/// alias: the name in the list; null: the canonical name.
std::optional<Value> converted(Parameter const& row, Alias const* alias, Written const& given,
                               std::string& problem);
std::string wrong_type(Written const& given, char const* expected);

std::string text(Value const& value);
std::string type_name(Kind kind);  ///< as XML spells it: bool, int, double, string; list
bool in_range(Parameter const& row, double value);
std::string allowed_values(Parameter const& row);  ///< such as: 1 to 64

}  // namespace Tessera::settings
