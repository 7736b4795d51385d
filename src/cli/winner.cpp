#include "cli/winner.hpp"

#include <Teuchos_CommHelpers.hpp>
#include <algorithm>
#include <cmath>

#include "cli/gathered.hpp"
#include "cli/ranking.hpp"
#include "cli/report_words.hpp"
#include "comm/dist_csr.hpp"
#include "core/hash.hpp"
#include "ifpack2/any_operator.hpp"
#include "tpetra/types.hpp"
#include "tpetra/import_matrix.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::cli {
namespace {

using Vector = baselines::MultiVector;

/// The list's preconditioner, which says nothing.
baselines::Preconditioner set_up_quietly(Choice choice, LinearSystem const& system) {
  if (choice.preconditioner == "Tessera") choice.parameters.set("verbosity", "none");
  auto made = timed_setup(choice, system);
  return std::move(made.preconditioner);
}

/// `values` of all nodes at those that are drawn; on rank 0.
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
  auto const all = gathered(ranks, placed.fetch_aggregates(0).aggregate);
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
  double constexpr least = 1e-3;  // below it rounding errors in float are a part of what is left
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

/// Places of drawn nodes whose unknowns the matrix couples.
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

void look(LinearSystem const& system, Choice const& choice, WinnerAtNodes& winner) {
  auto const ranks = tpetra::communicator(system.comm());
  auto const points = points_of(ranks, *system.data.coordinates);
  if (ranks.rank() == 0) winner.drawn = drawn_nodes(points, WinnerAtNodes::most_nodes);
  auto const M = set_up_quietly(choice, system);
  take_aggregates(ranks, M, winner);
  take_error(ranks, M, system, winner);
  take_couplings(ranks, system, winner);
}

}  // namespace

WinnerAtNodes look_at_winner(LinearSystem const& system, std::vector<Measurement> const& lists) {
  WinnerAtNodes winner;
  auto place = static_cast<int>(ranked(lists).front() - lists.data());
  Teuchos::broadcast(system.comm(), 0, Teuchos::outArg(place));  // times decide
  auto const& first = lists[static_cast<std::size_t>(place)];
  if (!first.converged()) return winner;
  winner.list = list_name(first.choice.file);
  if (system.data.coordinates.is_null()) {
    winner.missing = "The nodes have no coordinates (--coordinates), so that nothing is drawn of them.";
    return winner;
  }
  try {
    look(system, first.choice, winner);
  } catch (std::exception const& error) {  // on all ranks
    winner.missing = std::string("Another setup of the list failed: ") + error.what();
  }
  return winner;
}

}  // namespace Tessera::cli
