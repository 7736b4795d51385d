#pragma once
/// \file
/// The hash product on CUDA: groups of threads take a row each, with their table in shared memory.
#include "sparse/spgemm.hpp"

namespace Tessera::sparse::hash {

template <class T>
Csr<T, Cuda> symbolic(Cuda const& space, CsrView<T> A, CsrView<T> B);
template <class T>
void numeric(Cuda const& space, CsrView<T> A, CsrView<T> B, Csr<T, Cuda>& C);

/// Both at once: one pass to count, one for columns and values.
template <class T>
Csr<T, Cuda> product(Cuda const& space, CsrView<T> A, CsrView<T> B);

/// The first refresh makes the plan, unless refreshes are prepared in all: those who never refresh keep
/// nothing.
template <class T>
ChainProduct<T, Cuda> chain(Cuda const& space, CsrView<T> P, Transposed<T, Cuda> const& R, CsrView<T> A,
                            CsrView<T> B, RefreshPreparation preparation);
template <class T>
void refresh_chain(Cuda const& space, CsrView<T> R, CsrView<T> A, CsrView<T> B, ChainPlan<T, Cuda>& plan,
                   Csr<T, Cuda>& C);

}  // namespace Tessera::sparse::hash
