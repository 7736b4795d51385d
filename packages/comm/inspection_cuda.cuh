#pragma once
/// \file
/// The inspection on CUDA, entry by entry. What a row adds to the reduction is written down first.
#include "comm/inspection_body.hpp"
#include "sparse/row_pass_cuda.cuh"

namespace Tessera::comm {

struct StagedInspection {
  struct Entry {
    double value;
    Index column;
  };
  InspectBody of;
  RowFindings* found;
  __device__ Entry load(Offset k) const { return {of.A.value[k], of.A.column[k]}; }
  __device__ InspectBody::Row start(Index row) const { return of.start(row); }
  __device__ void add(InspectBody::Row& row, Entry const& entry) const {
    of.add(row, entry.value, entry.column);
  }
  __device__ void finish(Index i, InspectBody::Row const& row) const { found[i] = of.finish(row); }
};

inline RowFindings inspect_rows(Cuda const& space, Index rows, InspectBody const& body) {
  Array<RowFindings, Cuda> found(space, rows);
  sparse::for_each_row_pass(space, body.A.offsets, rows, body.A.value.size(),
                            StagedInspection{body, found.data()});
  return core::reduce(space, rows, core::fixed_tree::Load<RowFindings>{found.data()}, JoinFindings{},
                      RowFindings{});
}

}  // namespace Tessera::comm
