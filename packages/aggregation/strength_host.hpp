#pragma once
/// \file
/// The strength graph on the host, in one pass.
#include <omp.h>

#include <algorithm>
#include <vector>

#include "aggregation/strength_body.hpp"
#include "core/parallel.hpp"

namespace Tessera::aggregation {

/// Rows [begin, end): edges go to the front of neighbour and weight, offsets[i + 1] is how many there are up
/// to row i. Without branches: nobody foresees which entries are edges.
template <class Criterion>
Offset edges_of_rows(Couplings const& couplings, Criterion const& criterion, EdgeRule const& is_edge,
                     Index begin, Index end, unsigned char* __restrict strong, Offset* __restrict offsets,
                     Index* __restrict neighbour, float* __restrict weight) {
  auto const& A = couplings.A;
  Offset const* __restrict const start = A.offsets.data();
  Index const* __restrict const column = A.column.data();
  double const* __restrict const value = A.value.data();
  double const* __restrict const scale = couplings.scale;
  Offset edges = 0;
  for (Index i = begin; i < end; ++i) {
    double const scale_i = scale[i];
    for (Offset k = start[i]; k < start[i + 1]; ++k) {
      Index const j = column[k];
      double const a = value[k], scaled = std::fabs(a) * (scale_i * scale[j]);
      bool const keep = (j == i) | ((scaled > negligible) & criterion(a, scaled, i, j));
      strong[k] = keep ? 1 : 0;
      neighbour[edges] = j;
      weight[edges] = static_cast<float>(coarsely_rounded(scaled));
      edges += keep & is_edge(i, j) ? 1 : 0;
    }
    offsets[i + 1] = edges;
  }
  return edges;
}

/// Each thread takes a stretch of rows, whose edges find room where the rows' entries would; then stretches
/// move together.
template <class Criterion>
void take_edges(Host const& space, Couplings const& couplings, Criterion const& criterion,
                EdgeRule const& is_edge, StrengthGraph<Host>& graph) {
  auto const& A = couplings.A;
  auto const stretches = A.rows < core::serial_below ? 1 : omp_get_max_threads();
  auto const row_at = [&](int t) { return static_cast<Index>(std::int64_t{A.rows} * t / stretches); };
  graph.neighbour = Array<Index, Host>(space, A.column.size());
  graph.weight = Array<float, Host>(space, A.column.size());
  std::vector<Offset> edges(stretches);
#pragma omp parallel for schedule(static, 1) if (stretches > 1)
  for (int t = 0; t < stretches; ++t) {
    auto const begin = row_at(t);
    auto const room = A.offsets[begin];
    edges[t] = edges_of_rows(couplings, criterion, is_edge, begin, row_at(t + 1), graph.strong.data(),
                             graph.offsets.data(), graph.neighbour.data() + room, graph.weight.data() + room);
  }
  Offset before = 0;
  graph.offsets[0] = 0;
  for (int t = 0; t < stretches; ++t) {
    auto const begin = row_at(t), end = row_at(t + 1);
    auto const room = A.offsets[begin];
    if (before < room) {
      std::copy_n(graph.neighbour.data() + room, edges[t], graph.neighbour.data() + before);
      std::copy_n(graph.weight.data() + room, edges[t], graph.weight.data() + before);
    }
    if (before > 0) {
      for (Index i = begin; i < end; ++i) graph.offsets[i + 1] += before;
    }
    before += edges[t];
  }
}

}  // namespace Tessera::aggregation
