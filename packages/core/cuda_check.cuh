#pragma once
/// \file
/// Checks of CUDA calls: a failure throws an exception that names the call.
#include <cuda_runtime.h>

#include <stdexcept>

#include "core/error.hpp"

namespace Tessera::core {

inline void cuda_check(cudaError_t status, char const* call, char const* file, int line) {
  if (status == cudaSuccess) return;
  throw std::runtime_error(message(file, ":", line, ": ", call, ": ", cudaGetErrorString(status)));
}

}  // namespace Tessera::core

#define TESSERA_CUDA_CHECK(call) ::Tessera::core::cuda_check((call), #call, __FILE__, __LINE__)
