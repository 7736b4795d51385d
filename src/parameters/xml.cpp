#include "parameters/xml.hpp"

#include <Teuchos_CommHelpers.hpp>
#include <Teuchos_StringInputSource.hpp>
#include <Teuchos_XMLParameterListCoreHelpers.hpp>
#include <Teuchos_XMLParameterListReader.hpp>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "core/error.hpp"
#include "parameters/messages.hpp"
#include "parameters/vocabulary.hpp"
#include "parameters/xml_check.hpp"

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
    return {false, file + ": " + reason + "; give the path of an XML parameter list"};
  }
  if (text.size() > largest)
    return {false, file + ": has more than " + std::to_string(largest >> 20) +
                       " MiB, far more than a list of parameters; give the path of an XML parameter list"};
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

Teuchos::RCP<Teuchos::ParameterList> parse_xml(std::string const& raw, std::string const& name) {
  std::string const mark = "\xEF\xBB\xBF";  // of byte order, which some editors write
  std::string const text = raw.compare(0, mark.size(), mark) == 0 ? raw.substr(mark.size()) : raw;
  TESSERA_VALIDATE(text.find_first_not_of(" \t\r\n") != std::string::npos, name,
                   ": the file is empty; it should hold a <ParameterList>");
  check_text(text, name);
  Teuchos::XMLObject root;
  try {
    root = Teuchos::StringInputSource(text).getObject();
  } catch (std::exception const& error) {
    throw core::InvalidInput(name + ": this is not well-formed XML: " + plain_text(error.what()));
  }
  check_xml(root, text, name);
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

}  // namespace Tessera::parameters

Teuchos::RCP<Teuchos::ParameterList> Tessera::readXml(std::string const& file,
                                                      Teuchos::Comm<int> const& comm) {
  using namespace parameters;
  Source const text = broadcast(comm.getRank() == 0 ? source(file) : Source{}, comm);
  if (!text.read) throw core::InvalidInput(text.text);
  return parse_xml(text.text, file);  // the same text everywhere, so the same exception everywhere
}
