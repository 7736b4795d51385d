#pragma once
/// \file
/// The hash product on the host: each thread keeps one table and takes blocks of rows as it comes free.
#include "sparse/csr.hpp"

namespace Tessera::sparse::hash {

template <class T>
Csr<T, Host> symbolic(Host const& space, CsrView<T> A, CsrView<T> B);
template <class T>
void numeric(Host const& space, CsrView<T> A, CsrView<T> B, Csr<T, Host>& C);

}  // namespace Tessera::sparse::hash
