#include "settings/names.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace Tessera::settings {

int edit_distance(std::string const& from, std::string const& to) {
  auto const same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  std::size_t const m = from.size(), n = to.size();
  if (std::max(m, n) > 100) return static_cast<int>(std::max(m, n));
  std::vector<std::vector<int>> distance(m + 1, std::vector<int>(n + 1));
  for (std::size_t i = 0; i <= m; ++i) distance[i][0] = static_cast<int>(i);
  for (std::size_t j = 0; j <= n; ++j) distance[0][j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= m; ++i) {
    for (std::size_t j = 1; j <= n; ++j) {
      int const changed = same(from[i - 1], to[j - 1]) ? 0 : 1;
      distance[i][j] =
          std::min({distance[i - 1][j] + 1, distance[i][j - 1] + 1, distance[i - 1][j - 1] + changed});
      if (i > 1 && j > 1 && same(from[i - 1], to[j - 2]) && same(from[i - 2], to[j - 1])) {
        distance[i][j] = std::min(distance[i][j], distance[i - 2][j - 2] + 1);
      }
    }
  }
  return distance[m][n];
}

std::string did_you_mean(std::string const& unknown, std::vector<std::string> const& known) {
  std::vector<std::pair<int, std::string>> near, same_prefix;
  std::size_t const colon = unknown.find(':');
  for (auto const& name : known) {
    int const distance = edit_distance(unknown, name);
    if (distance <= 3 && 2 * distance < static_cast<int>(unknown.size())) near.emplace_back(distance, name);
    if (colon != std::string::npos && name.compare(0, colon + 1, unknown, 0, colon + 1) == 0)
      same_prefix.emplace_back(0, name);
  }
  std::sort(near.begin(), near.end());
  auto const quoted = [](auto const& names, std::size_t most) {
    std::string text;
    for (std::size_t i = 0; i < std::min(most, names.size()); ++i)
      text += (i ? ", \"" : "\"") + names[i].second + "\"";
    return text;
  };
  if (!near.empty()) return "did you mean " + quoted(near, 2) + "?";
  if (same_prefix.empty()) return {};
  return "known names that begin likewise: " + quoted(same_prefix, same_prefix.size());
}

std::string hint(std::string const& unknown, std::vector<std::string> const& known) {
  auto const text = did_you_mean(unknown, known);
  return text.empty() ? text : "; " + text;
}

std::string trimmed(std::string const& text) {
  auto const from = text.find_first_not_of(" \t\r\n");
  if (from == std::string::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t\r\n") - from + 1);
}

std::string upper_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

bool equal_ignoring_case(std::string const& one, std::string const& other) {
  return upper_case(one) == upper_case(other);
}

}  // namespace Tessera::settings
