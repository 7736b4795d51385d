#include "cli/ranking.hpp"

#include <algorithm>

#include "cli/report_words.hpp"
#include "ifpack2/report.hpp"

namespace Tessera::cli {
namespace {

using ifpack2::formatted;
using Ranking = std::vector<Measurement const*>;

double total(Measurement const& m) {
  return minimum(totals(m));
}

std::string named(Measurement const& m) {
  return list_name(m.choice.file) + " (" + m.preconditioner + ")";
}

/// Such as: 1.50 times as fast as ml (ML).
std::string advantage(Measurement const& winner, Measurement const& other) {
  return formatted("%.2f times as fast as ", total(other) / total(winner)) + named(other);
}

/// The best of the other camp, ours or other libraries, of those that converged; null: there is none.
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

}  // namespace Tessera::cli
