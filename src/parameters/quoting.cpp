#include "parameters/quoting.hpp"

#include <cstdio>

namespace Tessera::parameters {

std::string excerpt(std::string const& text, std::size_t most) {
  std::string result;
  for (char const c : text.substr(0, most)) {
    auto const byte = static_cast<unsigned char>(c);
    char code[8];
    std::snprintf(code, sizeof code, "\\x%02X", byte);
    result += byte < 0x20 || byte == 0x7F ? code : std::string(1, c);
  }
  return text.size() <= most ? result : result + "... (" + std::to_string(text.size()) + " characters)";
}

std::string where(Teuchos::ParameterList const& list, std::string const& name) {
  return excerpt(list.name(), 300) + " -> \"" + excerpt(name) + "\"";
}

std::string without_positions(std::string const& what) {
  std::size_t at = what.find("Throw test that evaluated to true: ");
  if (at != std::string::npos) at = what.find("\n\n", at);
  std::string result;
  for (char c : at == std::string::npos ? what : what.substr(at)) {
    if (c == '\n') c = ' ';
    if (c != ' ' || (!result.empty() && result.back() != ' ')) result += c;
  }
  result.erase(result.find_last_not_of(' ') + 1);
  return result;
}

}  // namespace Tessera::parameters
