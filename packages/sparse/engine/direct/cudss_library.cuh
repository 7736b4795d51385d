#pragma once
/// \file
/// What is used of libcudss.so.1, declared here so that every build can load it. The names, values and
/// arguments are those of cuDSS 1.0 (https://docs.nvidia.com/cuda/cudss/1.0.0); where its header is found,
/// cudss.cu holds them against it.
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <library_types.h>

#include <cstdint>
#include <string>
#include <type_traits>

#include "core/error.hpp"

namespace Tessera::sparse::cudss {

using Handle = struct HandleOfCudss*;
using Config = struct ConfigOfCudss*;
using Data = struct DataOfCudss*;
using Matrix = struct MatrixOfCudss*;

enum Status { success = 0, allocation_failed = 2 };
enum Phase { analysis = 3, factorization = 4, refactorization = 8, solve = 1008 };
enum ConfigOption { deterministic_mode = 24 };
enum DataEntry { info = 0, factor_nonzeros = 1 };
enum MatrixType { positive_definite = 3 };
enum MatrixView { lower = 1 };
enum IndexBase { zero = 0 };
enum Layout { column_major = 0 };

/// Who gives memory: 0 for success.
struct DeviceMemory {
  void* context;
  int (*allocate)(void* context, void** pointer, std::size_t bytes, cudaStream_t stream);
  int (*release)(void* context, void* pointer, std::size_t bytes, cudaStream_t stream);
  char name[64];
};

/// The functions, loaded when they are wanted: programs start on machines that do not have them.
struct Library {
  int (*get_property)(libraryPropertyType, int*) = nullptr;
  int (*create)(Handle*) = nullptr;
  int (*destroy)(Handle) = nullptr;
  int (*set_stream)(Handle, cudaStream_t) = nullptr;
  int (*set_device_memory)(Handle, DeviceMemory const*) = nullptr;
  int (*config_create)(Config*) = nullptr;
  int (*config_destroy)(Config) = nullptr;
  int (*config_set)(Config, int option, void const*, std::size_t bytes) = nullptr;
  int (*data_create)(Handle, Data*) = nullptr;
  int (*data_destroy)(Handle, Data) = nullptr;
  int (*data_get)(Handle, Data, int entry, void*, std::size_t bytes, std::size_t* written) = nullptr;
  int (*execute)(Handle, int phase, Config, Data, Matrix A, Matrix x, Matrix b) = nullptr;
  int (*create_csr)(Matrix*, std::int64_t rows, std::int64_t columns, std::int64_t entries, void const* begin,
                    void const* end, void const* column, void const* value, cudaDataType_t offset_type,
                    cudaDataType_t index_type, cudaDataType_t value_type, int type, int view,
                    int base) = nullptr;
  int (*create_dense)(Matrix*, std::int64_t rows, std::int64_t columns, std::int64_t leading, void const*,
                      cudaDataType_t, int layout) = nullptr;
  int (*set_values)(Matrix, void const*) = nullptr;
  int (*destroy_matrix)(Matrix) = nullptr;
  std::string failure;  ///< why there is none

  Library() {
    static constexpr char const* file = "libcudss.so.1";
    void* const loaded = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (loaded == nullptr) {
      failure = dlerror();
      return;
    }
    auto const find = [&](auto& function, char const* name) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(loaded, name));
      if (function == nullptr) failure = core::message(file, " has no ", name);
    };
    find(get_property, "cudssGetProperty");
    find(create, "cudssCreate");
    find(destroy, "cudssDestroy");
    find(set_stream, "cudssSetStream");
    find(set_device_memory, "cudssSetDeviceMemHandler");
    find(config_create, "cudssConfigCreate");
    find(config_destroy, "cudssConfigDestroy");
    find(config_set, "cudssConfigSet");
    find(data_create, "cudssDataCreate");
    find(data_destroy, "cudssDataDestroy");
    find(data_get, "cudssDataGet");
    find(execute, "cudssExecute");
    find(create_csr, "cudssMatrixCreateCsr");
    find(create_dense, "cudssMatrixCreateDn");
    find(set_values, "cudssMatrixSetValues");
    find(destroy_matrix, "cudssMatrixDestroy");
  }

  std::string version() const {
    int major = 0, minor = 0, patch = 0;
    get_property(MAJOR_VERSION, &major);
    get_property(MINOR_VERSION, &minor);
    get_property(PATCH_LEVEL, &patch);
    return core::message(major, ".", minor, ".", patch);
  }
};

inline Library const& library() {
  static Library const loaded;
  return loaded;
}

}  // namespace Tessera::sparse::cudss
