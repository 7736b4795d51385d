#pragma once
/// \file
/// Raw memory of a space, with counts of its bytes.
#include <cstddef>
#include <new>
#include <string>
#include <type_traits>

#include "core/error.hpp"
#include "core/memory_account.hpp"
#include "core/space.hpp"

namespace Tessera::core {

/// Uninitialised memory, aligned to 64 bytes on the host (256 on CUDA). Null for 0 bytes.
/// \throws OutOfMemory
template <class Space>
void* allocate(Space const& space, std::size_t bytes);

/// Releases what allocate() returned; on CUDA after the earlier work on the space's stream.
template <class Space>
void release(Space const& space, void* pointer, std::size_t bytes) noexcept;

/// During the lifetime of an object, released large arrays of the host stay allocated for later arrays,
/// without raising the peak. The destructor of the last object releases them to the system. Setups use this,
/// because they allocate and release many temporary arrays. On CUDA the memory pool always does this. (To
/// keep the arrays from one refresh to the next gains little.)
template <class Space>
class MemoryReuse {
 public:
  explicit MemoryReuse(Space const& space);
  MemoryReuse(MemoryReuse const&) = delete;
  MemoryReuse& operator=(MemoryReuse const&) = delete;
  ~MemoryReuse();
};

/// Runs work. If work exhausts memory of arrays or of the standard library, throws an OutOfMemory that begins
/// with `where`, such as "setup, level 2": a text, or a function that returns one. The standard library does
/// not report the number of bytes; then it is 0.
template <class Where, class Work>
void with_memory_context(Where const& where, Work const& work) {
  auto const text = [&]() -> std::string {
    if constexpr (std::is_invocable_v<Where const&>) {
      return where();
    } else {
      return where;
    }
  };
  try {
    work();
  } catch (OutOfMemory const& cause) {
    throw OutOfMemory(text(), cause);
  } catch (std::bad_alloc const&) {
    auto const use = memory_use(Host{});
    throw OutOfMemory(message(text(), ": out of host memory for a list or a text of unknown size (",
                              use.in_use, " bytes were in use by Tessera's arrays, ", use.peak,
                              " at the peak); use a smaller problem or more ranks"),
                      0, use.in_use, use.peak);
  }
}

}  // namespace Tessera::core
