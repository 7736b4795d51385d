#include "Tessera_Factory.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace Tessera {
namespace Details {
namespace {
std::array<char const*, 4> const names{"SA-AMG", "SMOOTHED AGGREGATION", "SA", "TESSERA"};
}

bool isOurs(std::string const& name) {
  std::string upper = name;
  std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return std::toupper(c); });
  return std::find(names.begin(), names.end(), upper) != names.end();
}

std::string ourNames() {
  std::string all;
  for (auto const* name : names) all += (all.empty() ? "" : ", ") + std::string(name);
  return all;
}

}  // namespace Details
}  // namespace Tessera
