#pragma once
/// \file
/// Transposes, and new values for them.
#include "sparse/csr.hpp"

namespace Tessera::sparse {

/// A^T with ascending columns, and the position of each of its entries in A, so that new values of A need a
/// gather only.
template <class T, class Space>
struct Transposed {
  Csr<T, Space> matrix;
  Array<Index, Space> source;  ///< matrix.value[k] is A.value[source[k]]
};

/// \throws core::InvalidInput when A has 2^31 entries or more
template <class T, class Space>
Transposed<T, Space> transpose(Space const& space, CsrView<T> A);

/// New values of A on the same pattern. The values of At may have been released before.
template <class T, class Space>
void refresh_transpose(Space const& space, CsrView<T> A, Transposed<T, Space>& At);

}  // namespace Tessera::sparse
