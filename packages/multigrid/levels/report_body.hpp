#pragma once
/// \file
/// What users see of a hierarchy: the report, with sums over ranks, and copies of levels on the host.
#include <algorithm>
#include <type_traits>
#include <utility>

#include "comm/fetch.hpp"
#include "core/error.hpp"
#include "multigrid/levels/cycle_body.hpp"
#include "multigrid/levels/level.hpp"
#include "multigrid/reported_levels.hpp"

namespace Tessera::multigrid {

inline std::string smoother_text(SmootherParameters const& p) {
  if (p.pre_or_post == PreOrPost::none) return "none";
  std::string const when = p.pre_or_post == PreOrPost::pre    ? " before"
                           : p.pre_or_post == PreOrPost::post ? " after"
                                                              : "";
  if (p.type == SmootherType::jacobi) return core::message("Jacobi(", p.sweeps, ")", when);
  if (p.type == SmootherType::l1_jacobi) return core::message("l1-Jacobi(", p.sweeps, ")", when);
  auto const times = p.sweeps == 1 ? "" : core::message(" x ", p.sweeps);
  if (p.type == SmootherType::foreign) return p.foreign.name + times + when;
  auto const* const kind = p.chebyshev == ChebyshevKind::first    ? "1st kind"
                           : p.chebyshev == ChebyshevKind::fourth ? "4th kind"
                                                                  : "optimal 4th kind";
  return core::message(p.type == SmootherType::fsai ? "FSAI-" : "", "Chebyshev(", p.degree, ", ", kind, ")",
                       times, when);
}

/// Rows of a level's sparse inverse that are shorter than their pattern.
template <class T, class Space>
std::string cut_rows_text(SparseInverse<T, Space> const* inverse) {
  if (inverse == nullptr || inverse->cut_rows() == 0) return {};
  return core::message(", ", inverse->cut_rows(), " rows cut to ", inverse->row_bound(), " entries");
}

template <class T, class Space>
std::string cycle_text(Levels<T, Space> const& levels) {
  auto const type = levels.parameters.cycle;
  auto const times = levels.parameters.applications == 1
                         ? ""
                         : core::message(", ", levels.parameters.applications, " times");
  auto const& all = levels.level;
  if (type == CycleType::K) {
    auto const count =
        std::count_if(all.begin(), all.end(), [](auto const& l) { return l->steps.has_value(); });
    return core::message("K, not linear, with steps on ", count, count == 1 ? " level" : " levels", times);
  }
  return (type == CycleType::F ? "F, not symmetric" : type == CycleType::W ? "W" : "V") + times;
}

template <class T, class Space>
std::string coarse_text(Levels<T, Space> const& levels) {
  if (!levels.coarse) {
    return core::message(
        smoother_text(levels.parameters.smoother_on(static_cast<int>(levels.level.size()) - 1)), " x ",
        levels.parameters.coarse_sweeps);
  }
  if (levels.direct.make)
    return core::message(levels.direct.name, ", ", levels.coarse->factor_entries(),
                         " entries in its factors");
  auto const deficiency = levels.coarse->deficiency();
  return deficiency == 0 ? std::string("dense inverse")
                         : core::message("dense pseudo-inverse, nullspace of dimension ", deficiency);
}

template <class T, class Space>
std::size_t level_bytes(Level<T, Space> const& level) {
  auto bytes = level.A.bytes() + level.smoother.bytes() + level.work.bytes() + level.coarse_vector.bytes() +
               level.block_work.bytes() + level.coarse_block.bytes() + level.facts.ids.bytes() +
               (level.steps ? level.steps->bytes() : 0);
  if (level.coarsening) bytes += level.coarsening->bytes();
  if (level.transfer) bytes += std::visit([](auto const& by) { return by.bytes(); }, *level.transfer);
  return bytes;
}

/// The sum of bytes of all ranks. Collective.
inline std::size_t of_all_ranks(comm::Communicator const& comm, std::size_t bytes) {
  return static_cast<std::size_t>(comm.sum(static_cast<GlobalIndex>(bytes)));
}

/// One level's entry. Adds the bytes that it keeps for refreshes to `kept`. Collective.
template <class T, class Space>
LevelReport entry_of(Space const& space, Levels<T, Space> const& levels, Level<T, Space> const& level,
                     std::size_t& kept) {
  auto const& comm = levels.level.front()->rows.comm();
  LevelReport entry;
  entry.rows = level.rows.global_size();
  entry.nonzeros = level.nonzeros;
  entry.active_ranks = level.rows.active_ranks();
  entry.spectral_radius = level.facts.rho;
  entry.format = level.A.formats();
  entry.precision = level.facts.half ? "half" : std::is_same_v<T, float> ? "float" : "double";
  auto const read = static_cast<double>(of_all_ranks(comm, level.A.product_bytes()));
  entry.entry_bytes = entry.nonzeros == 0 ? 0 : read / static_cast<double>(entry.nonzeros);
  entry.bytes = of_all_ranks(comm, level_bytes(level));
  entry.checksum = level.facts.checksum;
  if (!level.coarsening) {
    entry.smoother = coarse_text(levels);
    return entry;
  }
  kept += of_all_ranks(comm, level.coarsening->bytes());
  auto const statistics = level.coarsening->statistics(space);
  entry.aggregates = statistics.count;
  entry.smallest_aggregate = statistics.smallest;
  entry.largest_aggregate = statistics.largest;
  entry.smoother = smoother_text(levels.parameters.smoother_on(level.facts.level)) +
                   cut_rows_text(level.smoother.inverse());
  return entry;
}

/// Collective.
template <class T, class Space>
HierarchyReport make_report(Space const& space, Levels<T, Space> const& levels) {
  HierarchyReport report;
  auto const& comm = levels.level.front()->rows.comm();
  for (auto const& pointer : levels.level) {
    auto entry = entry_of(space, levels, *pointer, report.refresh_bytes);
    report.operator_complexity += static_cast<double>(entry.nonzeros);
    report.grid_complexity += static_cast<double>(entry.rows);
    report.levels.push_back(std::move(entry));
  }
  auto const& finest = report.levels.front();
  if (finest.nonzeros > 0) report.operator_complexity /= static_cast<double>(finest.nonzeros);
  if (finest.rows > 0) report.grid_complexity /= static_cast<double>(finest.rows);
  auto const conversions =
      static_cast<double>(2 * (sizeof(double) + sizeof(T)) * levels.level.front()->work.x.size());
  double passes = 0;
  cycle<T>(levels, [&](auto const& pass) { passes += pass.bytes(); });
  report.cycle_bytes = comm.sum(passes + conversions);
  report.cycle = cycle_text(levels);
  report.backend = Space::name;
  // The finest is in half if any level is.
  report.precision = report.levels.front().precision;
  report.warnings = levels.warnings;
  auto phases = levels.phases;
  if (!levels.clock->empty()) {
    phases.clear();
    levels.clock->add_to(phases);
  }
  for (auto const& [phase, seconds] : phases) report.phases[phase] = comm.max(seconds);
  return report;
}

/// P of a transfer that stores aggregates and values. Not collective.
template <class T, class Space>
comm::HostMatrix fetch_prolongator(Space const& space, AggregateTransfer<T, Space> const& transfer,
                                   comm::Distribution const& rows) {
  auto const& map = transfer.map();
  auto const aggregate = core::to_vector(space, map.aggregate.view());
  auto const value = core::to_vector(space, transfer.value());
  auto const aggregates = comm::global_columns(map.halo);
  auto const vectors = transfer.vectors();
  comm::HostMatrix P;
  P.rows = rows.global_size();
  P.columns = map.halo.distribution().global_size() * vectors;
  P.row = comm::owned_indices(rows);
  for (auto const a : aggregates)
    for (int c = 0; c < vectors; ++c) P.column.push_back(a * vectors + c);
  std::vector<Offset> offsets{0};
  std::vector<Index> column;
  std::vector<double> entries;
  for (std::size_t i = 0; i < P.row.size(); ++i) {
    auto const a = aggregate[i / static_cast<std::size_t>(transfer.equations())];
    for (int c = 0; a >= 0 && c < vectors; ++c) {
      column.push_back(a * vectors + c);
      entries.push_back(value.empty() ? 1.0 : static_cast<double>(value[i * vectors + c]));
    }
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  P.local = {static_cast<Index>(P.row.size()), static_cast<Index>(P.column.size()),
             core::to_space(Host{}, offsets), core::to_space(Host{}, column),
             core::to_space(Host{}, entries)};
  return P;
}

template <class T, class Space>
LevelMatrices fetch_matrices(Space const& space, Level<T, Space> const& level) {
  LevelMatrices found{comm::fetch(space, level.A, level.rows), {}, {}};
  if (!level.transfer) return found;
  if (auto const* stored = std::get_if<StoredTransfer<T, Space>>(&*level.transfer)) {
    found.P = comm::fetch(space, stored->P, level.rows);
    found.R = comm::fetch(space, stored->R, level.rows);
    return found;
  }
  found.P = fetch_prolongator(space, std::get<AggregateTransfer<T, Space>>(*level.transfer), level.rows);
  auto const& P = *found.P;
  found.R = {P.columns, P.rows, P.column, P.row, sparse::transpose(Host{}, P.local.view()).matrix};
  return found;
}

/// level: not the coarsest.
template <class T, class Space>
LevelAggregates fetch_aggregates(Space const& space, Level<T, Space> const& level) {
  TESSERA_EXPECT(level.coarsening.has_value());
  auto const& made = level.coarsening->tentative();
  auto const coarse = static_cast<std::size_t>(made.coarse_rows.local_size());
  return {core::to_vector(space, made.aggregate.view()), made.vectors,
          made.indicator ? std::vector<double>(coarse, 1.0)
                         : core::to_vector(space, made.coarse_nullspace.view())};
}

}  // namespace Tessera::multigrid
