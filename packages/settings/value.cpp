#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>
#include <utility>

#include "core/error.hpp"
#include "settings/settings.hpp"
#include "settings/table.hpp"

namespace Tessera::settings {
namespace {

std::string quoted(std::vector<std::string> const& values) {
  std::string text;
  for (auto const& value : values) text += (text.empty() ? "\"" : ", \"") + value + "\"";
  return text;
}

std::optional<bool> boolean(Written const& given) {
  if (auto const* flag = std::get_if<bool>(&given.value)) return *flag;
  if (auto const* text = std::get_if<std::string>(&given.value)) {
    if (equal_ignoring_case(*text, "true")) return true;
    if (equal_ignoring_case(*text, "false")) return false;
  }
  return {};
}

std::optional<double> number(Written const& given) {
  if (auto const* real = std::get_if<double>(&given.value)) return *real;
  if (auto const* whole = std::get_if<long long>(&given.value)) return static_cast<double>(*whole);
  return {};
}

/// An alias with a vocabulary of its own, perhaps of booleans.
std::optional<Value> translated_choice(Alias const& alias, std::optional<std::string> const& given,
                                       Written const& written, std::string& problem) {
  std::vector<std::string> spelt;
  for (auto const& pair : alias.values) {
    if (given && equal_ignoring_case(*given, pair.first)) return Value(pair.second);
    spelt.push_back(pair.first);
  }
  problem = given ? "is \"" + core::excerpt(*given) + "\"; allowed are " + quoted(spelt)
                  : wrong_type(written, "string");
  return {};
}

std::optional<Value> converted_choice(Parameter const& row, Alias const* alias, Written const& written,
                                      std::string& problem) {
  bool const own_vocabulary = alias != nullptr && !alias->values.empty();
  std::optional<std::string> given;
  if (auto const* text = std::get_if<std::string>(&written.value)) given = *text;
  if (auto const* flag = std::get_if<bool>(&written.value);
      flag && (!row.retired.empty() || row.also_boolean || own_vocabulary))
    given = *flag ? "true" : "false";
  if (own_vocabulary) return translated_choice(*alias, given, written, problem);
  if (!given) {
    problem = wrong_type(written, "string");
    return {};
  }
  for (auto const& choice : row.choices) {
    if (equal_ignoring_case(choice, *given)) return Value(choice);
  }
  for (auto const& [past, now] : row.retired) {
    if (!equal_ignoring_case(past, *given)) continue;
    problem =
        core::message("is ", past, ", which is written \"", now, "\" now; allowed are ", quoted(row.choices));
    return {};
  }
  problem =
      "is \"" + core::excerpt(*given) + "\"; allowed are " + quoted(row.choices) + hint(*given, row.choices);
  return {};
}

}  // namespace

int edit_distance(std::string const& from, std::string const& to) {
  auto const same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  std::size_t const m = from.size(), n = to.size();
  if (std::max(m, n) > 100) return static_cast<int>(std::max(m, n));
  std::vector<std::vector<int>> distance(m + 1, std::vector<int>(n + 1));
  for (std::size_t i = 0; i <= m; ++i) distance[i][0] = static_cast<int>(i);
  for (std::size_t j = 0; j <= n; ++j) distance[0][j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= m; ++i) {
    for (std::size_t j = 1; j <= n; ++j) {
      int const changed = same(from[i - 1], to[j - 1]) ? 0 : 1;
      distance[i][j] =
          std::min({distance[i - 1][j] + 1, distance[i][j - 1] + 1, distance[i - 1][j - 1] + changed});
      if (i > 1 && j > 1 && same(from[i - 1], to[j - 2]) && same(from[i - 2], to[j - 1])) {
        distance[i][j] = std::min(distance[i][j], distance[i - 2][j - 2] + 1);
      }
    }
  }
  return distance[m][n];
}

std::string did_you_mean(std::string const& unknown, std::vector<std::string> const& known) {
  std::vector<std::pair<int, std::string>> near, same_prefix;
  std::size_t const colon = unknown.find(':');
  for (auto const& name : known) {
    int const distance = edit_distance(unknown, name);
    if (distance <= 3 && 2 * distance < static_cast<int>(unknown.size())) near.emplace_back(distance, name);
    if (colon != std::string::npos && name.compare(0, colon + 1, unknown, 0, colon + 1) == 0)
      same_prefix.emplace_back(0, name);
  }
  std::sort(near.begin(), near.end());
  auto const quoted = [](auto const& names, std::size_t most) {
    std::string text;
    for (std::size_t i = 0; i < std::min(most, names.size()); ++i)
      text += (i ? ", \"" : "\"") + names[i].second + "\"";
    return text;
  };
  if (!near.empty()) return "did you mean " + quoted(near, 2) + "?";
  if (same_prefix.empty()) return {};
  return "known names that begin likewise: " + quoted(same_prefix, same_prefix.size());
}

std::string hint(std::string const& unknown, std::vector<std::string> const& known) {
  auto const text = did_you_mean(unknown, known);
  return text.empty() ? text : "; " + text;
}

std::string trimmed(std::string const& text) {
  auto const from = text.find_first_not_of(" \t\r\n");
  if (from == std::string::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t\r\n") - from + 1);
}

std::string upper_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

bool equal_ignoring_case(std::string const& one, std::string const& other) {
  return upper_case(one) == upper_case(other);
}

std::string wrong_type(Written const& given, char const* expected) {
  auto const* text = std::get_if<std::string>(&given.value);
  return core::message("is ", text ? "\"" + core::excerpt(*text) + "\"" : core::excerpt(given.text),
                       " of type ", given.type, "; its type must be ", expected);
}

bool in_range(Parameter const& row, double value) {
  if (row.extra_value == value) return true;
  return std::isfinite(value) && (row.highest_excluded ? value < row.highest : value <= row.highest) &&
         (row.lowest_excluded ? value > row.lowest : value >= row.lowest);
}

std::optional<Value> converted(Parameter const& row, Alias const* alias, Written const& given,
                               std::string& problem) {
  auto const out_of_range = [&](auto value) {
    problem = core::message("is ", value, ", out of range; allowed is ", allowed_values(row));
    return std::nullopt;
  };
  switch (row.kind) {
    case Kind::boolean:
      if (auto const value = boolean(given)) return Value(*value);
      problem = wrong_type(given, "bool (true or false)");
      return {};
    case Kind::integer:
      if (auto const* value = std::get_if<long long>(&given.value)) {
        if (!in_range(row, static_cast<double>(*value))) return out_of_range(*value);
        return Value(static_cast<int>(*value));
      }
      problem = wrong_type(given, "int");
      return {};
    case Kind::real:
      if (auto const value = number(given)) {
        if (!in_range(row, *value)) return out_of_range(*value);
        return Value(*value);
      }
      problem = wrong_type(given, "double (or int)");
      return {};
    case Kind::list:
      problem = wrong_type(given, "a sublist");
      return {};
    case Kind::choice:
      break;
  }
  return converted_choice(row, alias, given, problem);
}

std::string text(Value const& value) {
  if (auto const* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (auto const* whole = std::get_if<int>(&value)) return std::to_string(*whole);
  if (auto const* choice = std::get_if<std::string>(&value)) return *choice;
  std::ostringstream out;
  out.precision(6);
  out << std::get<double>(value);
  return out.str();
}

std::string type_name(Kind kind) {
  switch (kind) {
    case Kind::boolean:
      return "bool";
    case Kind::integer:
      return "int";
    case Kind::real:
      return "double";
    case Kind::list:
      return "list";
    case Kind::choice:
      break;
  }
  return "string";
}

std::string allowed_values(Parameter const& row) {
  switch (row.kind) {
    case Kind::boolean:
      return "true, false";
    case Kind::list:
      return "what XML can hold";
    case Kind::choice: {
      std::string all;
      for (auto const& choice : row.choices) all += (all.empty() ? "" : ", ") + choice;
      return all;
    }
    case Kind::integer:
    case Kind::real:
      break;
  }
  auto const extra_value = row.extra_value ? core::message(*row.extra_value, ", or ") : "";
  return core::message(extra_value, row.lowest_excluded ? "above " : "", row.lowest, " to ",
                       row.highest_excluded ? "below " : "", row.highest);
}

}  // namespace Tessera::settings
