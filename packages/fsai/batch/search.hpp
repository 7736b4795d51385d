#pragma once
/// \file
/// Breadth-first searches along a pattern, one a row.
#include "fsai/pattern.hpp"

namespace Tessera::fsai {

/// Row r has what own(r) reaches in so many steps along `filtered` without leaving {j <= own(r)}.
struct Search {
  PatternView filtered;
  OwnRows own;
  int level;
  Index most;  ///< a row that has more may end there
};

/// A back end's: run(space, search, rows), columns ascending. Rows that have more than search.most columns
/// have any columns, but more than that.
template <class Space>
struct PatternSearch;

}  // namespace Tessera::fsai

#include "fsai/batch/search_host.hpp"
#if defined(__CUDACC__)
#include "fsai/batch/search_cuda.cuh"
#endif
