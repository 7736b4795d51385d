#pragma once
/// \file
/// Selection of the entries that stay in G, and rescaling of the rows, so that g^T A g = 1 again.
#include <cmath>
#include <utility>
#include <vector>

#include "core/group.hpp"
#include "fsai/batch/gather_host.hpp"
#include "fsai/row_systems.hpp"

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

#if defined(TESSERA_CUDA_UNIT)
#include "fsai/batch/postfilter_cuda.cuh"
#endif
