#pragma once
/// \file
/// Slices of rows with bounded work.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "sparse/engine/row_merge/operands.hpp"

namespace Tessera::sparse {

/// A row that starts in another stretch of `length` than the row before it.
struct SliceStartBody {
  Offset const* offsets;
  Offset length;
  TESSERA_HD bool operator()(Index i) const {
    return i == 0 || offsets[i] / length != offsets[i - 1] / length;
  }
};

/// Consecutive rows and the work before the first of them.
struct RowSlice {
  Index begin, end;
  Offset work_begin, work_end;
  Index rows() const { return end - begin; }
  std::size_t work() const { return static_cast<std::size_t>(work_end - work_begin); }
};

struct GatherOffsetsBody {
  Offset const* source;
  Index const* index;
  Offset* target;
  TESSERA_HD void operator()(Index i) const { target[i] = source[index[i]]; }
};

/// Cuts rows into slices of less than `length` work, but for slices whose last row alone has more.
/// offsets: rows + 1 prefix sums of the rows' work.
template <class Space>
std::vector<RowSlice> row_slices(Space const& space, Span<Offset const> offsets, Offset length) {
  auto const rows = offsets.size() - 1;
  if (rows == 0) return {};
  auto const total = core::to_vector(space, offsets.part(rows, 1))[0];
  Array<Index, Space> first(space, static_cast<std::size_t>(std::min<Offset>(total / length + 2, rows)));
  auto const count = core::select(space, rows, SliceStartBody{offsets.data(), length}, first.span());
  Array<Offset, Space> work(space, count);
  core::for_each(space, count, GatherOffsetsBody{offsets.data(), first.data(), work.data()});
  auto const begin = core::to_vector(space, first.view().part(0, count));
  auto const work_begin = core::to_vector(space, work.view());
  std::vector<RowSlice> slices(count);
  for (std::size_t s = 0; s < count; ++s) {
    bool const last = s + 1 == count;
    slices[s] = {begin[s], last ? static_cast<Index>(rows) : begin[s + 1], work_begin[s],
                 last ? total : work_begin[s + 1]};
    TESSERA_VALIDATE(slices[s].work() < std::size_t{1} << 31, "rows ", slices[s].begin, " to ", slices[s].end,
                     " of a matrix product need ", slices[s].work(),
                     " multiplications (at most 2^31 - 1 are supported at a time); remove dense rows");
  }
  return slices;
}

/// The pieces one after the other, which are given back.
template <class T, class Space>
Array<T, Space> joined(Space const& space, std::vector<Array<T, Space>>& pieces) {
  std::size_t size = 0, at = 0;
  for (auto const& piece : pieces) size += piece.size();
  Array<T, Space> whole(space, size);
  for (auto& piece : pieces) {
    core::copy(space, piece.view(), space, whole.span().part(at, piece.size()));
    at += piece.size();
    piece = {};
  }
  return whole;
}

}  // namespace Tessera::sparse
