#pragma once
/// \file
/// Runs work with another number of OpenMP threads.
#include <omp.h>

namespace Tessera::testing {

template <class Work>
auto with_threads(int threads, Work const& work) {
  struct Restore {
    int before = omp_get_max_threads();
    ~Restore() { omp_set_num_threads(before); }
  } restore;
  omp_set_num_threads(threads);
  return work();
}

}  // namespace Tessera::testing
