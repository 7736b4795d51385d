#include "parameters/reading.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "parameters/messages.hpp"
#include "parameters/xml.hpp"

namespace Tessera::parameters {
namespace {

std::string quoted(std::vector<std::string> const& values) {
  std::string text;
  for (auto const& value : values) text += (text.empty() ? "\"" : ", \"") + value + "\"";
  return text;
}

template <class T>
T const* as(Teuchos::ParameterEntry const& entry) {
  return entry.isType<T>() ? &Teuchos::getValue<T>(entry) : nullptr;
}

std::optional<std::string> as_text(Teuchos::ParameterEntry const& entry) {
  if (auto const* given = as<std::string>(entry)) return *given;
  if (auto const* given = as<char const*>(entry)) return std::string(*given);
  return {};
}

std::string wrong_type(Teuchos::ParameterEntry const& entry, char const* expected) {
  auto const text = as_text(entry);
  std::string const type = text                   ? "string"
                           : as<double>(entry)    ? "double"
                           : as<int>(entry)       ? "int"
                           : as<long long>(entry) ? "long long"
                           : as<bool>(entry)      ? "bool"
                                                  : entry.getAny(false).typeName();
  return core::message(
      "is ",
      text ? "\"" + core::excerpt(*text) + "\"" : core::excerpt(Teuchos::toString(entry.getAny(false))),
      " of type ", type, "; its type must be ", expected);
}

std::optional<bool> boolean(Teuchos::ParameterEntry const& entry) {
  if (auto const* given = as<bool>(entry)) return *given;
  if (auto const given = as_text(entry)) {
    if (equal_ignoring_case(*given, "true")) return true;
    if (equal_ignoring_case(*given, "false")) return false;
  }
  return {};
}

std::optional<long long> whole(Teuchos::ParameterEntry const& entry) {
  if (auto const* given = as<int>(entry)) return *given;
  if (auto const* given = as<long>(entry)) return *given;
  if (auto const* given = as<long long>(entry)) return *given;
  if (auto const* given = as<unsigned>(entry)) return *given;
  return {};
}

std::optional<double> number(Teuchos::ParameterEntry const& entry) {
  if (auto const* given = as<double>(entry)) return *given;
  if (auto const* given = as<float>(entry)) return *given;
  if (auto const given = whole(entry)) return static_cast<double>(*given);
  return {};
}

void mark_used(Teuchos::ParameterList const& list) {
  for (auto const& one : list) {
    one.second.getAny(true);
    if (one.second.isList()) mark_used(Teuchos::getValue<Teuchos::ParameterList>(one.second));
  }
}

std::optional<Value> converted_choice(Parameter const& row, Alias const* alias,
                                      Teuchos::ParameterEntry const& entry, std::string& problem) {
  auto given = as_text(entry);
  bool const was_boolean = !row.retired.empty() || row.also_boolean;
  if (auto const* flag = as<bool>(entry); flag && (was_boolean || (alias && !alias->values.empty())))
    given = *flag ? "true" : "false";
  if (alias && !alias->values.empty()) {  // the alias has a vocabulary of its own, perhaps of booleans
    std::vector<std::string> spelt;
    for (auto const& pair : alias->values) {
      if (given && equal_ignoring_case(*given, pair.first)) return Value(pair.second);
      spelt.push_back(pair.first);
    }
    problem = given ? "is \"" + core::excerpt(*given) + "\"; allowed are " + quoted(spelt)
                    : wrong_type(entry, "string");
    return {};
  }
  if (!given) {
    problem = wrong_type(entry, "string");
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

/// A sublist as XML in one line, which reads back as that list.
std::optional<Value> sublist_as_xml(Teuchos::ParameterEntry const& entry, std::string& problem) {
  if (!entry.isList()) {
    problem = wrong_type(entry, "a sublist");
    return {};
  }
  auto const& list = Teuchos::getValue<Teuchos::ParameterList>(entry);
  mark_used(list);
  if (list.numParams() == 0) return Value(std::string());
  std::ostringstream lines;
  try {
    write_xml(lines, list, "list");
  } catch (core::InvalidInput const& error) {
    problem = std::string("cannot be handed on: ") + error.what();
    return {};
  }
  std::string text;
  std::istringstream in(lines.str());
  for (std::string line; std::getline(in, line);) text += trimmed(line);
  return Value(text);
}

}  // namespace

bool in_range(Parameter const& row, double value) {
  if (row.extra_value == value) return true;
  return std::isfinite(value) && (row.highest_excluded ? value < row.highest : value <= row.highest) &&
         (row.lowest_excluded ? value > row.lowest : value >= row.lowest);
}

std::optional<Value> converted(Parameter const& row, Alias const* alias, Teuchos::ParameterEntry const& entry,
                               std::string& problem) {
  auto const out_of_range = [&](auto value) {
    problem = core::message("is ", value, ", out of range; allowed is ", allowed_values(row));
    return std::nullopt;
  };
  switch (row.kind) {
    case Kind::boolean:
      if (auto const value = boolean(entry)) return Value(*value);
      problem = wrong_type(entry, "bool (true or false)");
      return {};
    case Kind::integer:
      if (auto const value = whole(entry)) {
        if (!in_range(row, static_cast<double>(*value))) return out_of_range(*value);
        return Value(static_cast<int>(*value));
      }
      problem = wrong_type(entry, "int");
      return {};
    case Kind::real:
      if (auto const value = number(entry)) {
        if (!in_range(row, *value)) return out_of_range(*value);
        return Value(*value);
      }
      problem = wrong_type(entry, "double (or int)");
      return {};
    case Kind::list:
      return sublist_as_xml(entry, problem);
    case Kind::choice:
      break;
  }
  return converted_choice(row, alias, entry, problem);
}

Teuchos::ParameterEntry entry_of(Parameter const& row, std::string const& value) {
  switch (row.kind) {
    case Kind::boolean:
      return Teuchos::ParameterEntry(value == "true");
    case Kind::integer:
      return Teuchos::ParameterEntry(std::stoi(value));
    case Kind::real:
      return Teuchos::ParameterEntry(std::stod(value));
    case Kind::list:
    case Kind::choice:
      break;
  }
  return Teuchos::ParameterEntry(value);
}

std::string text(Value const& value) {
  if (auto const* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (auto const* whole = std::get_if<int>(&value)) return std::to_string(*whole);
  if (auto const* converted_choice = std::get_if<std::string>(&value)) return *converted_choice;
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

}  // namespace Tessera::parameters
