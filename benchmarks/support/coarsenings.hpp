#pragma once
/// \file
/// Coarsenings by the names that benchmarks are told, with what their lists in xml_params say.
#include <string>

#include "core/error.hpp"
#include "multigrid/parameters.hpp"

namespace Tessera::benchmarks {

inline multigrid::Parameters coarsening(std::string const& name) {
  multigrid::Parameters parameters;
  auto& aggregation = parameters.aggregation;
  if (name == "smoothed") return parameters;
  if (name == "matching") {
    aggregation.scheme = aggregation::AggregationScheme::matching;
    parameters.prolongator_damping = 1.6;
    return parameters;
  }
  if (name == "anisotropic") {
    parameters.strength.scheme = aggregation::DropScheme::signed_classical;
    parameters.strength.drop_tolerance = 0.5;
    parameters.drop_tolerance_scaling = 0.75;
    aggregation.extra_degree = 4;
    parameters.filter.filtered = true;
    return parameters;
  }
  if (name == "rootnode") {
    parameters.coarsening = multigrid::CoarseningType::root_nodes;
    parameters.strength.scheme = aggregation::DropScheme::signed_classical;
    parameters.strength.drop_tolerance = 0.5;
    parameters.drop_tolerance_scaling = 1;
    return parameters;
  }
  if (name == "classical") {
    parameters.coarsening = multigrid::CoarseningType::classical;
    return parameters;
  }
  parameters.coarsening = multigrid::CoarseningType::unsmoothed;
  parameters.cycle = multigrid::CycleType::K;
  if (name == "unsmoothed") return parameters;
  if (name != "paa" && name != "reshaped")
    throw core::InvalidInput("coarsening `" + name +
                             "` (unknown); take smoothed, anisotropic, rootnode, classical, unsmoothed, paa, "
                             "reshaped or matching");
  parameters.max_levels = 40;
  parameters.k_levels = 8;
  parameters.strength.drop_tolerance = 0.0;
  aggregation.scheme = aggregation::AggregationScheme::paa;
  aggregation.largest = 4;
  aggregation.reshaping_steps = name == "reshaped" ? 4 : 0;
  parameters.smoother.type = multigrid::SmootherType::l1_jacobi;
  return parameters;
}

/// What a line of results says of it: nothing of the default.
inline std::string suffix(std::string const& name) {
  return name == "smoothed" ? "" : ", " + name;
}

}  // namespace Tessera::benchmarks
