#pragma once
/// \file
/// Arrays that a space computes, so that no copy is necessary.
#include "core/array.hpp"
#include "core/types.hpp"

namespace Tessera::core {

/// The `count` numbers first, first + step, ...
template <class Space>
Array<VertexId, Space> arithmetic_sequence(Space const& space, VertexId first, VertexId step,
                                           std::size_t count);

}  // namespace Tessera::core
