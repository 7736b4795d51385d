#pragma once
/// \file
/// Raw memory of a space, counted.
#include <cstddef>

#include "core/space.hpp"

namespace Tessera::core {

/// Bytes that Tessera holds in one space, process-wide.
struct MemoryUse {
  std::size_t in_use = 0;
  std::size_t peak = 0;
};

/// Uninitialised memory, aligned to 64 bytes on the host (256 on CUDA). Null for 0 bytes.
/// \throws OutOfMemory
template <class Space>
void* allocate(Space const& space, std::size_t bytes);

/// Gives back what allocate returned; on CUDA ordered behind the work on the space's stream.
template <class Space>
void release(Space const& space, void* pointer, std::size_t bytes) noexcept;

/// Arrays that were given back may be kept for the next ones of their size; this gives them to the system.
/// Call it at the end of a setup.
template <class Space>
void release_spares(Space const& space);

template <class Space>
MemoryUse memory_use(Space const& space);

/// Lets the peak start anew from what is in use now.
template <class Space>
void reset_peak(Space const& space);

}  // namespace Tessera::core
