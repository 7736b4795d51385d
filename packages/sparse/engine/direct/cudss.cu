#include "sparse/engine/direct/direct_solver.hpp"

#include <cuda_runtime.h>
#include <dlfcn.h>
#include <library_types.h>

#include <cstdint>
#include <exception>
#include <type_traits>
#include <utility>

#include "core/cuda_check.cuh"
#include "core/error.hpp"
#include "core/memory.hpp"
#include "core/parallel.hpp"
#if __has_include(<cudss.h>)
#include <cudss.h>
#endif

namespace Tessera::sparse {
namespace cudss {

// The part of libcudss.so.1 that Tessera uses, declared here so that every build can load it. Names, values
// and arguments are those of cuDSS 1.0 (https://docs.nvidia.com/cuda/cudss/1.0.0).

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

/// An allocator; its functions return 0 for success.
struct DeviceMemory {
  void* context;
  int (*allocate)(void* context, void** pointer, std::size_t bytes, cudaStream_t stream);
  int (*release)(void* context, void* pointer, std::size_t bytes, cudaStream_t stream);
  char name[64];
};

/// The functions, loaded at first use, so that programs start on machines without cuDSS.
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
  std::string failure;  ///< why the library cannot be loaded

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

#if __has_include(<cudss.h>)
static_assert(CUDSS_VERSION_MAJOR == 1);
static_assert(int{CUDSS_STATUS_SUCCESS} == success);
static_assert(int{CUDSS_STATUS_ALLOC_FAILED} == allocation_failed);
static_assert(int{CUDSS_PHASE_ANALYSIS} == analysis);
static_assert(int{CUDSS_PHASE_FACTORIZATION} == factorization);
static_assert(int{CUDSS_PHASE_REFACTORIZATION} == refactorization);
static_assert(int{CUDSS_PHASE_SOLVE} == solve);
static_assert(int{CUDSS_CONFIG_DETERMINISTIC_MODE} == deterministic_mode);
static_assert(int{CUDSS_DATA_INFO} == info);
static_assert(int{CUDSS_DATA_LU_NNZ} == factor_nonzeros);
static_assert(int{CUDSS_MTYPE_SPD} == positive_definite);
static_assert(int{CUDSS_MVIEW_LOWER} == lower);
static_assert(int{CUDSS_BASE_ZERO} == zero);
static_assert(int{CUDSS_LAYOUT_COL_MAJOR} == column_major);
static_assert(sizeof(cudssDeviceMemHandler_t) == sizeof(DeviceMemory));
#endif

namespace {

/// Memory for cuDSS. Exceptions must not pass through cuDSS, so check() throws them later.
struct Memory {
  Cuda space;
  std::exception_ptr failure;

  static int allocate(void* context, void** pointer, std::size_t bytes, cudaStream_t) {
    auto& self = *static_cast<Memory*>(context);
    try {
      *pointer = core::allocate(self.space, bytes);
      return 0;
    } catch (...) {
      self.failure = std::current_exception();
      return 1;
    }
  }
  static int release(void* context, void* pointer, std::size_t bytes, cudaStream_t) {
    core::release(static_cast<Memory*>(context)->space, pointer, bytes);
    return 0;
  }
};

/// A = L L^T. Its memory counts as Tessera's.
class Solver final : public DirectSolver<Cuda> {
 public:
  Solver(Cuda const& space, Csr<double, Cuda> const& A)
      : memory_{space, nullptr},
        rows_(A.rows),
        offsets_(core::copied(space, A.offsets.view(), space)),
        column_(core::copied(space, A.column.view(), space)),
        value_(core::copied(space, A.value.view(), space)) {
    try {
      prepare();
      execute(analysis, "analysis");
      factor(factorization, "factorization");
      std::int64_t entries = 0;
      get(factor_nonzeros, entries);
      entries_ = entries;
    } catch (...) {
      destroy_all();
      throw;
    }
  }
  Solver(Solver const&) = delete;
  Solver& operator=(Solver const&) = delete;
  ~Solver() override { destroy_all(); }

  void solve(Cuda const&, Span<double const> b, Span<double> x) override {
    check(to_.set_values(b_, b.data()), "setting b");
    check(to_.set_values(x_, x.data()), "setting x");
    execute(cudss::solve, "solve");
  }

  void refactor(Cuda const& space, Csr<double, Cuda> const& A) override {
    TESSERA_EXPECT(A.rows == rows_ && A.value.size() == value_.size());
    core::copy(space, A.value.view(), space, value_.span());
    factor(refactorization, "refactorization");
  }

  GlobalIndex factor_entries() const override { return entries_; }

 private:
  void prepare() {
    auto const& space = memory_.space;
    check(to_.create(&handle_), "cudssCreate");
    check(to_.set_stream(handle_, space.stream), "cudssSetStream");
    DeviceMemory const from{&memory_, Memory::allocate, Memory::release, "Tessera"};
    check(to_.set_device_memory(handle_, &from), "cudssSetDeviceMemHandler");
    check(to_.config_create(&config_), "cudssConfigCreate");
    int const yes = 1;
    check(to_.config_set(config_, deterministic_mode, &yes, sizeof yes), "asking for determinism");
    check(to_.data_create(handle_, &data_), "cudssDataCreate");
    check(to_.create_csr(&A_, rows_, rows_, static_cast<std::int64_t>(column_.size()), offsets_.data(),
                         nullptr, column_.data(), value_.data(), CUDA_R_64I, CUDA_R_32I, CUDA_R_64F,
                         positive_definite, lower, zero),
          "cudssMatrixCreateCsr");
    for (auto* vector : {&b_, &x_}) {
      check(to_.create_dense(vector, rows_, 1, rows_, value_.data(), CUDA_R_64F, column_major),
            "cudssMatrixCreateDn");
    }
  }

  /// \throws core::NumericalError where a pivot is not positive
  void factor(Phase phase, char const* what) {
    execute(phase, what);
    int pivot = 0;
    get(info, pivot);
    if (pivot == 0) return;
    throw core::NumericalError(core::message(
        "cuDSS cannot factor the coarsest matrix, of ", rows_, " rows: pivot ", pivot,
        " is not positive; take `coarse: type` = dense, with a smaller `coarse: max size`, or smoother"));
  }

  void execute(Phase phase, char const* what) {
    check(to_.execute(handle_, phase, config_, data_, A_, x_, b_), what);
  }

  template <class T>
  void get(DataEntry entry, T& value) {
    TESSERA_CUDA_CHECK(cudaStreamSynchronize(memory_.space.stream));
    std::size_t written = 0;
    check(to_.data_get(handle_, data_, entry, &value, sizeof value, &written), "cudssDataGet");
  }

  void check(int status, char const* what) {
    if (status == success) return;
    if (memory_.failure) std::rethrow_exception(std::exchange(memory_.failure, nullptr));
    if (status == allocation_failed) throw std::bad_alloc();
    throw std::runtime_error(
        core::message("cuDSS fails with status ", status, " (", what, "), for ", rows_, " rows"));
  }

  void destroy_all() noexcept {
    for (auto const matrix : {A_, b_, x_})
      if (matrix != nullptr) to_.destroy_matrix(matrix);
    if (data_ != nullptr) to_.data_destroy(handle_, data_);
    if (config_ != nullptr) to_.config_destroy(config_);
    if (handle_ != nullptr) to_.destroy(handle_);
  }

  Library const& to_ = library();
  Memory memory_;
  Index rows_;
  Array<Offset, Cuda> offsets_;
  Array<Index, Cuda> column_;
  Array<double, Cuda> value_;
  GlobalIndex entries_ = 0;
  Handle handle_ = nullptr;
  Config config_ = nullptr;
  Data data_ = nullptr;
  Matrix A_ = nullptr, b_ = nullptr, x_ = nullptr;
};

}  // namespace
}  // namespace cudss

template <>
DirectSolvers<Cuda> cudss_solvers<Cuda>() {
  auto const& library = cudss::library();
  if (!library.failure.empty()) {
    throw core::Unavailable(
        core::message("`coarse: type` = cudss: version 1 of cuDSS cannot be loaded (", library.failure,
                      "); install it and name its folder in LD_LIBRARY_PATH, or take `coarse: type` = dense, "
                      "amesos2 or smoother"));
  }
  return {"cuDSS " + library.version(), [](Cuda const& space, Csr<double, Cuda> const& A) {
            return std::unique_ptr<DirectSolver<Cuda>>(std::make_unique<cudss::Solver>(space, A));
          }};
}

}  // namespace Tessera::sparse
