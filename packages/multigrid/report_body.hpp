#pragma once
/// \file
/// The report: sums over ranks, words for people.
#include <sstream>
#include <type_traits>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "multigrid/report.hpp"

namespace Tessera::multigrid {

inline std::string smoother_words(SmootherParameters const& p) {
  std::ostringstream text;
  switch (p.type) {
    case SmootherType::jacobi:
      text << "Jacobi(" << p.sweeps << ")";
      break;
    case SmootherType::l1_jacobi:
      text << "l1-Jacobi(" << p.sweeps << ")";
      break;
    case SmootherType::chebyshev:
    case SmootherType::fsai:
      text << (p.type == SmootherType::fsai ? "FSAI-Chebyshev(" : "Chebyshev(") << p.degree << ", "
           << (p.chebyshev == ChebyshevKind::first    ? "1st kind"
               : p.chebyshev == ChebyshevKind::fourth ? "4th kind"
                                                      : "optimal 4th kind")
           << ")";
      if (p.sweeps != 1) text << " x " << p.sweeps;
      break;
  }
  switch (p.pre_or_post) {
    case PreOrPost::pre:
      text << " before";
      break;
    case PreOrPost::post:
      text << " after";
      break;
    case PreOrPost::both:
      break;
    case PreOrPost::none:
      return "none";
  }
  return text.str();
}

template <class T, class Space>
std::string coarse_words(Levels<T, Space> const& levels) {
  if (!levels.coarse) {
    return core::message(smoother_words(levels.parameters.smoother), " x ", levels.parameters.coarse_sweeps);
  }
  auto const deficiency = levels.coarse->deficiency();
  return deficiency == 0 ? std::string("dense inverse")
                         : core::message("dense pseudo-inverse, nullspace of dimension ", deficiency);
}

template <class T, class Space>
std::size_t level_bytes(Level<T, Space> const& level) {
  auto bytes = level.A.bytes() + level.smoother.bytes() + level.work.bytes() + level.P.bytes() +
               level.R.bytes() + level.coarse_vector.bytes() + level.input.ids.bytes();
  if (level.coarsening) bytes += level.coarsening->bytes();
  return bytes;
}

/// What the passes of cycle_body.hpp move from level l down.
template <class T, class Space>
double cycle_bytes(Levels<T, Space> const& levels, std::size_t l, bool from_zero) {
  auto const& level = *levels.level[l];
  auto const vector = static_cast<double>(level.work.x.bytes());
  auto const A = static_cast<double>(level.A.product_bytes());
  if (l + 1 == levels.level.size()) {
    if (levels.coarse) return 2 * vector + static_cast<double>(levels.coarse->bytes());
    double bytes = 0;
    for (int sweep = 0; sweep < levels.parameters.coarse_sweeps; ++sweep) {
      bytes += level.smoother.bytes_moved(A, from_zero && sweep == 0);
    }
    return bytes;
  }
  auto const& p = levels.parameters.smoother;
  bool const before = p.pre_or_post == PreOrPost::pre || p.pre_or_post == PreOrPost::both;
  bool const after = p.pre_or_post == PreOrPost::post || p.pre_or_post == PreOrPost::both;
  auto const coarse = static_cast<double>(levels.level[l + 1]->work.x.bytes());
  double bytes = before ? level.smoother.bytes_moved(A, from_zero) : from_zero ? vector : 0;
  bytes += A + 3 * vector;                                                  // residual
  bytes += static_cast<double>(level.R.product_bytes()) + vector + coarse;  // restriction
  bytes += cycle_bytes(levels, l + 1, true);
  if (levels.parameters.cycle == CycleType::W) bytes += cycle_bytes(levels, l + 1, false);
  bytes += static_cast<double>(level.P.product_bytes()) + coarse + 2 * vector;  // correction
  return bytes + (after ? level.smoother.bytes_moved(A, false) : 0);
}

template <class T, class Space>
HierarchyReport make_report(Space const& space, Levels<T, Space> const& levels) {
  HierarchyReport report;
  auto const& comm = levels.level.front()->rows.comm();
  for (auto const& pointer : levels.level) {
    auto const& level = *pointer;
    LevelReport entry;
    entry.rows = level.rows.global_size();
    entry.nonzeros = level.nonzeros;
    entry.active_ranks = active_ranks(level.rows);
    entry.spectral_radius = level.spectrum.rho;
    entry.format = level.A.format();
    entry.bytes = static_cast<std::size_t>(comm.sum(static_cast<GlobalIndex>(level_bytes(level))));
    entry.checksum = level.spectrum.checksum;
    if (level.coarsening) {
      report.refresh_bytes.kept += level.coarsening->bytes();
      entry.aggregates = level.coarsening->aggregates();
      auto const statistics = level.coarsening->statistics(space);
      entry.smallest_aggregate = statistics.smallest;
      entry.largest_aggregate = statistics.largest;
      entry.smoother = smoother_words(levels.parameters.smoother);
    } else {
      entry.smoother = coarse_words(levels);
    }
    report.operator_complexity += static_cast<double>(entry.nonzeros);
    report.grid_complexity += static_cast<double>(entry.rows);
    report.levels.push_back(std::move(entry));
  }
  auto const& finest = report.levels.front();
  if (finest.nonzeros > 0) report.operator_complexity /= static_cast<double>(finest.nonzeros);
  if (finest.rows > 0) report.grid_complexity /= static_cast<double>(finest.rows);
  auto const conversions =
      static_cast<double>(2 * (sizeof(double) + sizeof(T)) * levels.level.front()->work.x.size());
  report.cycle_bytes = comm.sum(cycle_bytes(levels, 0, true) + conversions);
  report.backend = Space::name;
  report.precision = std::is_same_v<T, float> ? "float" : "double";
  report.warnings = levels.warnings;
  auto phases = levels.phases;
  if (levels.clock && !levels.clock->empty()) {
    phases.clear();
    levels.clock->add_to(phases);
  }
  for (auto const& [phase, seconds] : phases) report.phases[phase] = comm.max(seconds);
  return report;
}

}  // namespace Tessera::multigrid
