#include "cli/memory.hpp"

#include <malloc.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "core/memory.hpp"

namespace Tessera::cli {

void reset_peak_memory() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5\n";
#if defined(TESSERA_HAVE_CUDA)
  core::reset_peak(Cuda{});
#endif
}

std::size_t peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    std::size_t kilobytes = 0;
    if (std::sscanf(line.c_str(), "VmHWM: %zu kB", &kilobytes) == 1) return kilobytes * 1024;
  }
  return 0;
}

std::size_t device_peak_memory() {
#if defined(TESSERA_HAVE_CUDA)
  return core::memory_use(Cuda{}).peak;
#else
  return 0;
#endif
}

}  // namespace Tessera::cli
