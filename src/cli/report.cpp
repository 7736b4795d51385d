#include "cli/report.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/error.hpp"

namespace Tessera::cli {
namespace {

using core::formatted;
using Ranking = std::vector<Measurement const*>;

double total(Measurement const& m) {
  return minimum(totals(m));
}

std::string named(Measurement const& m) {
  return list_name(m.list.file) + " (" + m.preconditioner + ")";
}

/// Such as: 1.50 times as fast as ml (ML).
std::string advantage(Measurement const& winner, Measurement const& other) {
  return formatted("%.2f times as fast as ", total(other) / total(winner)) + named(other);
}

/// The best converged list of the other camp (Tessera's, or other libraries'); null if there is none.
Measurement const* best_rival(Ranking const& ranking) {
  for (auto const* m : ranking)
    if (m->converged() && is_ours(*m) != is_ours(*ranking.front())) return m;
  return nullptr;
}

std::string certainty(Measurement const& winner, Measurement const& next) {
  if (winner.solve.size() < 2) return " Each ran once: --repeat 5 shows how far times vary.";
  auto const all = totals(winner), others = totals(next);
  if (*std::max_element(all.begin(), all.end()) < minimum(others)) return {};
  return " The two overlap: a repeat of the winner took longer than the fastest of the next.";
}

}  // namespace

double minimum(std::vector<double> const& seconds) {
  return *std::min_element(seconds.begin(), seconds.end());
}

double median(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  auto const half = seconds.size() / 2;
  return seconds.size() % 2 ? seconds[half] : 0.5 * (seconds[half - 1] + seconds[half]);
}

std::vector<double> totals(Measurement const& measurement) {
  std::vector<double> sums(measurement.solve.size());
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = measurement.setup[i] + measurement.solve[i];
  return sums;
}

char const* name(RunStatus status) {
  return status ? Tessera::name(*status) : "failed";
}

std::vector<Measurement const*> ranked(std::vector<Measurement> const& lists) {
  Ranking ranking;
  ranking.reserve(lists.size());
  for (auto const& m : lists) ranking.push_back(&m);
  auto const before = [](Measurement const* one, Measurement const* other) {
    if (one->converged() && other->converged()) return total(*one) < total(*other);
    if (one->converged() || other->converged()) return one->converged();
    return !one->failed() && other->failed();
  };
  std::stable_sort(ranking.begin(), ranking.end(), before);
  return ranking;
}

std::string verdict_on(std::vector<Measurement> const& lists, std::string const& problem) {
  auto const ranking = ranked(lists);
  auto const converged =
      std::count_if(ranking.begin(), ranking.end(), [](auto* m) { return m->converged(); });
  if (converged == 0) return "No list converged on " + problem + ".";
  auto const& winner = *ranking.front();
  auto text = named(winner) + formatted(" wins with %.3f s for setup and solve on ", total(winner)) + problem;
  if (converged == 1)
    return text + (ranking.size() == 1 ? "; there is no other list." : ": no other list converged.");
  auto const* rival = best_rival(ranking);
  text += ": " + advantage(winner, *ranking[1]) + ", the next";
  char const* const camp = is_ours(winner) ? ", the best of the other libraries" : ", the best of Tessera's";
  if (rival == ranking[1])
    text += std::string(" and").append(camp, 1, std::string::npos);
  else if (rival != nullptr)
    text += ", and " + advantage(winner, *rival) + camp;
  return text + "." + certainty(winner, *ranking[1]);
}

std::string plural(int n, char const* what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

std::string list_name(std::string const& file) {
  auto const slash = file.find_last_of('/');
  auto const name = slash == std::string::npos ? file : file.substr(slash + 1);
  return name.substr(0, name.rfind(".xml"));
}

std::string trouble(Measurement const& m) {
  if (m.converged()) return m.solved.warnings.empty() ? "" : "  warning: " + m.solved.warnings.front();
  if (!m.list.absent.empty()) return in_one_line(m.result.reason);
  std::string word = name(m.result.status);
  if (!m.failed()) std::transform(word.begin(), word.end(), word.begin(), ::toupper);
  return word + ": " + in_one_line(m.result.reason);
}

bool is_ours(Measurement const& m) {
  return m.list.preconditioner == "Tessera";
}

std::string figure(char const* pattern, double value) {
  if (std::isnan(value)) return "not a number";
  return std::isinf(value) ? "infinite" : formatted(pattern, value);
}

double megabytes(std::size_t bytes) {
  return static_cast<double>(bytes) / 1e6;
}

std::string in_one_line(std::string const& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

}  // namespace Tessera::cli
