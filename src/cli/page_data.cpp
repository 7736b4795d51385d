// What the page draws, computed from the matrix and the lists: strengths of couplings, the winner's
// aggregates and slowest error.
#include <Teuchos_CommHelpers.hpp>
#include <algorithm>
#include <cmath>

#include "aggregation/coarse_rounding.hpp"
#include "aggregation/strength.hpp"
#include "cli/gathered.hpp"
#include "cli/measure.hpp"
#include "comm/dist_csr.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "ifpack2/any_operator.hpp"
#include "parameters/parse.hpp"
#include "settings/settings.hpp"
#include "tpetra/import_matrix.hpp"
#include "tpetra/types.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::cli {
namespace {

using Strengths = CouplingStrengths;

constexpr int all_bins = (Strengths::highest_decade - Strengths::lowest_decade) * Strengths::bins_of_decade;

int bin_of(double strength) {
  auto const place =
      std::floor((std::log10(strength) - Strengths::lowest_decade) * Strengths::bins_of_decade);
  return static_cast<int>(std::clamp(place, 0.0, all_bins - 1.0));
}

/// Whether a list compares these strengths with its drop tolerance. Other schemes have other measures or also
/// use signs, and matchings have their own graphs.
bool compares_strengths(Choice const& choice) {
  if (choice.preconditioner != "Tessera" || !parameters::method_of(choice.parameters).has_levels)
    return false;
  auto const& multigrid = parameters::parse(choice.parameters).multigrid;
  return multigrid.strength.scheme == aggregation::DropScheme::classical &&
         multigrid.aggregation.scheme != aggregation::AggregationScheme::matching;
}

/// Strengths of the couplings of this rank's nodes.
std::vector<float> weights(LinearSystem const& system) {
  auto const imported = tpetra::import_matrix(*system.data.matrix);
  aggregation::StrengthParameters everything;  // edges are all couplings above rounding errors
  everything.equations = system.data.equations;
  auto const graph = aggregation::strength(Host{}, imported.A, {}, everything);
  return core::to_vector(Host{}, graph.weight.view());
}

void sum_over_ranks(Teuchos::Comm<int> const& comm, std::vector<long long>& counts) {
  auto const mine = counts;
  Teuchos::reduceAll(comm, Teuchos::REDUCE_SUM, static_cast<int>(counts.size()), mine.data(), counts.data());
}

void count(LinearSystem const& system, Strengths& result) {
  std::vector<long long> counts(all_bins + result.lists.size());
  for (float const weight : weights(system)) {
    double const strength = std::abs(weight);
    ++counts[bin_of(strength)];
    auto of_tolerance = counts.begin() + all_bins;
    for (auto const& list : result.lists)
      *of_tolerance++ += strength <= aggregation::coarsely_rounded(list.first) ? 1 : 0;
  }
  sum_over_ranks(system.comm(), counts);
  result.bins.assign(counts.begin(), counts.begin() + all_bins);
  for (auto const bin : result.bins) result.couplings += bin;
  auto of_tolerance = counts.begin() + all_bins;
  for (auto const& list : result.lists) result.below[list.first] = *of_tolerance++;
}

using Vector = baselines::MultiVector;

/// The list's preconditioner, without output.
baselines::Preconditioner set_up_quietly(Choice choice, LinearSystem const& system) {
  if (choice.preconditioner == "Tessera") choice.parameters.set("verbosity", "none");
  auto made = timed_setup(choice, system);
  return std::move(made.preconditioner);
}

/// The values at the drawn nodes. values: of all nodes, on rank 0.
template <class T>
std::vector<T> at_drawn(DrawnNodes const& drawn, std::vector<T> const& values) {
  std::vector<T> result;
  for (int const v : drawn.node) result.push_back(values[v]);
  return result;
}

void take_aggregates(comm::Communicator const& ranks, baselines::Preconditioner const& M,
                     WinnerAtNodes& winner) {
  if (M.ours.is_null()) return;
  auto& placed = *M.ours->inPlace();
  auto const* const report = placed.hierarchy_report();
  if (report == nullptr || report->levels.front().aggregates == 0) return;
  winner.aggregates = report->levels.front().aggregates;
  auto const all = gathered(ranks, placed.levels()->fetch_aggregates(0).aggregate);
  if (ranks.rank() == 0) winner.aggregate = at_drawn(winner.drawn, all);
}

/// The length of each node's part of a vector, or its only value.
std::vector<double> by_node(Vector const& x, int equations) {
  tpetra::ReadColumns const columns(x);
  auto const values = columns[0];
  if (equations == 1) return {values.begin(), values.end()};
  std::vector<double> lengths(values.size() / equations);
  for (std::size_t i = 0; i < values.size(); ++i)
    lengths[i / equations] = std::hypot(lengths[i / equations], values[i]);
  return lengths;
}

void take_error(comm::Communicator const& ranks, baselines::Preconditioner const& M,
                LinearSystem const& system, WinnerAtNodes& winner) {
  double constexpr least = 1e-3;  // below this rate rounding errors in float are a part of the error
  auto const& A = *system.data.matrix;
  auto const map = A.getRowMap();
  if (M.apply.is_null()) return;
  Vector x(map, 1), y(map, 1), z(map, 1);
  {
    auto const values = x.getDataNonConst(0);
    auto const begin = map->getMinAllGlobalIndex();
    for (int i = 0; i < static_cast<int>(values.size()); ++i)
      values[i] = core::uniform(map->getGlobalElement(i) - begin, 1);
  }
  std::vector<double> norms(1);
  double rate = 1;
  for (int cycle = 0; cycle < WinnerAtNodes::cycles; ++cycle) {
    A.apply(x, y);
    M.apply->apply(y, z);
    x.norm2(norms);
    double const before = norms[0];
    x.update(-1.0, z, 1.0);
    x.norm2(norms);
    if (!(norms[0] > 0) || !std::isfinite(norms[0])) return;
    if (cycle >= WinnerAtNodes::cycles - WinnerAtNodes::measured_cycles)
      rate *= std::pow(norms[0] / before, 1.0 / WinnerAtNodes::measured_cycles);
    x.scale(1 / norms[0]);
  }
  winner.rate = rate;
  if (rate < least) return;
  winner.has_sign = system.data.equations == 1;
  auto const all = gathered(ranks, by_node(x, system.data.equations));
  if (ranks.rank() == 0) winner.error = at_drawn(winner.drawn, all);
}

/// Pairs of drawn nodes, by their places, whose unknowns the matrix couples.
void take_couplings(comm::Communicator const& ranks, LinearSystem const& system, WinnerAtNodes& winner) {
  auto& drawn = winner.drawn.node;
  auto const equations = system.data.equations;
  auto count = static_cast<int>(drawn.size());
  Teuchos::broadcast(system.comm(), 0, Teuchos::outArg(count));
  auto nodes = drawn;  // on all ranks
  nodes.resize(static_cast<std::size_t>(count));
  if (count > 0) Teuchos::broadcast(system.comm(), 0, count, nodes.data());

  auto const imported = tpetra::import_matrix(*system.data.matrix);
  auto const columns = comm::global_columns(imported.A.halo);
  auto const& rows = imported.A.rows;
  auto const place = [&](GlobalIndex node) {
    auto const found = std::lower_bound(nodes.begin(), nodes.end(), node);
    return found != nodes.end() && *found == node ? static_cast<int>(found - nodes.begin()) : -1;
  };
  std::vector<std::pair<int, int>> mine;
  for (int p = 0; p < count; ++p) {
    for (int e = 0; e < equations; ++e) {
      auto const row = static_cast<GlobalIndex>(nodes[p]) * equations + e;
      if (!rows.owns(row)) continue;
      auto const i = static_cast<Index>(row - rows.begin());
      for (auto k = imported.A.local.offsets[i]; k < imported.A.local.offsets[i + 1]; ++k)
        if (int const q = place(columns[imported.A.local.column[k]] / equations); q > p)
          mine.emplace_back(p, q);
    }
  }
  std::sort(mine.begin(), mine.end());
  mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
  std::vector<int> flat;
  for (auto const& [p, q] : mine) flat.insert(flat.end(), {p, q});
  auto const all = gathered(ranks, flat);
  for (std::size_t k = 0; k < all.size(); k += 2) winner.couplings.emplace_back(all[k], all[k + 1]);
}

void fill_winner(LinearSystem const& system, Choice const& choice, WinnerAtNodes& winner) {
  auto const ranks = tpetra::communicator(system.comm());
  auto const points = points_of(ranks, *system.data.coordinates);
  if (ranks.rank() == 0) winner.drawn = drawn_nodes(points, WinnerAtNodes::most_nodes);
  auto const M = set_up_quietly(choice, system);
  take_aggregates(ranks, M, winner);
  take_error(ranks, M, system, winner);
  take_couplings(ranks, system, winner);
}

}  // namespace

CouplingStrengths coupling_strengths(LinearSystem const& system, std::vector<Choice> const& lists) {
  Strengths result;
  for (auto const& list : lists)
    if (compares_strengths(list))
      result.lists[parameters::parse(list.parameters).multigrid.strength.drop_tolerance].push_back(
          list_name(list.file));
  try {
    count(system, result);
  } catch (core::InvalidInput const& error) {  // on all ranks
    result.trouble = error.what();
  } catch (core::NumericalError const& error) {
    result.trouble = error.what();
  }
  return result;
}

WinnerAtNodes winner_at_nodes(LinearSystem const& system, std::vector<Choice> const& choices,
                              std::vector<Measurement> const& lists) {
  WinnerAtNodes winner;
  auto place = static_cast<int>(ranked(lists).front() - lists.data());
  Teuchos::broadcast(system.comm(), 0, Teuchos::outArg(place));  // because times differ by rank
  auto const& first = lists[static_cast<std::size_t>(place)];
  if (!first.converged()) return winner;
  winner.list = list_name(first.list.file);
  if (system.data.coordinates.is_null()) {
    winner.missing = "The nodes have no coordinates (--coordinates), so that nothing is drawn of them.";
    return winner;
  }
  try {
    fill_winner(system, choices[static_cast<std::size_t>(place)], winner);
  } catch (std::exception const& error) {  // on all ranks
    winner.missing = std::string("Another setup of the list failed: ") + error.what();
  }
  return winner;
}

}  // namespace Tessera::cli
