#pragma once
/// \file
/// Breadth-first searches along a pattern, one a row.
#include "fsai/pattern.hpp"

namespace Tessera::fsai {

/// Row r has what own(r) reaches in so many steps along `filtered` without leaving {j <= own(r)}; where that
/// are more than `most` columns, what the largest number of steps reaches that come to at most so many.
struct Search {
  PatternView filtered;
  OwnRows own;
  int level;
  Index most;                    ///< at most largest_row
  Span<unsigned char> cut = {};  ///< 1 for rows that have fewer steps, else 0; empty: nobody asks
};

/// A back end's: run(space, search, rows), columns ascending.
template <class Space>
struct PatternSearch;

}  // namespace Tessera::fsai

#include "fsai/batch/search_host.hpp"
#if defined(TESSERA_CUDA_UNIT)
#include "fsai/batch/search_cuda.cuh"
#endif
