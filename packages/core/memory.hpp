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

/// While one of these lives, large arrays of the host that are given back wait for the next ones of their
/// size, without raising the peak; with the last of them they go to the system. For setups, whose temporaries
/// come and go. On CUDA the pool does this anyway.
template <class Space>
class MemoryReuse {
 public:
  explicit MemoryReuse(Space const& space);
  MemoryReuse(MemoryReuse const&) = delete;
  MemoryReuse& operator=(MemoryReuse const&) = delete;
  ~MemoryReuse();
};

template <class Space>
MemoryUse memory_use(Space const& space);

/// Lets the peak start anew from what is in use now.
template <class Space>
void reset_peak(Space const& space);

}  // namespace Tessera::core
