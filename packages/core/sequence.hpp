#pragma once
/// \file
/// Numbers that need not travel.
#include "core/array.hpp"
#include "core/types.hpp"

namespace Tessera::core {

/// first, first + step, ...: count numbers.
template <class Space>
Array<VertexId, Space> arithmetic_sequence(Space const& space, VertexId first, VertexId step,
                                           std::size_t count);

}  // namespace Tessera::core
