#include "parameters/list_xml.hpp"

#include "core/error.hpp"
#include "parameters/quoting.hpp"
#include "parameters/vocabulary.hpp"

namespace Tessera::parameters {
namespace {

std::string escaped(std::string const& text) {
  std::string result;
  for (char const c : text) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '"') {
      result += "&quot;";
    } else {
      result += c;
    }
  }
  return result;
}

char const* type_of(Teuchos::ParameterEntry const& entry) {
  if (entry.isType<bool>()) return "bool";
  if (entry.isType<int>()) return "int";
  if (entry.isType<long long>()) return "long long";
  if (entry.isType<double>()) return "double";
  if (entry.isType<std::string>()) return "string";
  return nullptr;
}

void write(std::ostream& out, Teuchos::ParameterList const& list, std::string const& name, int depth) {
  std::string const indent(2 * static_cast<std::size_t>(depth), ' ');
  out << indent << "<ParameterList name=\"" << escaped(name) << "\">\n";
  for (auto const& entry : list) {
    if (entry.second.isList()) {
      write(out, list.sublist(entry.first), entry.first, depth + 1);
      continue;
    }
    auto const* const type = type_of(entry.second);
    TESSERA_VALIDATE(type != nullptr, where(list, entry.first),
                     " is of a type that only programs write; leave it out, and set it in the program");
    out << indent << "  <Parameter name=\"" << escaped(entry.first) << "\" type=\"" << type << "\" value=\""
        << escaped(plain(entry.second)) << "\"/>\n";
  }
  out << indent << "</ParameterList>\n";
}

}  // namespace

void write_xml(std::ostream& out, Teuchos::ParameterList const& list, std::string const& name) {
  write(out, list, name, 0);
}

}  // namespace Tessera::parameters
