#pragma once
/// \file
/// Why a prolongator is plain though it was not to be.
#include <cmath>
#include <string>

#include "core/archive.hpp"
#include "core/error.hpp"

namespace Tessera::multigrid {

/// Found by a setup, and kept by refreshes.
struct PlainReason {
  double reached = 0;  ///< aggregates a row of P, where these are too many
  double entries = 0;  ///< of R A P, where these are too many

  bool given() const { return reached > 0 || entries > 0; }
  std::string text() const {
    if (!given()) return "";
    auto const what = reached > 0 ? core::message("a row of P would reach ", std::round(reached),
                                                  " aggregates on average, and R A P fill in")
                                  : core::message("R A P would have about ", std::round(entries),
                                                  " entries, for which the hierarchy has no room");
    return what + "; P is plain there (`multigrid algorithm` = unsmoothed makes all levels so, a larger " +
           "`aggregation: drop tol` shorter rows)";
  }
  void archive(core::Archive& file) {
    auto& [aggregates, nonzeros] = *this;
    file(aggregates, nonzeros);
  }
};

}  // namespace Tessera::multigrid
