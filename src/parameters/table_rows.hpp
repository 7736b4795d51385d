#pragma once
/// \file
/// Shorthand for the sources of the table.
#include "parameters/method.hpp"
#include "parameters/row.hpp"
#include "parameters/table.hpp"

namespace Tessera::parameters {

inline constexpr double largest = 1e9;

inline auto only_with_levels() {
  return only({algorithms_text(true),
               [](Draft const& draft) { return method_for(draft.settings.algorithm).has_levels; }});
}

inline auto only_with_aggregates() {
  return only({algorithms_with_aggregates(),
               [](Draft const& draft) { return has_aggregates(draft.settings.algorithm); }});
}

/// The section on classical coarsening.
void classical(std::vector<Parameter>& rows);

/// The section on strength and aggregation.
void aggregates(std::vector<Parameter>& rows);

}  // namespace Tessera::parameters

// Where a parameter is kept.
#define AT(place)              \
  [](Draft & draft) -> auto& { \
    return draft.place;        \
  }
#define MG(place) AT(settings.multigrid.place)
#define WHEN(condition) [](Draft const& draft) { return condition; }
