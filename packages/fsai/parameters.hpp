#pragma once
/// \file
/// What a factored sparse approximate inverse can be told. src/parameters fills this from XML.
#include <cstddef>

namespace Tessera::fsai {

/// Largest row that any back end factorises.
inline constexpr int largest_row = 1024;

/// In which order of the rows G is lower triangular.
enum class Ordering {
  natural,
  random  ///< 64 classes drawn by the rows' global numbers, one after another, each in natural order
};

/// How large an entry of a row of G is, beside what is dropped.
enum class PostfilterNorm {
  euclidean,  ///< |g_ij| over ||g_i||_2 (Bernaschi et al. 2016, eq. (3.11))
  energy      ///< |g_ij| ||e_j||_A over ||g_i||_A, which is 1
};

struct Parameters {
  int factors = 1;  ///< 2: G is a product; needs the random ordering
  Ordering ordering = Ordering::natural;
  int pattern_level = 3;     ///< k: the pattern is that of Low(Low(Low(I F) F) ...), k times
  double prefilter = 0.07;   ///< tau: F is A without entries |a_ij| <= tau sqrt(a_ii a_jj)
  double postfilter = 0.03;  ///< delta: entries of at most this size leave G
  PostfilterNorm postfilter_norm = PostfilterNorm::euclidean;
  int max_row_size =
      0;  ///< entries that a row of the pattern may have, at most largest_row; 0: row_bound.hpp
  int adaptive_steps = 0;  ///< how often rows grow after the static pattern
  int adaptive_step_size =
      8;  ///< entries a row grows by in one step, or by half of its own if those are more
  double adaptive_tolerance = 1e-3;  ///< an entry joins when it alone lowers its row's Kaporin number by more
  int ghost_depth = -1;  ///< steps that patterns may reach into other ranks; -1: as many as there are
  std::size_t workspace = std::size_t{256} << 20;  ///< bytes for dense systems at a time
};

}  // namespace Tessera::fsai
