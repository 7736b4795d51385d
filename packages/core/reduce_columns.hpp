#pragma once
/// \file
/// reduce_into for blocks of vectors: a sum of each column.
///
///     reduce_columns_into(space, n, body, finish, scratch)
///
/// body(i) does row i of all columns and is a SumPack with all their sums: so a host, whose registers hold
/// several numbers, takes a row. body.column(c)(i) does row i of column c and is its sum, a number or a
/// struct of them: so a GPU takes it, four columns side by side, 32 bytes of a row. Body::k: the columns, a
/// multiple of four on a GPU. Then finish(sums), or finish.column(c)(sum of column c) for each. Both add up
/// in the tree of reduce_into, so that a column's sum is bitwise what a vector's is.
///
/// Nothing is allocated, nothing synchronised; one launch on CUDA. scratch: of as many bytes a value as all
/// sums have.
#include "core/reduce_into.hpp"
#include "core/sum_pack.hpp"

namespace Tessera::core {

template <class Body, class Finish>
void reduce_columns_into(Host const& space, std::size_t n, Body const& body, Finish const& finish,
                         ReduceScratch<Host>& scratch) {
  using Sum = decltype(body(Index{}));
  reduce_into(space, n, body, Plus{}, Sum{}, finish, scratch);
}

}  // namespace Tessera::core

#if defined(TESSERA_CUDA_UNIT)
#include "core/reduce_columns_cuda.cuh"
#endif
