#include <Teuchos_XMLParameterListCoreHelpers.hpp>
#include <algorithm>

#include "core/error.hpp"
#include "parameters/messages.hpp"
#include "parameters/reading.hpp"
#include "parameters/xml.hpp"

namespace Tessera::parameters {
namespace {

using Teuchos::ParameterList;

template <class T>
T const* as(Teuchos::ParameterEntry const& entry) {
  return entry.isType<T>() ? &Teuchos::getValue<T>(entry) : nullptr;
}

/// The entry without Teuchos' types.
Written written(Teuchos::ParameterEntry const& entry) {
  if (auto const* given = as<std::string>(entry)) return {*given, *given, "string"};
  if (auto const* given = as<char const*>(entry)) return {std::string(*given), *given, "string"};
  Written result{{}, Teuchos::toString(entry.getAny(false)), entry.getAny(false).typeName()};
  auto const of_type = [&](auto const* given, auto value, char const* name) {
    if (given == nullptr) return;
    result.value = static_cast<decltype(value)>(*given);
    if (name != nullptr) result.type = name;
  };
  of_type(as<bool>(entry), bool{}, "bool");
  of_type(as<int>(entry), 0LL, "int");
  of_type(as<long>(entry), 0LL, nullptr);
  of_type(as<long long>(entry), 0LL, "long long");
  of_type(as<unsigned>(entry), 0LL, nullptr);
  of_type(as<double>(entry), 0.0, "double");
  of_type(as<float>(entry), 0.0, nullptr);
  return result;
}

void mark_used(ParameterList const& list) {
  for (auto const& one : list) {
    one.second.getAny(true);
    if (one.second.isList()) mark_used(Teuchos::getValue<ParameterList>(one.second));
  }
}

/// A sublist as XML in one line, which reads back as that list.
std::optional<Value> sublist_as_xml(ParameterList const& list, std::string& problem) {
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

template <class T>
T given(ParameterList const& list, std::initializer_list<char const*> names, T const& standard) {
  for (auto const* name : names)
    if (list.isType<T>(name)) return list.get<T>(name);
  return standard;
}

bool is_one_of(std::string const& word, std::initializer_list<char const*> all) {
  return std::find(all.begin(), all.end(), word) != all.end();
}

bool symmetric_sweeps(ParameterList const& list) {
  auto const type = given<std::string>(list, {"relaxation: type"}, "Jacobi");
  return is_one_of(upper_case(type), {"JACOBI", "RICHARDSON", "SYMMETRIC GAUSS-SEIDEL"}) &&
         given(list, {"partitioner: overlap"}, 0) == 0;
}

bool symmetric_with(std::string const& type, ParameterList const& parameters);

bool symmetric_schwarz(ParameterList const& list) {
  auto const inner = given<std::string>(list,
                                        {"schwarz: inner preconditioner name", "inner preconditioner name",
                                         "schwarz: subdomain solver name", "subdomain solver name"},
                                        "ILUT");
  ParameterList const none;
  auto const* parameters = &none;
  for (auto const* name : {"subdomain solver parameters", "schwarz: subdomain solver parameters",
                           "inner preconditioner parameters", "schwarz: inner preconditioner parameters"})
    if (list.isSublist(name)) parameters = &list.sublist(name);
  auto const combined = upper_case(given<std::string>(list, {"schwarz: combine mode"}, "ZERO"));
  return (given(list, {"schwarz: overlap level"}, 0) == 0 || combined == "ADD") &&
         !given(list, {"schwarz: filter singletons"}, false) && symmetric_with(inner, *parameters);
}

bool symmetric_with(std::string const& type, ParameterList const& parameters) {
  auto const name = upper_case(type);
  if (is_one_of(name, {"CHEBYSHEV", "DENSE", "DIAGONAL", "IDENTITY", "RILUK"})) return true;
  if (name == "SCHWARZ") return symmetric_schwarz(parameters);
  auto const end = name.rfind("RELAXATION");
  return end != std::string::npos && symmetric_sweeps(parameters);
}

}  // namespace

bool symmetric_in_ifpack2(std::string const& type, std::string const& list) {
  return symmetric_with(type, list.empty() ? ParameterList() : *Teuchos::getParametersFromXmlString(list));
}

std::optional<Value> converted(Parameter const& row, Alias const* alias, Teuchos::ParameterEntry const& entry,
                               std::string& problem) {
  if (row.kind == Kind::list && entry.isList())
    return sublist_as_xml(Teuchos::getValue<ParameterList>(entry), problem);
  return settings::converted(row, alias, written(entry), problem);
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

}  // namespace Tessera::parameters
