#include "parameters/messages.hpp"

#include <Teuchos_ParameterList.hpp>
#include <cctype>
#include <sstream>

namespace Tessera::parameters {
namespace {

bool begins_with(std::string const& line, char const* start) {
  return line.rfind(start, 0) == 0;
}

/// Such as packages/muelu/src/MueLu_Level.hpp:2166:
bool is_place_in_source(std::string const& line) {
  return line.size() > 3 && line.back() == ':' &&
         std::isdigit(static_cast<unsigned char>(line[line.size() - 2])) &&
         line.find(' ') == std::string::npos;
}

}  // namespace

std::string where(Teuchos::ParameterList const& list, std::string const& name) {
  return core::excerpt(list.name(), 300) + " -> \"" + core::excerpt(name) + "\"";
}

std::string plain_text(std::string const& what) {
  std::istringstream lines(what);
  std::string text;
  bool in_table = false, in_condition = false;
  for (std::string line; std::getline(lines, line);) {
    auto const words = trimmed(line);
    if (in_table) {
      in_table = words != "}";
      continue;
    }
    in_condition =
        begins_with(words, "Throw test that evaluated to true:") || (in_condition && !words.empty());
    in_table = begins_with(words, "The valid parameters and types are:");
    if (in_condition || in_table || words.empty() || begins_with(words, "Throw number =") ||
        is_place_in_source(words))
      continue;
    text += (text.empty() ? "" : "\n") + line;
  }
  return text;
}

}  // namespace Tessera::parameters
