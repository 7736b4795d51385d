#pragma once
/// \file
/// Raw memory of a space, counted.
#include <cstddef>
#include <functional>
#include <memory>

#include "core/space.hpp"

namespace Tessera::core {

/// Bytes that Tessera holds in one space, process-wide.
struct MemoryUse {
  std::size_t in_use = 0;
  std::size_t peak = 0;
  std::size_t allocations = 0;  ///< blocks that were had from the system since the process began
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
/// come and go. On CUDA the pool does this anyway. (Kept from one refresh to the next it gains little.)
template <class Space>
class MemoryReuse {
 public:
  explicit MemoryReuse(Space const& space);
  MemoryReuse(MemoryReuse const&) = delete;
  MemoryReuse& operator=(MemoryReuse const&) = delete;
  ~MemoryReuse();
};

/// The temporary memory of work that is done again and again. Blocks of the first run come from the system as
/// ever, while notes are taken; then one piece of memory is had in which each of them has its place
/// (block_plan.hpp), and later runs that ask for the same blocks in the same order get them there, at the
/// same addresses: nothing is allocated. Whoever asks for something else is served as ever, and the plan is
/// made anew; where that has no room, runs go on allocating. On the host runs share spare memory
/// (MemoryReuse), which is not kept between them.
template <class Space>
class KeptMemory {
 public:
  explicit KeptMemory(Space const& space);
  ~KeptMemory();
  KeptMemory(KeptMemory const&) = delete;
  KeptMemory& operator=(KeptMemory const&) = delete;

  /// One run at a time, whatever the space.
  void run(std::function<void()> const& work);
  /// That are held between runs.
  std::size_t bytes() const;
  /// That were to be held since the last run, but could not be had.
  std::size_t missing() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

template <class Space>
MemoryUse memory_use(Space const& space);

/// Lets the peak start anew from what is in use now.
template <class Space>
void reset_peak(Space const& space);

}  // namespace Tessera::core
