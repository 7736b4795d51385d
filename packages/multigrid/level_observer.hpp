#pragma once
/// \file
/// For somebody who waits for a setup.
#include <functional>

#include "core/types.hpp"

namespace Tessera::multigrid {

/// Called by a setup on each rank when a level's matrix is there, with the level's number and its rows and
/// nonzeros, global figures. Null: nobody asks.
using LevelObserver = std::function<void(int, GlobalIndex, GlobalIndex)>;

}  // namespace Tessera::multigrid
