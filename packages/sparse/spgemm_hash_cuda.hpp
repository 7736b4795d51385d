#pragma once
/// \file
/// The hash product on CUDA: groups of threads take a row each, with their table in shared memory.
#include "sparse/csr.hpp"

namespace Tessera::sparse::hash {

template <class T>
Csr<T, Cuda> symbolic(Cuda const& space, CsrView<T> A, CsrView<T> B);
template <class T>
void numeric(Cuda const& space, CsrView<T> A, CsrView<T> B, Csr<T, Cuda>& C);

/// Both at once: one pass to count, one for columns and values.
template <class T>
Csr<T, Cuda> product(Cuda const& space, CsrView<T> A, CsrView<T> B);

}  // namespace Tessera::sparse::hash
