#pragma once
/// \file
/// What the account of a space's memory (memory.hpp) is told besides allocations.
#include <cstddef>
#include <cstdint>

#include "core/space.hpp"

namespace Tessera::core {

/// Counts bytes of the device that were had from CUDA itself and are held from now on.
void count_memory(Cuda const& space, std::size_t bytes);

/// Counts an allocation of pinned memory among those of the device, though not its bytes.
void note_pinned_allocation();

/// While one of these lives, its thread may not allocate memory of a device: that throws std::logic_error.
class WithoutAllocations {
 public:
  WithoutAllocations();
  ~WithoutAllocations();
  WithoutAllocations(WithoutAllocations const&) = delete;
  WithoutAllocations& operator=(WithoutAllocations const&) = delete;
};

/// From now on allocations that would make the use larger fail as if the memory ended there. For tests of
/// what happens then; (size_t)-1 ends it.
template <class Space>
void limit_memory(Space const& space, std::size_t bytes);

/// The next allocations succeed, the one behind them fails, once. Negative: none does. For tests too. Returns
/// what was left of the last number; negative where that one has failed.
template <class Space>
std::int64_t fail_after(Space const& space, std::int64_t allocations);

}  // namespace Tessera::core
