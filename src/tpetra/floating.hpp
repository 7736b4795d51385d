#pragma once
/// \file
/// Components of a matrix that nothing holds, such as a loose pair of nodes in a network.
#include <limits>
#include <vector>

#include "tpetra/types.hpp"

namespace Tessera::tpetra {

/// Stands for no floating component.
constexpr GlobalOrdinal held = std::numeric_limits<GlobalOrdinal>::lowest();

/// Of each owned row: the least global index of its component where that floats; else `held`. A component is
/// connected by entries that are not zero. It floats where A V is zero in all of its rows, to rounding of
/// their entries. A: symmetric; V: on its domain map, which is its row map. Two passes over A, and one more
/// exchange than a component has ranks in a row. Collective.
std::vector<GlobalOrdinal> floating_components(RowMatrix const& A, MultiVector const& V);

}  // namespace Tessera::tpetra
