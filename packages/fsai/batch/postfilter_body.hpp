#pragma once
/// \file
/// Selection of the entries that stay in G, and rescaling of the rows.
#include <cmath>

#include "core/group.hpp"
#include "fsai/batch/rescaling.hpp"

namespace Tessera::fsai {

/// Marks the entries that stay. Lanes compute squares, and a row's sum adds them in the pattern's order.
struct MarkBody {
  PatternView pattern;
  double delta;
  Span<double const> diagonal;  ///< of A, for the energy norm, else empty
  Span<double const> value;
  Span<unsigned char> keep;
  Span<Index> kept;
  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index r) const {
    auto const begin = pattern.offsets[r], end = pattern.offsets[r + 1];
    double const least = diagonal.empty() ? delta * norm(group, begin, end) : delta * delta;
    Index count = 0;
    for (Offset k = begin + group.lane; k < end; k += Group::size) {
      double const g = value[k];
      double const size = diagonal.empty() ? std::fabs(g) : g * g * diagonal[pattern.column[k]];
      bool const stays = k + 1 == end || size > least;
      keep[k] = stays ? 1 : 0;
      count += stays ? 1 : 0;
    }
    count = group.sum(count);
    if (group.lane == 0) kept[r] = count;
  }

 private:
  template <class Group>
  TESSERA_HD double norm(Group const& group, Offset begin, Offset end) const {
    double squares = 0;
    for (auto first = begin; first < end; first += Group::size) {
      auto const k = first + group.lane;
      double const g = k < end ? value[k] : 0.0, square = g * g;
      for (int l = 0; l < Group::size && first + l < end; ++l) squares = squares + group.broadcast(square, l);
    }
    return std::sqrt(squares);
  }
};

template <class Space>
void postfilter(Space const& space, LowerRows const& rows, PatternView pattern, double delta,
                PostfilterNorm norm, Span<double> value, Span<unsigned char> keep, Span<Index> kept) {
  Array<double, Space> diagonal;
  if (norm == PostfilterNorm::energy) {
    diagonal = Array<double, Space>(space, rows.A.rows);
    sparse::extract_diagonal(space, rows.A, diagonal.span());
  }
  constexpr std::size_t lanes = 8;
  core::for_each_group(space, pattern.rows, lanes * pattern.rows,
                       MarkBody{pattern, delta, diagonal.view(), value, keep, kept});
  rescale(space, rows, pattern, Span<unsigned char const>(keep), value);
}

template <class Space>
void rescale(Space const& space, LowerRows const& rows, PatternView pattern, Span<unsigned char const> keep,
             Span<double> value) {
  Rescaling<Space>::run(space, rows, pattern, keep, value);
}

}  // namespace Tessera::fsai
