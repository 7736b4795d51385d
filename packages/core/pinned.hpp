#pragma once
/// \file
/// Host memory that bodies of a space write while the host reads it.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "core/space.hpp"
#include "core/types.hpp"

namespace Tessera::core {

/// Zeroed memory; page-locked if the space is CUDA. \throws OutOfMemory
void* allocate_pinned(Cuda const& space, std::size_t bytes);
void release_pinned(Cuda const& space, void* pointer) noexcept;
inline void* allocate_pinned(Host const&, std::size_t bytes) {
  void* const pointer = ::operator new(bytes);
  std::memset(pointer, 0, bytes);
  return pointer;
}
inline void release_pinned(Host const&, void* pointer) noexcept {
  ::operator delete(pointer);
}

/// One zeroed, trivially copyable T, with the same address on the host and on the space.
template <class T, class Space>
class Pinned {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Pinned() = default;
  explicit Pinned(Space const& space)
      : space_(space), data_(static_cast<T*>(allocate_pinned(space, sizeof(T)))) {}
  Pinned(Pinned&& other) noexcept { *this = std::move(other); }
  Pinned& operator=(Pinned&& other) noexcept {
    std::swap(space_, other.space_);
    std::swap(data_, other.data_);
    return *this;
  }
  ~Pinned() { release_pinned(space_, data_); }
  T* get() const { return data_; }
  T* operator->() const { return data_; }

 private:
  Space space_{};
  T* data_ = nullptr;
};

/// Sets a counter in pinned memory, from a body. Earlier writes of the body are visible to a host that
/// observes the new value.
TESSERA_HD inline void publish(std::int64_t* counter, std::int64_t value) {
#if defined(__CUDA_ARCH__)
  __threadfence_system();
  *static_cast<std::int64_t volatile*>(counter) = value;
#else
  __atomic_store_n(counter, value, __ATOMIC_RELEASE);
#endif
}

/// The present value of the counter, read by the host.
inline std::int64_t observe(std::int64_t const* counter) {
  return __atomic_load_n(counter, __ATOMIC_ACQUIRE);
}

/// Waits until the counter is at least `value`. The work that publishes this value must be enqueued before.
/// \throws std::runtime_error if the space fails, or completes its work without this value
inline void wait_until(Host const&, std::int64_t const* counter, std::int64_t value) {
  if (observe(counter) < value)
    throw std::runtime_error("waited for work that was never enqueued on the host");
}
void wait_until(Cuda const& space, std::int64_t const* counter, std::int64_t value);

}  // namespace Tessera::core
