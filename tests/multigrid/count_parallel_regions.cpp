// Stands between the program and GCC's OpenMP.
#include <dlfcn.h>

#include <atomic>

#include "multigrid/parallel_regions.hpp"

namespace {

std::atomic<int> regions{0};

}  // namespace

int Tessera::test::parallel_regions() {
  return regions;
}

extern "C" void GOMP_parallel(void (*work)(void*), void* data, unsigned threads, unsigned flags) {
  static auto const real = reinterpret_cast<decltype(&GOMP_parallel)>(dlsym(RTLD_NEXT, "GOMP_parallel"));
  if (threads != 1) ++regions;  // 1: what an if clause keeps on one thread
  real(work, data, threads, flags);
}
