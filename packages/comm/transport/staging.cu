#include "comm/transport/staging.hpp"

#include <mpi.h>

#include <cstdlib>
#include <string>

#include "core/array.hpp"
#include "core/cuda_check.cuh"
#include "core/memory_account.hpp"
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

namespace Tessera::comm {

bool mpi_is_gpu_aware() {
  static bool const aware = [] {
    char const* const setting = std::getenv("TESSERA_GPU_AWARE_MPI");
    if (setting != nullptr && std::string(setting) == "0") return false;
#if defined(OMPI_HAVE_MPI_EXT_CUDA) && OMPI_HAVE_MPI_EXT_CUDA
    return MPIX_Query_cuda_support() == 1;
#else
    return false;
#endif
  }();
  return aware;
}

Staging<Cuda>::~Staging() {
  if (copied_ != nullptr) cudaEventDestroy(copied_);
  if (pinned_ != nullptr) cudaFreeHost(pinned_);
}

void Staging<Cuda>::reserve(std::size_t bytes) {
  if (bytes <= bytes_ || mpi_is_gpu_aware()) return;
  if (copied_ == nullptr) TESSERA_CUDA_CHECK(cudaEventCreateWithFlags(&copied_, cudaEventDisableTiming));
  wait();
  if (pinned_ != nullptr) TESSERA_CUDA_CHECK(cudaFreeHost(pinned_));
  pinned_ = nullptr;
  bytes_ = 0;
  TESSERA_CUDA_CHECK(cudaMallocHost(&pinned_, bytes));
  core::memory_counter(Cuda{}).note_allocation();
  bytes_ = bytes;
}

void Staging<Cuda>::record(Cuda const& space) {
  TESSERA_CUDA_CHECK(cudaEventRecord(copied_, space.stream));
}

void Staging<Cuda>::wait() {
  if (copied_ != nullptr) TESSERA_CUDA_CHECK(cudaEventSynchronize(copied_));
}

void Staging<Cuda>::pack(Cuda const& space, char const* data, std::size_t bytes) {
  packed_ = data;
  if (bytes == 0 || mpi_is_gpu_aware()) return;  // receive_buffer has synchronised
  core::count_to_host(bytes);
  TESSERA_CUDA_CHECK(cudaMemcpyAsync(pinned_, data, bytes, cudaMemcpyDeviceToHost, space.stream));
  record(space);
  packed_ = pinned_;
}

bool Staging<Cuda>::ready() const {
  return mpi_is_gpu_aware();
}

char const* Staging<Cuda>::packed() {
  if (!mpi_is_gpu_aware()) wait();
  return packed_;
}

char* Staging<Cuda>::receive_buffer(Cuda const& space, char* data, std::size_t bytes) {
  if (mpi_is_gpu_aware()) {  // MPI ignores streams: packed data must be complete, and data free to write
    TESSERA_CUDA_CHECK(cudaStreamSynchronize(space.stream));
    return data;
  }
  wait();
  return pinned_;
}

void Staging<Cuda>::arrived(Cuda const& space, char* data, std::size_t bytes) {
  if (bytes == 0 || mpi_is_gpu_aware()) return;
  core::count_to_device(bytes);
  TESSERA_CUDA_CHECK(cudaMemcpyAsync(data, pinned_, bytes, cudaMemcpyHostToDevice, space.stream));
  record(space);
}

}  // namespace Tessera::comm
