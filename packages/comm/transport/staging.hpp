#pragma once
/// \file
/// Host buffers for data that MPI cannot read or write in place.
#include <cstddef>
#include <utility>

#include "core/space.hpp"

struct CUevent_st;  // CUDA's event type, without CUDA's headers

namespace Tessera::comm {

/// Gives MPI a pointer to data of a space. On the host, and on CUDA if MPI takes device memory, this is the
/// data's own address. Otherwise it is pinned host memory, which is copied from or to the data, and stays
/// allocated. A Staging serves one direction.
template <class Space>
class Staging;

template <>
class Staging<core::Host> {
 public:
  /// Allocates for up to this number of bytes.
  void reserve(std::size_t) {}
  /// Starts to copy data to memory that MPI can read; ready() returns whether packed() would not wait.
  void pack(core::Host const&, char const* data, std::size_t) { data_ = data; }
  bool ready() const { return true; }
  char const* packed() { return data_; }
  /// The address at which MPI may write the received bytes of `data`.
  char* receive_buffer(core::Host const&, char* data, std::size_t) { return data; }
  /// Copies the bytes that MPI has written to `data`, in the order of the space's work.
  void arrived(core::Host const&, char*, std::size_t) {}
  std::size_t bytes() const { return 0; }

 private:
  char const* data_ = nullptr;
};

template <>
class Staging<core::Cuda> {
 public:
  Staging() = default;
  Staging(Staging&& other) noexcept { *this = std::move(other); }
  Staging& operator=(Staging&& other) noexcept {
    std::swap(pinned_, other.pinned_);
    std::swap(bytes_, other.bytes_);
    std::swap(copied_, other.copied_);
    std::swap(packed_, other.packed_);
    return *this;
  }
  ~Staging();
  void reserve(std::size_t bytes);
  /// Enqueues the copy, so that work of the space overlaps; MPI reads device memory at once.
  void pack(core::Cuda const& space, char const* data, std::size_t bytes);
  bool ready() const;
  char const* packed();
  char* receive_buffer(core::Cuda const& space, char* data, std::size_t bytes);
  void arrived(core::Cuda const& space, char* data, std::size_t bytes);
  std::size_t bytes() const { return bytes_; }

 private:
  void record(core::Cuda const& space);
  void wait();

  char* pinned_ = nullptr;
  std::size_t bytes_ = 0;
  CUevent_st* copied_ = nullptr;  ///< after the last copy from or to pinned_
  char const* packed_ = nullptr;
};

/// Whether MPI reads and writes device memory: MPIX_Query_cuda_support if MPI has it. TESSERA_GPU_AWARE_MPI=0
/// in the environment disables it.
bool mpi_is_gpu_aware();

}  // namespace Tessera::comm
