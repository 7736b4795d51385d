#pragma once
/// \file
/// The one place that knows which memory MPI can read and write.
#include <cstddef>
#include <utility>

#include "core/space.hpp"

namespace Tessera::comm {

/// Gives MPI a pointer for data of a space: on the host the data themselves, on CUDA pinned host memory that
/// is copied from or to them and kept for the next time.
template <class Space>
class Staging;

template <>
class Staging<core::Host> {
 public:
  void reserve(std::size_t) {}
  /// What MPI may read once this has returned.
  char const* to_send(core::Host const&, char const* data, std::size_t) { return data; }
  /// Where MPI may write what is to stand at data.
  char* to_receive(char* data, std::size_t) { return data; }
  /// Puts what MPI has written at data.
  void arrived(core::Host const&, char*, std::size_t) {}
  std::size_t bytes() const { return 0; }
};

template <>
class Staging<core::Cuda> {
 public:
  Staging() = default;
  Staging(Staging&& other) noexcept { *this = std::move(other); }
  Staging& operator=(Staging&& other) noexcept {
    std::swap(pinned_, other.pinned_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Staging();
  void reserve(std::size_t bytes);
  char const* to_send(core::Cuda const& space, char const* data, std::size_t bytes);
  char* to_receive(char* data, std::size_t bytes);
  void arrived(core::Cuda const& space, char* data, std::size_t bytes);
  std::size_t bytes() const { return bytes_; }

 private:
  char* pinned_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace Tessera::comm
