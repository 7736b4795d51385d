#pragma once
/// \file
/// The pattern of a transpose, and where its entries come from.
#include "sparse/transpose.hpp"

namespace Tessera::sparse {

/// Declared for each back end by its own header; one that is missing does not compile.
template <class Space>
struct TransposePattern;

/// Offsets, columns and sources of At, which are allocated.
template <class T, class Space>
void transpose_pattern(Space const& space, CsrView<T> A, Transposed<T, Space>& At) {
  TransposePattern<Space>::run(space, A, At);
}

}  // namespace Tessera::sparse

#include "sparse/engine/transpose_pattern_host.hpp"
#if defined(__CUDACC__)
#include "sparse/engine/transpose_pattern_cuda.cuh"
#endif
