#include "parameters/xml.hpp"

#include <Teuchos_CommHelpers.hpp>
#include <Teuchos_StringInputSource.hpp>
#include <Teuchos_XMLParameterListCoreHelpers.hpp>
#include <Teuchos_XMLParameterListReader.hpp>
#include <Teuchos_YamlParameterListCoreHelpers.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <regex>
#include <sstream>

#include "core/error.hpp"
#include "parameters/messages.hpp"
#include "parameters/vocabulary.hpp"

namespace Tessera::parameters {
namespace {

constexpr std::size_t largest = std::size_t{16} << 20;  ///< bytes of a file; lists have a few thousand

/// The file's text, or the reason why it could not be read.
struct Source {
  bool read = false;
  std::string text;
};

Source source(std::string const& file) {
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::string text;
  char part[1 << 16];
  do {
    in.read(part, sizeof part);
    text.append(part, static_cast<std::size_t>(in.gcount()));
  } while (in && text.size() <= largest);
  if (in.bad() || (in.fail() && !in.eof())) {
    std::string const reason = errno ? std::strerror(errno) : "it cannot be read";
    return {false, file + ": " + reason + "; give the path of a parameter list"};
  }
  if (text.size() > largest)
    return {false, file + ": has more than " + std::to_string(largest >> 20) +
                       " MiB, far more than a list of parameters; give the path of a parameter list"};
  return {true, text};
}

/// The source of rank 0, on every rank.
Source broadcast(Source source, Teuchos::Comm<int> const& comm) {
  int header[2] = {source.read ? 1 : 0, static_cast<int>(source.text.size())};
  Teuchos::broadcast(comm, 0, 2, header);
  source.read = header[0] == 1;
  source.text.resize(static_cast<std::size_t>(header[1]));
  if (header[1] > 0) Teuchos::broadcast(comm, 0, header[1], &source.text[0]);
  return source;
}

/// Names every list by its path.
void name_by_path(Teuchos::ParameterList& list, std::string const& path) {
  list.setName(path);
  for (auto it = list.begin(); it != list.end(); ++it) {
    if (list.isSublist(list.name(it))) name_by_path(list.sublist(list.name(it)), path + "->" + list.name(it));
  }
}

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
  if (entry.isType<Teuchos::Array<int>>()) return "Array(int)";
  if (entry.isType<Teuchos::Array<double>>()) return "Array(double)";
  if (entry.isType<Teuchos::Array<std::string>>()) return "Array(string)";
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

/// Without the mark of byte order that some editors write.
std::string without_mark(std::string const& text) {
  std::string const mark = "\xEF\xBB\xBF";
  return text.compare(0, mark.size(), mark) == 0 ? text.substr(mark.size()) : text;
}

/// Moves `depth`, of flow lists and arrays, over a line and returns the largest. Quotes end with the line: a
/// plain value may hold an apostrophe.
int deepest_in(std::string const& line, int& depth) {
  int largest = depth;
  char quote = '\0';
  for (char const c : line) {
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#') {
      break;
    } else {
      depth = std::max(0, depth + (c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0));
      largest = std::max(largest, depth);
    }
  }
  return largest;
}

/// Refuses deep nesting, for which Teuchos' parser takes minutes, and a second outermost name, of which it
/// would keep the last alone.
void check_yaml(std::string const& text, std::string const& name) {
  check_characters(text, name, "YAML");
  std::istringstream lines(text);
  std::string line;
  int depth = 0, outermost = 0;
  for (int number = 1; std::getline(lines, line); ++number) {
    auto const indent = std::min(line.find_first_not_of(' '), line.size());
    TESSERA_VALIDATE(deepest_in(line, depth) <= deepest && indent <= 4 * deepest, name, ":", number,
                     ": lists are nested more than ", deepest,
                     " deep; lists of parameters are nested a handful deep");
    bool const entry = !line.empty() && std::string(" \t\r#%-.}]").find(line[0]) == std::string::npos;
    outermost += entry ? 1 : 0;
    TESSERA_VALIDATE(outermost <= 1, name, ":", number,
                     ": a second outermost name; put all entries below one name, indented");
  }
}

void check_lengths(Teuchos::ParameterList const& list) {
  for (auto const& entry : list) {
    TESSERA_VALIDATE(entry.first.size() <= longest_name, where(list, core::excerpt(entry.first)),
                     ": the name is too long; at most ", longest_name, " are read");
    if (entry.second.isList()) check_lengths(list.sublist(entry.first));
    TESSERA_VALIDATE(!entry.second.isType<std::string>() ||
                         Teuchos::getValue<std::string>(entry.second).size() <= longest_string,
                     where(list, entry.first), " is too long; at most ", longest_string, " are read");
  }
}

}  // namespace

bool is_yaml(std::string const& file) {
  auto const ending = file.substr(std::min(file.rfind('.'), file.size()));
  return ending == ".yaml" || ending == ".yml";
}

Teuchos::RCP<Teuchos::ParameterList> parse_yaml(std::string const& raw, std::string const& name) {
  std::string const text = without_mark(raw);
  TESSERA_VALIDATE(text.find_first_not_of(" \t\r\n") != std::string::npos, name,
                   ": the file is empty; it should hold a parameter list");
  check_yaml(text, name);
  try {
    auto const list = Teuchos::getParametersFromYamlString(text);
    name_by_path(*list, name);
    check_lengths(*list);
    return list;
  } catch (core::InvalidInput const&) {
    throw;  // of check_lengths()
  } catch (std::exception const& error) {
    std::string const what = error.what();
    std::smatch line;
    auto const at = std::regex_search(what, line, std::regex("line ([0-9]+)")) ? ":" + line[1].str() : "";
    throw core::InvalidInput(name + at + ": this is not YAML that Teuchos reads: " + plain_text(what));
  }
}

Teuchos::RCP<Teuchos::ParameterList> parse_xml(std::string const& raw, std::string const& name,
                                               std::vector<std::string>* warnings) {
  std::string const text = without_mark(raw);
  TESSERA_VALIDATE(text.find_first_not_of(" \t\r\n") != std::string::npos, name,
                   ": the file is empty; it should hold a <ParameterList>");
  check_text(text, name);
  Teuchos::XMLObject root;
  try {
    root = Teuchos::StringInputSource(text).getObject();
  } catch (std::exception const& error) {
    throw core::InvalidInput(name + ": this is not well-formed XML: " + plain_text(error.what()));
  }
  auto const strays = check_xml(root, text, name);
  if (warnings) *warnings = strays;
  try {
    Teuchos::XMLParameterListReader reader;
    auto list = Teuchos::rcp(new Teuchos::ParameterList(reader.toParameterList(root)));
    name_by_path(*list, name);
    return list;
  } catch (std::exception const& error) {
    throw core::InvalidInput(name + ": " + plain_text(error.what()));
  }
}

void write_xml(std::ostream& out, Teuchos::ParameterList const& list, std::string const& name) {
  write(out, list, name, 0);
}

void write_list(std::ostream& out, Teuchos::ParameterList const& list, std::string const& name,
                std::string const& file) {
  if (!is_yaml(file)) return write_xml(out, list, name);
  Teuchos::ParameterList named(list);
  named.setName(name);
  Teuchos::writeParameterListToYamlOStream(named, out);
}

}  // namespace Tessera::parameters

Teuchos::RCP<Teuchos::ParameterList> Tessera::readXml(std::string const& file, Teuchos::Comm<int> const& comm,
                                                      std::ostream* warnings) {
  using namespace parameters;
  Source const text = broadcast(comm.getRank() == 0 ? source(file) : Source{}, comm);
  if (!text.read) throw core::InvalidInput(text.text);
  // The same text everywhere, so the same exception everywhere.
  if (is_yaml(file)) return parse_yaml(text.text, file);
  std::vector<std::string> found;
  auto const list = parse_xml(text.text, file, &found);
  for (auto const& warning : found)
    if (warnings && comm.getRank() == 0) *warnings << "Tessera: warning: " << warning << "\n";
  return list;
}
