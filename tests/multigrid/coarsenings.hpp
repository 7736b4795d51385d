#pragma once
/// \file
/// The ways to make coarse levels, for tests that hold for all of them.
#include <vector>

#include "multigrid/parameters.hpp"

namespace Tessera::test {

struct WayToCoarsen {
  char const* name;
  void (*choose)(multigrid::Parameters&);
};

inline std::vector<WayToCoarsen> ways_to_coarsen() {
  using multigrid::CoarseningType;
  using multigrid::CycleType;
  using multigrid::Parameters;
  return {{"smoothed aggregation", [](Parameters&) {}},
          {"unsmoothed, K",
           [](Parameters& p) {
             p.coarsening = CoarseningType::unsmoothed;
             p.cycle = CycleType::K;
           }},
          {"unsmoothed, PAA, reshaped, K",
           [](Parameters& p) {
             p.coarsening = CoarseningType::unsmoothed;
             p.cycle = CycleType::K;
             p.strength.drop_tolerance = 0.0;
             p.aggregation.scheme = aggregation::AggregationScheme::paa;
             p.aggregation.largest = 8;
             p.aggregation.reshaping_steps = 2;
           }},
          {"root nodes",
           [](Parameters& p) {
             p.coarsening = CoarseningType::root_nodes;
             p.strength.scheme = aggregation::DropScheme::signed_classical;
             p.strength.drop_tolerance = 0.5;
             p.drop_tolerance_scaling = 1;
           }},
          {"classical", [](Parameters& p) { p.coarsening = CoarseningType::classical; }},
          {"classical, aggressive",
           [](Parameters& p) {
             p.coarsening = CoarseningType::classical;
             p.classical.aggressive_levels = 1;
           }},
          {"matching", [](Parameters& p) {
             p.aggregation.scheme = aggregation::AggregationScheme::matching;
             p.prolongator_damping = 1.6;
           }}};
}

}  // namespace Tessera::test
