#include "core/memory.hpp"

#include <atomic>

#include "core/error.hpp"
#include "core/memory_account.hpp"
#include "core/memory_counter.hpp"
#include "core/spare_memory.hpp"
#include "core/system_memory.hpp"

namespace Tessera::core {
namespace {

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

/// From the system. Arrays of a setup that are less than a huge page get a part of one, whose rest waits for
/// the next ones.
void* fresh(std::size_t bytes) {
  auto const size = SpareMemory::rounded(bytes);
  if (!SystemMemory::divisible || reuses() == 0 || !SpareMemory::is_large(bytes))
    return SystemMemory::take(size, bytes);
  constexpr auto page = SystemMemory::huge_page;
  auto const whole = (size + page - 1) / page * page;
  auto* const block = static_cast<char*>(SystemMemory::take(whole, whole > size ? whole : bytes));
  if (block != nullptr && whole > size) spares().keep(block + size, whole - size);
  return block;
}

}  // namespace

template <>
void* allocate(Host const&, std::size_t bytes) {
  if (bytes == 0) return nullptr;
  // A size beyond PTRDIFF_MAX cannot be had, and rounding it up to the alignment could wrap to a small one.
  bool const possible =
      bytes < static_cast<std::size_t>(-1) / 2 && counter().allows(bytes) && !counter().fails_now();
  void* pointer = possible && SpareMemory::is_large(bytes) ? spares().take(bytes) : nullptr;
  if (possible && pointer == nullptr) {
    auto const use = counter().use();
    auto const together = use.in_use + spares().bytes() + bytes;
    if (together > use.peak) spares().give_back(together - use.peak);
    pointer = fresh(bytes);
    counter().note_allocation();
  }
  if (pointer == nullptr) throw OutOfMemory(Host::name, bytes, counter().use().in_use, counter().use().peak);
  counter().add(bytes);
  return pointer;
}

template <>
void release(Host const&, void* pointer, std::size_t bytes) noexcept {
  if (pointer == nullptr) return;
  if (SystemMemory::divisible && reuses() > 0 && SpareMemory::is_large(bytes)) {
    spares().keep(pointer, bytes);
  } else {
    SystemMemory::give_back(pointer, SpareMemory::rounded(bytes));
  }
  counter().remove(bytes);
}

template <>
MemoryReuse<Host>::MemoryReuse(Host const&) {
  ++reuses();
}

template <>
MemoryReuse<Host>::~MemoryReuse() {
  if (--reuses() == 0) spares().give_back(spares().bytes());
}

template <>
struct KeptMemory<Host>::State {};
template <>
KeptMemory<Host>::KeptMemory(Host const&) {}
template <>
KeptMemory<Host>::~KeptMemory() = default;
template <>
void KeptMemory<Host>::run(std::function<void()> const& work) {
  MemoryReuse<Host> const reuse(Host{});
  work();
}
template <>
std::size_t KeptMemory<Host>::bytes() const {
  return 0;
}
template <>
std::size_t KeptMemory<Host>::missing() const {
  return 0;
}

template <>
void limit_memory(Host const&, std::size_t bytes) {
  counter().limit(bytes);
}

template <>
std::int64_t fail_after(Host const&, std::int64_t allocations) {
  return counter().fail_after(allocations);
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
