#pragma once
/// \file
/// Transposes that can be refreshed.
#include "sparse/csr.hpp"

namespace Tessera::sparse {

/// A^T (columns sorted, since A's rows come in order) and where each of its entries stands in A, so that new
/// values of A need a gather only.
template <class T, class Space>
struct Transposed {
  Csr<T, Space> matrix;
  Array<Index, Space> source;  ///< matrix.value[k] is A.value[source[k]]
};

/// \throws core::InvalidInput when A has 2^31 entries or more
template <class T, class Space>
Transposed<T, Space> transpose(Space const& space, CsrView<T> A);

/// New values of A, same pattern. At.matrix.value may have been given back in between.
template <class T, class Space>
void refresh_transpose(Space const& space, CsrView<T> A, Transposed<T, Space>& At);

}  // namespace Tessera::sparse
