#pragma once
/// \file
/// The filtered diagonal on CUDA, entry by entry.
#include "galerkin/filter_body.hpp"
#include "sparse/row_pass_cuda.cuh"

namespace Tessera::galerkin {

template <class Body>
struct StagedFilter {
  struct Entry {
    double value;
    Index column;
    bool strong;
  };
  Body body;
  __device__ Entry load(Offset k) const {
    auto const& A = body.entries.A;
    return {A.value[k], A.column[k], body.entries.is_strong(k)};
  }
  __device__ FilteredRow start(Index row) const { return {row, body.filters(row)}; }
  __device__ void add(FilteredRow& row, Entry const& entry) const {
    row.add(entry.value, entry.column, entry.strong);
  }
  __device__ void finish(Index, FilteredRow const& row) const { body.finish(row); }
};

template <class Body>
void filter_rows(Cuda const& space, Index rows, Body const& body) {
  auto const& A = body.entries.A;
  sparse::for_each_row_pass(space, A.offsets, rows, A.value.size(), StagedFilter<Body>{body});
}

}  // namespace Tessera::galerkin
