#include "core/memory.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <atomic>
#include <cstdlib>

#include "core/error.hpp"
#include "core/memory_counter.hpp"
#include "core/spare_memory.hpp"

namespace Tessera::core {
namespace {

constexpr std::size_t alignment = 64;  // one cache line, one AVX-512 register

/// Arrays of several huge pages ask for them: the first touch of 56 MB took 31 ms in 4 KiB pages and 6.5 ms
/// in 2 MiB ones, and a setup touches every array for the first time. Where the system refuses, nothing is
/// lost.
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t huge_from = 2 * huge_page;

void* aligned_memory(std::size_t bytes) {
  auto const unit = bytes >= huge_from ? huge_page : alignment;
  void* const pointer = std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit);
#if defined(__linux__)
  if (pointer != nullptr && unit == huge_page) madvise(pointer, bytes, MADV_HUGEPAGE);
#endif
  return pointer;
}

/// AddressSanitizer must see every array come and go.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool keeps_spares = false;
#else
constexpr bool keeps_spares = true;
#endif

SpareMemory& spares() {
  static auto& host = *new SpareMemory;  // never destroyed: arrays of static objects come back after main
  return host;
}

/// How many MemoryReuse live.
std::atomic<int>& reuses() {
  static std::atomic<int> count{0};
  return count;
}

MemoryCounter& counter() {
  static MemoryCounter host;
  return host;
}

}  // namespace

template <>
void* allocate(Host const&, std::size_t bytes) {
  if (bytes == 0) return nullptr;
  // A size beyond PTRDIFF_MAX cannot be had, and rounding it up to the alignment could wrap to a small one.
  bool const possible = bytes < static_cast<std::size_t>(-1) / 2;
  void* pointer = possible && SpareMemory::is_large(bytes) ? spares().take(bytes) : nullptr;
  if (possible && pointer == nullptr) {
    auto const use = counter().use();
    if (use.in_use + spares().bytes() + bytes > use.peak) spares().drop();
    pointer = aligned_memory(SpareMemory::rounded(bytes));
  }
  if (pointer == nullptr) throw OutOfMemory(Host::name, bytes, counter().use().in_use, counter().use().peak);
  counter().add(bytes);
  return pointer;
}

template <>
void release(Host const&, void* pointer, std::size_t bytes) noexcept {
  if (pointer == nullptr) return;
  if (keeps_spares && reuses() > 0 && SpareMemory::is_large(bytes)) {
    spares().keep(pointer, bytes);
  } else {
    std::free(pointer);
  }
  counter().remove(bytes);
}

template <>
MemoryReuse<Host>::MemoryReuse(Host const&) {
  ++reuses();
}

template <>
MemoryReuse<Host>::~MemoryReuse() {
  if (--reuses() == 0) spares().drop();
}

template <>
MemoryUse memory_use(Host const&) {
  return counter().use();
}

template <>
void reset_peak(Host const&) {
  counter().reset_peak();
}

}  // namespace Tessera::core
