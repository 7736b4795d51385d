// For builds without CUDA; device.cu is for builds with CUDA.
#include "core/device.hpp"

#include "core/error.hpp"
#include "core/timer.hpp"

namespace Tessera::core {

void detail::push_range(char const*, int) {}
void detail::pop_range() {}

bool cuda_compiled() {
  return false;
}

std::vector<DeviceInfo> cuda_devices() {
  return {};
}

std::string cuda_unavailable_reason() {
  return "this build has no CUDA (configure with the preset cuda, -DTESSERA_ENABLE_CUDA=ON, which needs "
         "nvcc)";
}

std::string cuda_driver_version() {
  return {};
}

std::string cuda_runtime_version() {
  return {};
}

Cuda make_cuda(int) {
  throw Unavailable(cuda_unavailable_reason());
}

std::string memory_space_mismatch(Host const&, void const*) {
  return {};
}

int device_of(void const*) {
  return -1;
}

}  // namespace Tessera::core
