#include "comm/staging.hpp"
#include "core/array.hpp"
#include "core/cuda_check.cuh"

namespace Tessera::comm {

Staging<Cuda>::~Staging() {
  if (pinned_ != nullptr) cudaFreeHost(pinned_);
}

void Staging<Cuda>::reserve(std::size_t bytes) {
  if (bytes <= bytes_) return;
  if (pinned_ != nullptr) TESSERA_CUDA_CHECK(cudaFreeHost(pinned_));
  pinned_ = nullptr;
  bytes_ = 0;
  TESSERA_CUDA_CHECK(cudaMallocHost(&pinned_, bytes));
  bytes_ = bytes;
}

char const* Staging<Cuda>::to_send(Cuda const& space, char const* data, std::size_t bytes) {
  if (bytes == 0) return pinned_;
  reserve(bytes);
  core::copy_bytes(space, data, Host{}, pinned_, bytes);
  return pinned_;
}

char* Staging<Cuda>::to_receive(char*, std::size_t bytes) {
  reserve(bytes);
  return pinned_;
}

void Staging<Cuda>::arrived(Cuda const& space, char* data, std::size_t bytes) {
  if (bytes != 0) core::copy_bytes(Host{}, pinned_, space, data, bytes);
}

}  // namespace Tessera::comm
