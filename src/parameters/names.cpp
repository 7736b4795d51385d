#include "parameters/names.hpp"

namespace Tessera::parameters {

std::map<std::string, Name> const& names() {
  static std::map<std::string, Name> const result = [] {
    std::map<std::string, Name> all;
    for (auto const& row : table()) {
      all[row.name] = {&row, nullptr};
      for (auto const& alias : row.aliases) all[alias.name] = {&row, &alias};
    }
    return all;
  }();
  return result;
}

}  // namespace Tessera::parameters
