#include "sparse/engine/direct/cudss.hpp"

#include <exception>
#include <utility>

#include "core/cuda_check.cuh"
#include "core/error.hpp"
#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "sparse/engine/direct/cudss_library.cuh"
#if __has_include(<cudss.h>)
#include <cudss.h>
static_assert(CUDSS_VERSION_MAJOR == 1);
static_assert(int{CUDSS_STATUS_SUCCESS} == Tessera::sparse::cudss::success);
static_assert(int{CUDSS_STATUS_ALLOC_FAILED} == Tessera::sparse::cudss::allocation_failed);
static_assert(int{CUDSS_PHASE_ANALYSIS} == Tessera::sparse::cudss::analysis);
static_assert(int{CUDSS_PHASE_FACTORIZATION} == Tessera::sparse::cudss::factorization);
static_assert(int{CUDSS_PHASE_REFACTORIZATION} == Tessera::sparse::cudss::refactorization);
static_assert(int{CUDSS_PHASE_SOLVE} == Tessera::sparse::cudss::solve);
static_assert(int{CUDSS_CONFIG_DETERMINISTIC_MODE} == Tessera::sparse::cudss::deterministic_mode);
static_assert(int{CUDSS_DATA_INFO} == Tessera::sparse::cudss::info);
static_assert(int{CUDSS_DATA_LU_NNZ} == Tessera::sparse::cudss::factor_nonzeros);
static_assert(int{CUDSS_MTYPE_SPD} == Tessera::sparse::cudss::positive_definite);
static_assert(int{CUDSS_MVIEW_LOWER} == Tessera::sparse::cudss::lower);
static_assert(int{CUDSS_BASE_ZERO} == Tessera::sparse::cudss::zero);
static_assert(int{CUDSS_LAYOUT_COL_MAJOR} == Tessera::sparse::cudss::column_major);
static_assert(sizeof(cudssDeviceMemHandler_t) == sizeof(Tessera::sparse::cudss::DeviceMemory));
#endif

namespace Tessera::sparse {
namespace cudss {
namespace {

/// Memory for cuDSS, which cannot be thrown through: what is thrown waits.
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

/// A = L L^T. What it allocates is counted as Tessera's.
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
      give_back();
      throw;
    }
  }
  Solver(Solver const&) = delete;
  Solver& operator=(Solver const&) = delete;
  ~Solver() override { give_back(); }

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

  void give_back() noexcept {
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
