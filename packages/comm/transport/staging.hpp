#pragma once
/// \file
/// The one place that knows which memory MPI can read and write.
#include <cstddef>
#include <utility>

#include "core/space.hpp"

struct CUevent_st;  // CUDA's events, so that this header needs no CUDA

namespace Tessera::comm {

/// Gives MPI a pointer for data of a space: on the host the data themselves; on CUDA the data themselves
/// where MPI says that it takes them, else pinned host memory that is copied from or to them and kept for the
/// next time. One direction a Staging.
template <class Space>
class Staging;

template <>
class Staging<core::Host> {
 public:
  /// So that nothing that follows allocates, for no more bytes.
  void reserve(std::size_t) {}
  /// Begins to bring data where MPI can read them; ready() says whether packed() would not wait.
  void pack(core::Host const&, char const* data, std::size_t) { data_ = data; }
  bool ready() const { return true; }
  char const* packed() { return data_; }
  /// Where MPI may write what is to stand at data.
  char* to_receive(core::Host const&, char* data, std::size_t) { return data; }
  /// Puts what MPI has written at data, in the order of the space's work.
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
  /// The copy is enqueued, so that the space goes on with other work; MPI's own reading of device memory
  /// begins at once.
  void pack(core::Cuda const& space, char const* data, std::size_t bytes);
  bool ready() const;
  char const* packed();
  char* to_receive(core::Cuda const& space, char* data, std::size_t bytes);
  void arrived(core::Cuda const& space, char* data, std::size_t bytes);
  std::size_t bytes() const { return bytes_; }

 private:
  void record(core::Cuda const& space);
  void wait();

  char* pinned_ = nullptr;
  std::size_t bytes_ = 0;
  CUevent_st* copied_ = nullptr;  ///< behind the last copy from or to pinned_
  char const* packed_ = nullptr;
};

/// Whether MPI reads and writes device memory itself: what MPIX_Query_cuda_support says, where MPI has it.
/// TESSERA_GPU_AWARE_MPI=0 in the environment says no.
bool mpi_is_gpu_aware();

}  // namespace Tessera::comm
