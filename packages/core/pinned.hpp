#pragma once
/// \file
/// Memory of the host that bodies of a space write while the host looks on.
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "core/space.hpp"
#include "core/types.hpp"

namespace Tessera::core {

/// Zeroed; page-locked where the space is CUDA. \throws OutOfMemory
template <class Space>
void* allocate_pinned(Space const& space, std::size_t bytes);
template <class Space>
void release_pinned(Space const& space, void* pointer) noexcept;

/// One trivially copyable T, zeroed, at the same address for the host and the space.
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

/// Sets a counter in pinned memory, from a body; what the body wrote before is there when the host sees it.
TESSERA_HD inline void publish(std::int64_t* counter, std::int64_t value) {
#if defined(__CUDA_ARCH__)
  __threadfence_system();
  *static_cast<std::int64_t volatile*>(counter) = value;
#else
  __atomic_store_n(counter, value, __ATOMIC_RELEASE);
#endif
}

/// What the counter is now, on the host.
inline std::int64_t observe(std::int64_t const* counter) {
  return __atomic_load_n(counter, __ATOMIC_ACQUIRE);
}

/// Waits until the counter is at least `value`. Work that publishes it must have been given to the space.
/// \throws std::runtime_error when the space has failed or is done without it
void wait_until(Host const& space, std::int64_t const* counter, std::int64_t value);
void wait_until(Cuda const& space, std::int64_t const* counter, std::int64_t value);

}  // namespace Tessera::core
