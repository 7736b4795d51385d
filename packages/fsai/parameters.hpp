#pragma once
/// \file
/// What a factored sparse approximate inverse can be told. src/parameters fills this from XML.
#include <cstddef>

namespace Tessera::fsai {

/// Largest row that any back end factorises.
inline constexpr int largest_row = 1024;

struct Parameters {
  int pattern_level = 3;       ///< k: the pattern is that of Low(Low(Low(I F) F) ...), k times
  double prefilter = 0.07;     ///< tau: F is A without entries |a_ij| <= tau sqrt(a_ii a_jj)
  double postfilter = 0.03;    ///< delta: entries |g_ij| <= delta ||g_i||_2 leave G
  int max_row_size = 1024;     ///< entries that a row of the pattern may have, at most largest_row
  int adaptive_steps = 0;      ///< how often rows grow after the static pattern
  int adaptive_step_size = 4;  ///< entries a row grows by in one step
  double adaptive_tolerance =
      1e-3;              ///< a row stops when a step lowers its Kaporin number by less, relatively
  int ghost_depth = -1;  ///< steps that patterns may reach into other ranks; -1: as many as there are
  std::size_t workspace = std::size_t{256} << 20;  ///< bytes for dense systems at a time
};

}  // namespace Tessera::fsai
