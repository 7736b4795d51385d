#pragma once
/// \file
/// cuSPARSE's products, the ones to beat.
#include <cusparse.h>

#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "core/array.hpp"
#include "sparse/formats/sell.hpp"

namespace Tessera::benchmarks {

inline void cusparse_check(cusparseStatus_t status) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    throw std::runtime_error(std::string("cuSPARSE: ") + cusparseGetErrorString(status));
}

/// Padding of a Sell whose rows are in order, as cuSPARSE wants it: column -1.
template <class T>
struct MarkPadding {
  sparse::SellView<T> S;
  Span<Offset const> offsets;  ///< of the rows
  Index* column;
  TESSERA_HD void operator()(Index slot) const {
    auto const chunk = slot / S.chunk;
    auto const length = slot < S.rows ? offsets[slot + 1] - offsets[slot] : Offset{0};
    for (auto k = S.offsets[chunk] + slot % S.chunk + length * S.chunk; k < S.offsets[chunk + 1];
         k += S.chunk)
      column[k] = -1;
  }
};

/// y = A x with 32-bit offsets, which cuSPARSE is fastest with. A, x and y stay where they are.
template <class T>
class CusparseProduct {
 public:
  CusparseProduct(Cuda const& space, sparse::CsrView<T> A, Span<T const> x, Span<T> y,
                  cusparseSpMVAlg_t algorithm)
      : algorithm_(algorithm), offsets_(narrowed(space, A.offsets)) {
    cusparse_check(cusparseCreateCsr(&A_, A.rows, A.columns, static_cast<std::int64_t>(A.column.size()),
                                     offsets_.data(), const_cast<Index*>(A.column.data()),
                                     const_cast<T*>(A.value.data()), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                     CUSPARSE_INDEX_BASE_ZERO, type));
    prepare(space, x, y);
  }
  /// Sliced ELLPACK. S: of A, with all rows in order; its padding is marked.
  CusparseProduct(Cuda const& space, sparse::CsrView<T> A, sparse::Sell<T, Cuda>& S, Span<T const> x,
                  Span<T> y)
      : algorithm_(CUSPARSE_SPMV_SELL_ALG1), offsets_(narrowed(space, S.offsets.view())) {
    core::for_each(space, S.row.size(), MarkPadding<T>{S.view(), A.offsets, S.column.data()});
    cusparse_check(cusparseCreateSlicedEll(
        &A_, S.rows, S.columns, static_cast<std::int64_t>(A.column.size()),
        static_cast<std::int64_t>(S.value.size()), S.chunk, offsets_.data(), S.column.data(), S.value.data(),
        CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type));
    prepare(space, x, y);
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
  static Array<int, Cuda> narrowed(Cuda const& space, Span<Offset const> offsets) {
    auto const wide = core::to_vector(space, offsets);
    return core::to_space(space, std::vector<int>(wide.begin(), wide.end()));
  }
  void prepare(Cuda const& space, Span<T const> x, Span<T> y) {
    cusparse_check(cusparseCreate(&handle_));
    cusparse_check(cusparseSetStream(handle_, space.stream));
    cusparse_check(
        cusparseCreateDnVec(&x_, static_cast<std::int64_t>(x.size()), const_cast<T*>(x.data()), type));
    cusparse_check(cusparseCreateDnVec(&y_, static_cast<std::int64_t>(y.size()), y.data(), type));
    std::size_t bytes = 0;
    cusparse_check(cusparseSpMV_bufferSize(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, A_, x_, &zero, y_,
                                           type, algorithm_, &bytes));
    buffer_ = Array<unsigned char, Cuda>(space, bytes + 1);
    cusparse_check(cusparseSpMV_preprocess(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, A_, x_, &zero, y_,
                                           type, algorithm_, buffer_.data()));
  }

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
