#pragma once
/// \file
/// Positions outside a pattern where its rows gain most.
#include "fsai/growth.hpp"

namespace Tessera::fsai {

/// What rows are grown from, and where the columns go that they gain, in any order: those of row r from
/// picked[first[r]] on, where there is room for as many as the rule allows; added[r]: how many they are.
struct GrowthTask {
  LowerRows rows;
  PatternView pattern;
  Span<double const> value, diagonal;
  Span<unsigned char const> active;
  GrowthRule rule;
  Span<Offset const> first;
  Span<Index> picked, added;
  /// Of row r.
  TESSERA_HD Index room(Index r) const { return active[r] != 0 ? rule.room(pattern.size(r)) : 0; }
  /// Columns from this one on are none of row r's.
  TESSERA_HD Index end(Index r) const {
    auto const i = pattern.column[pattern.offsets[r + 1] - 1];
    return i < rows.columns ? i : rows.columns;
  }
};

/// A back end's: run(space, task).
template <class Space>
struct GrowthSearch;

}  // namespace Tessera::fsai

#include "fsai/batch/growth_search_host.hpp"
#if defined(TESSERA_CUDA_UNIT)
#include "fsai/batch/growth_search_cuda.cuh"
#endif
