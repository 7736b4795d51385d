#pragma once
/// \file
/// Figures about a hierarchy, and a fingerprint of each level.
#include "multigrid/hierarchy.hpp"
#include "multigrid/level.hpp"

namespace Tessera::multigrid {

/// A 64-bit fingerprint of pattern and values, in hexadecimal: the sum over entries of a hash of (global row,
/// global column, bits of the value), so that storage order does not matter. Collective.
template <class Space>
std::string checksum(Space const& space, comm::DistCsr<double, Space> const& A);

/// Collective.
template <class T, class Space>
HierarchyReport make_report(Space const& space, Levels<T, Space> const& levels);

}  // namespace Tessera::multigrid
