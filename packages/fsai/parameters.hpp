#pragma once
/// \file
/// Parameters of a factored sparse approximate inverse; src/parameters fills them from XML.
#include <cstddef>

namespace Tessera::fsai {

/// Largest number of entries of a row that every back end can factorise.
inline constexpr int largest_row = 1024;

/// Order of the rows in which G is lower triangular.
enum class Ordering {
  natural,
  random  ///< 64 classes, assigned by a hash of the global index; natural order within a class
};

/// Size of an entry of a row of G, compared with the tolerance of the postfilter.
enum class PostfilterNorm {
  euclidean,  ///< |g_ij| / ||g_i||_2 (Bernaschi et al. 2016, eq. (3.11))
  energy      ///< |g_ij| ||e_j||_A / ||g_i||_A, where ||g_i||_A = 1
};

struct Parameters {
  int factors = 1;  ///< 2: G is the product of two factors, and the ordering is random
  Ordering ordering = Ordering::natural;
  int pattern_level = 3;     ///< k: the pattern is Low(Low(Low(I F) F) ...) with k factors F
  double prefilter = 0.07;   ///< tau: F is A without entries |a_ij| <= tau sqrt(a_ii a_jj)
  double postfilter = 0.03;  ///< delta: entries of at most this size are dropped from G
  PostfilterNorm postfilter_norm = PostfilterNorm::euclidean;
  int max_row_size = 0;  ///< largest size of a pattern row, at most largest_row; 0: automatic (cut_rows.hpp)
  int adaptive_steps = 0;      ///< growth steps after the static pattern
  int adaptive_step_size = 8;  ///< entries that a row gains in a step, or half of its size if that is larger
  double adaptive_tolerance = 1e-3;  ///< least decrease of a row's Kaporin number by one new entry
  int ghost_depth = -1;              ///< largest number of steps into the rows of other ranks; -1: no limit
  std::size_t workspace = std::size_t{256} << 20;  ///< memory of dense systems at one time in bytes
};

}  // namespace Tessera::fsai
