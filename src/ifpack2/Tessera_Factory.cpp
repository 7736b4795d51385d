#include "Tessera_Factory.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace Tessera {
namespace Details {
namespace {
std::array<char const*, 5> const names{"SA-AMG", "SMOOTHED AGGREGATION", "SA", "TESSERA", "FSAI"};

std::string upper(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  return name;
}
}  // namespace

bool isOurs(std::string const& name) {
  return std::find(names.begin(), names.end(), upper(name)) != names.end();
}

bool isFsai(std::string const& name) {
  return upper(name) == "FSAI";
}

std::string ourNames() {
  std::string all;
  for (auto const* name : names) all += (all.empty() ? "" : ", ") + std::string(name);
  return all;
}

}  // namespace Details
}  // namespace Tessera
