#pragma once
/// \file
/// cuSPARSE's CSR product, the one to beat.
#include <cusparse.h>

#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "core/array.hpp"
#include "sparse/formats/csr.hpp"

namespace Tessera::benchmarks {

inline void cusparse_check(cusparseStatus_t status) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    throw std::runtime_error(std::string("cuSPARSE: ") + cusparseGetErrorString(status));
}

/// y = A x with 32-bit offsets, which cuSPARSE is fastest with. A, x and y stay where they are.
template <class T>
class CusparseProduct {
 public:
  CusparseProduct(Cuda const& space, sparse::CsrView<T> A, Span<T const> x, Span<T> y,
                  cusparseSpMVAlg_t algorithm)
      : algorithm_(algorithm) {
    auto const wide = core::to_vector(space, A.offsets);
    offsets_ = core::to_space(space, std::vector<int>(wide.begin(), wide.end()));
    cusparse_check(cusparseCreate(&handle_));
    cusparse_check(cusparseSetStream(handle_, space.stream));
    cusparse_check(cusparseCreateCsr(&A_, A.rows, A.columns, static_cast<std::int64_t>(A.column.size()),
                                     offsets_.data(), const_cast<Index*>(A.column.data()),
                                     const_cast<T*>(A.value.data()), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                     CUSPARSE_INDEX_BASE_ZERO, type));
    cusparse_check(cusparseCreateDnVec(&x_, A.columns, const_cast<T*>(x.data()), type));
    cusparse_check(cusparseCreateDnVec(&y_, A.rows, y.data(), type));
    std::size_t bytes = 0;
    cusparse_check(cusparseSpMV_bufferSize(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, A_, x_, &zero, y_,
                                           type, algorithm_, &bytes));
    buffer_ = Array<unsigned char, Cuda>(space, bytes + 1);
    cusparse_check(cusparseSpMV_preprocess(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, A_, x_, &zero, y_,
                                           type, algorithm_, buffer_.data()));
  }
  CusparseProduct(CusparseProduct const&) = delete;
  CusparseProduct& operator=(CusparseProduct const&) = delete;
  ~CusparseProduct() {
    cusparseDestroyDnVec(x_);
    cusparseDestroyDnVec(y_);
    cusparseDestroySpMat(A_);
    cusparseDestroy(handle_);
  }

  void operator()() const {
    cusparse_check(cusparseSpMV(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, A_, x_, &zero, y_, type,
                                algorithm_, const_cast<unsigned char*>(buffer_.data())));
  }

 private:
  static constexpr cudaDataType type = std::is_same_v<T, double> ? CUDA_R_64F : CUDA_R_32F;
  static constexpr T one = 1, zero = 0;
  cusparseSpMVAlg_t algorithm_;
  Array<int, Cuda> offsets_;
  Array<unsigned char, Cuda> buffer_;
  cusparseHandle_t handle_{};
  cusparseSpMatDescr_t A_{};
  cusparseDnVecDescr_t x_{}, y_{};
};

}  // namespace Tessera::benchmarks
