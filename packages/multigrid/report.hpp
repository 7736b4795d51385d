#pragma once
/// \file
/// Figures about a hierarchy.
#include "multigrid/hierarchy.hpp"
#include "multigrid/level.hpp"

namespace Tessera::multigrid {

/// Collective.
template <class T, class Space>
HierarchyReport make_report(Space const& space, Levels<T, Space> const& levels);

}  // namespace Tessera::multigrid
