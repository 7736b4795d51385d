#include "core/modules.cuh"

#include <cuda.h>

#include <vector>

#include "core/cuda_check.cuh"

namespace Tessera::core {
namespace {

std::vector<void const*>& marks() {
  static auto& all = *new std::vector<void const*>;  // units are noted before main, in any order
  return all;
}

/// A function of the driver, which is not linked; null where it has none of that name.
template <class Function>
Function* of_driver(char const* name) {
  constexpr unsigned since = 12050;
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found;
  TESSERA_CUDA_CHECK(cudaGetDriverEntryPointByVersion(name, &function, since, cudaEnableDefault, &found));
  return found == cudaDriverEntryPointSuccess ? reinterpret_cast<Function*>(function) : nullptr;
}

void require(CUresult status, char const* call) {
  if (status != CUDA_SUCCESS)
    throw std::runtime_error(message("loading kernels: ", call, " fails with status ", int{status}));
}

/// How the driver is asked for the kernels of a module.
struct Loader {
  decltype(cuKernelGetLibrary)* library_of = of_driver<decltype(cuKernelGetLibrary)>("cuKernelGetLibrary");
  decltype(cuLibraryGetKernelCount)* count =
      of_driver<decltype(cuLibraryGetKernelCount)>("cuLibraryGetKernelCount");
  decltype(cuLibraryEnumerateKernels)* kernels =
      of_driver<decltype(cuLibraryEnumerateKernels)>("cuLibraryEnumerateKernels");
  decltype(cuKernelGetFunction)* function = of_driver<decltype(cuKernelGetFunction)>("cuKernelGetFunction");
  decltype(cuFuncLoad)* load = of_driver<decltype(cuFuncLoad)>("cuFuncLoad");

  bool complete() const { return library_of && count && kernels && function && load; }

  void load_all_beside(void const* mark) const {
    cudaKernel_t kernel;
    TESSERA_CUDA_CHECK(cudaGetKernel(&kernel, mark));
    CUlibrary library;
    require(library_of(&library, kernel), "cuKernelGetLibrary");
    unsigned number = 0;
    require(count(&number, library), "cuLibraryGetKernelCount");
    std::vector<CUkernel> all(number);
    require(kernels(all.data(), number, library), "cuLibraryEnumerateKernels");
    for (auto const one : all) {
      CUfunction loaded;
      require(function(&loaded, one), "cuKernelGetFunction");
      require(load(loaded), "cuFuncLoad");
    }
  }
};

}  // namespace

Module::Module(void const* kernel) {
  marks().push_back(kernel);
}

void load_modules() {
  Loader const loader;
  if (!loader.complete()) return;
  for (auto const mark : marks()) loader.load_all_beside(mark);
}

}  // namespace Tessera::core
