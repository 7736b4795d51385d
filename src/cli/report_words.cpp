#include "cli/report_words.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "ifpack2/report.hpp"

namespace Tessera::cli {
namespace {

/// Line breaks and runs of blanks as one blank.
std::string in_one_line(std::string const& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

}  // namespace

std::string plural(int n, char const* what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

std::string list_name(std::string const& file) {
  auto const slash = file.find_last_of('/');
  auto const name = slash == std::string::npos ? file : file.substr(slash + 1);
  return name.substr(0, name.rfind(".xml"));
}

std::string trouble(Measurement const& m) {
  if (m.converged()) return m.outcome.warnings.empty() ? "" : "  warning: " + m.outcome.warnings.front();
  if (!m.choice.absent.empty()) return in_one_line(m.result.reason);
  std::string word = name(m.result.status);
  if (!m.failed()) std::transform(word.begin(), word.end(), word.begin(), ::toupper);
  return word + ": " + in_one_line(m.result.reason);
}

bool is_ours(Measurement const& m) {
  return m.choice.preconditioner == "Tessera";
}

std::string figure(char const* pattern, double value) {
  if (std::isnan(value)) return "not a number";
  return std::isinf(value) ? "infinite" : ifpack2::formatted(pattern, value);
}

double megabytes(std::size_t bytes) {
  return static_cast<double>(bytes) / 1e6;
}

}  // namespace Tessera::cli
