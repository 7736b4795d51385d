#pragma once
/// \file
/// The strength graph on the host, in one pass.
#include <omp.h>

#include <algorithm>
#include <vector>

#include "aggregation/strength_body.hpp"
#include "core/parallel.hpp"

namespace Tessera::aggregation {

/// Entries of some rows, one after the other, whose couplings are worked out side by side: rows end too often
/// for that.
struct EntryPiece {
  static constexpr Offset most = 1024;
  Index row[most];
  float weight[most];
  unsigned char is_edge[most];  ///< but for Dirichlet vertices
};

/// Entries [first, last), of the rows from `row` on; the row of the last one.
inline Index rows_of_piece(Span<Offset const> offsets, Index row, Offset first, Offset last,
                           EntryPiece& piece) {
  for (auto k = first; k < last; ++row) {
    auto const end = std::min(offsets[row + 1], last);
    for (; k < end; ++k) piece.row[k - first] = row;
  }
  return row;
}

/// What is strong in a piece, and weights.
template <class Criterion>
void decide_piece(Couplings const couplings, Criterion const criterion, Index columns, Offset first,
                  Offset count, unsigned char* __restrict strong, EntryPiece& piece) {
  Index const* __restrict const column = couplings.A.column.data() + first;
  double const* __restrict const value = couplings.A.value.data() + first;
  double const* __restrict const scale = couplings.scale;
  Index const* __restrict const row = piece.row;
  float* __restrict const weight = piece.weight;
  unsigned char* __restrict const is_edge = piece.is_edge;
  for (Offset t = 0; t < count; ++t) {
    Index const i = row[t], j = column[t];
    double const a = value[t], scaled = std::fabs(a) * (scale[i] * scale[j]);
    bool const keep = (j == i) | ((scaled > negligible) & criterion(a, scaled, i, j));
    strong[t] = keep ? 1 : 0;
    weight[t] = static_cast<float>(coarsely_rounded(scaled));
    is_edge[t] = keep & (j != i) & (j < columns) ? 1 : 0;
  }
}

/// Rows [begin, end): edges go to the front of neighbour and weight, offsets[i + 1] is how many there are up
/// to row i. Without branches: nobody foresees which entries are edges.
template <class Criterion>
Offset edges_of_rows(Couplings const& couplings, Criterion const& criterion, EdgeRule const& rule,
                     Index begin, Index end, unsigned char* __restrict strong, Offset* __restrict offsets,
                     Index* __restrict neighbour, float* __restrict weight) {
  auto const& start = couplings.A.offsets;
  Index const* const column = couplings.A.column.data();
  unsigned char const* const dirichlet = rule.dirichlet;
  EntryPiece piece;
  Offset edges = 0;
  auto row = begin;
  for (auto first = start[begin], last = first; last < start[end]; first = last) {
    last = std::min(first + EntryPiece::most, start[end]);
    rows_of_piece(start, row, first, last, piece);
    decide_piece(couplings, criterion, rule.columns, first, last - first, strong + first, piece);
    for (auto k = first; k < last; ++row) {
      auto const stop = std::min(start[row + 1], last);
      for (; k < stop; ++k) {
        auto const t = k - first;
        neighbour[edges] = column[k];
        weight[edges] = piece.weight[t];
        edges += piece.is_edge[t] & ((dirichlet[row] | dirichlet[column[k]]) ^ 1);
      }
      if (stop < start[row + 1]) break;  // the rest is in the next piece
      offsets[row + 1] = edges;
    }
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
