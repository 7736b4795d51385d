#include "support/failing_allocations.hpp"

#include <atomic>
#include <cstdlib>

namespace {

std::atomic<std::int64_t> left{-1};

bool fails_now() {
  return left >= 0 && left.fetch_sub(1) == 0;
}

}  // namespace

namespace Tessera::test {

std::int64_t fail_new_after(std::int64_t allocations) {
  return left.exchange(allocations);
}

}  // namespace Tessera::test

// Not inlined: compilers would warn of mismatched pairs of malloc and delete, or of new and free.
__attribute__((noinline)) void* operator new(std::size_t bytes) {
  if (fails_now()) throw std::bad_alloc();
  void* const pointer = std::malloc(bytes == 0 ? 1 : bytes);
  if (pointer == nullptr) throw std::bad_alloc();
  return pointer;
}
__attribute__((noinline)) void* operator new(std::size_t bytes, std::nothrow_t const&) noexcept {
  if (fails_now()) return nullptr;
  return std::malloc(bytes == 0 ? 1 : bytes);
}
__attribute__((noinline)) void operator delete(void* pointer) noexcept {
  std::free(pointer);
}
__attribute__((noinline)) void operator delete(void* pointer, std::size_t) noexcept {
  std::free(pointer);
}
