#pragma once
/// \file
/// The hash product on the host: each thread keeps one table and takes blocks of rows as it comes free.
#include "sparse/spgemm.hpp"

namespace Tessera::sparse::hash {

template <class T>
Csr<T, Host> symbolic(Host const& space, CsrView<T> A, CsrView<T> B);
template <class T>
void numeric(Host const& space, CsrView<T> A, CsrView<T> B, Csr<T, Host>& C);
/// Both at once: pattern and values in one pass.
template <class T>
Csr<T, Host> product(Host const& space, CsrView<T> A, CsrView<T> B);
template <class T>
ChainProduct<T, Host> chain(Host const& space, CsrView<T> P, Transposed<T, Host> const& R, CsrView<T> A,
                            CsrView<T> B, RefreshPreparation preparation);
template <class T>
void refresh_chain(Host const& space, CsrView<T> P, Transposed<T, Host>& R, CsrView<T> A, CsrView<T> B,
                   ChainPlan<T, Host>& plan, Csr<T, Host>& C);

}  // namespace Tessera::sparse::hash
