#pragma once
/// \file
/// Rescaling of rows after dropped entries, so that g^T A g = 1 again.
#include <cmath>
#include <utility>
#include <vector>

#include "fsai/batch/gather_host.hpp"
#include "fsai/postfilter.hpp"

namespace Tessera::fsai {

/// Rescaling of a back end: run(space, rows, pattern, keep, value), see rescale.
template <class Space>
struct Rescaling;

namespace detail {

/// The rows of one thread.
template <class Places>
struct RowScaling {
  PatternView pattern;
  Span<unsigned char const> keep;
  Span<double> value;
  Gather<Places> gather;
  std::vector<Index> dropped;
  std::vector<double> epsilon;

  void operator()(Index begin, Index end) {
    for (Index r = begin; r < end; ++r) scale(r);
  }

 private:
  void scale(Index r) {
    dropped.clear();
    epsilon.clear();
    for (Offset k = pattern.offsets[r]; k < pattern.offsets[r + 1]; ++k) {
      if (keep[k] != 0) continue;
      dropped.push_back(pattern.column[k]);
      epsilon.push_back(value[k]);
    }
    if (dropped.empty()) return;
    double energy = 0, product = 0;
    Index row = 0;
    gather(r, {dropped.data(), dropped.size()}, false, [&](Index a, Index b, double a_ab) {
      if (a != row) energy += epsilon[row] * std::exchange(product, 0.0);
      row = a;
      product += a_ab * epsilon[b];
    });
    energy += epsilon[row] * product;
    double const factor = 1.0 / std::sqrt(1.0 + energy);
    for (Offset k = pattern.offsets[r]; k < pattern.offsets[r + 1]; ++k) {
      if (keep[k] != 0) value[k] *= factor;
    }
  }
};

}  // namespace detail

template <>
struct Rescaling<Host> {
  static void run(Host const&, LowerRows const& rows, PatternView pattern, Span<unsigned char const> keep,
                  Span<double> value) {
    with_places(rows.A.columns, [&](auto* places) {
      using Places = std::remove_pointer_t<decltype(places)>;
      sparse::for_row_blocks(pattern.rows, [&] {
        return detail::RowScaling<Places>{pattern, keep, value, Gather<Places>(rows.A), {}, {}};
      });
    });
  }
};

}  // namespace Tessera::fsai

#if defined(TESSERA_CUDA_UNIT)
#include "fsai/batch/rescaling_cuda.cuh"
#endif
