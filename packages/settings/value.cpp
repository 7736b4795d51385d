#include <cmath>
#include <sstream>

#include "core/error.hpp"
#include "settings/names.hpp"
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

std::optional<Value> converted_choice(Parameter const& row, Alias const* alias, Written const& written,
                                      std::string& problem) {
  std::optional<std::string> given;
  if (auto const* text = std::get_if<std::string>(&written.value)) given = *text;
  bool const was_boolean = !row.retired.empty() || row.also_boolean;
  if (auto const* flag = std::get_if<bool>(&written.value);
      flag && (was_boolean || (alias && !alias->values.empty())))
    given = *flag ? "true" : "false";
  if (alias && !alias->values.empty()) {  // the alias has a vocabulary of its own, perhaps of booleans
    std::vector<std::string> spelt;
    for (auto const& pair : alias->values) {
      if (given && equal_ignoring_case(*given, pair.first)) return Value(pair.second);
      spelt.push_back(pair.first);
    }
    problem = given ? "is \"" + core::excerpt(*given) + "\"; allowed are " + quoted(spelt)
                    : wrong_type(written, "string");
    return {};
  }
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
