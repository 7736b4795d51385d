#pragma once
/// \file
/// Measures of couplings: their size relative to the diagonal, the cut of a row at the first gap between
/// sizes, and the distance Laplacian.
#include <cfloat>
#include <cmath>
#include <functional>

#include "aggregation/coarse_rounding.hpp"
#include "aggregation/diagonal_body.hpp"
#include "aggregation/strength.hpp"
#include "comm/halo_plan.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "sparse/csr.hpp"

namespace Tessera::aggregation {

/// The scale 1 / sqrt(a_ii); 0 for a diagonal entry of 0, whose row has no couplings.
struct ScaleBody {
  double const* diagonal;
  double* scale;
  TESSERA_HD void operator()(Index i) const {
    scale[i] = diagonal[i] > 0.0 ? 1.0 / std::sqrt(diagonal[i]) : 0.0;
  }
};

/// A matrix with one row per node, and the scale of each of its columns, ghosts included. A scale may be
/// negative (see MarkedScaleBody).
struct Couplings {
  sparse::CsrView<double> A;
  double const* scale;
  /// |a_ij| / sqrt(a_ii a_jj), bitwise the same from either end.
  TESSERA_HD double scaled(Index i, Offset k) const {
    return std::fabs(A.value[k] * (scale[i] * scale[A.column[k]]));
  }
};

/// The cut of a row, as in MueLu's `cut-drop`. Sort the sizes |a_ij| / sqrt(a_ii a_jj) of the row in
/// descending order. The first gap precedes the first size below theta times its predecessor, and the cut is
/// this predecessor. It is infinite if the row has no couplings. The search does not sort. From each size it
/// steps to the smallest size that is at least theta times as large. Two steps together reach a size below
/// theta times the first one. So a small theta needs few steps, and a theta near 1 at most one step per
/// coupling. All sizes are coarsely rounded.
struct CutBody {
  Couplings couplings;
  double theta;  ///< coarsely rounded, at most 1
  double* cut;   ///< of each owned node
  TESSERA_HD double smallest_of(Index i, double least) const {
    double smallest = HUGE_VAL;
    auto const& A = couplings.A;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      double const scaled = couplings.scaled(i, k);
      if (A.column[k] == i || !(scaled > negligible)) continue;
      double const size = coarsely_rounded(scaled);
      if (size >= least && size < smallest) smallest = size;
    }
    return smallest;
  }
  TESSERA_HD void operator()(Index i) const {
    double reached = 0.0;
    auto const& A = couplings.A;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      double const scaled = couplings.scaled(i, k);
      if (A.column[k] != i && scaled > negligible && coarsely_rounded(scaled) > reached)
        reached = coarsely_rounded(scaled);
    }
    for (double before = 0.0; before != reached;) {
      before = reached;
      reached = smallest_of(i, coarsely_rounded(theta * before));
    }
    cut[i] = reached > 0.0 ? reached : HUGE_VAL;
  }
};

/// A coupling is strong if either of its rows keeps it.
struct AboveTheCut {
  double const* cut;
  TESSERA_HD bool by_row(double, double scaled, Index i) const { return coarsely_rounded(scaled) >= cut[i]; }
  TESSERA_HD bool operator()(double a, double scaled, Index i, Index j) const {
    return by_row(a, scaled, i) | by_row(a, scaled, j);
  }
};

using UserRow = std::function<GlobalIndex(Index node)>;

/// l_ij = -1 / |x_i - x_j|^2 if a_ij is more than negligible, else 0; l_ii = -sum_j l_ij. With materials K
/// the squared distance is the larger of (x_i - x_j)^T K^-1 (x_i - x_j) for the K of both nodes, as in MueLu.
template <class Space>
struct DistanceLaplacian {
  Array<double, Space> value;     ///< on A's pattern, with 0 on the diagonal
  Array<double, Space> diagonal;  ///< l_ii of the owned nodes
};

struct DistanceLaplacianBody {
  Couplings couplings;
  double const* position;  ///< columns x dimension
  int dimension;
  double const* resistance;  ///< columns x measures: 0 without materials, 1, or dimension^2
  int measures;
  double *value, *diagonal;
  TESSERA_HD double difference(Index i, Index j, int d) const {
    return position[static_cast<std::size_t>(i) * dimension + d] -
           position[static_cast<std::size_t>(j) * dimension + d];
  }
  TESSERA_HD double by_tensor(double const* inverse, Index i, Index j) const {
    double sum = 0.0;
    for (int d = 0; d < dimension; ++d) {
      for (int e = 0; e < dimension; ++e)
        sum += inverse[d * dimension + e] * (difference(i, j, d) * difference(i, j, e));
    }
    return sum;
  }
  TESSERA_HD double squared_distance(Index i, Index j) const {
    auto const* of_i = resistance + static_cast<std::size_t>(i) * measures;
    auto const* of_j = resistance + static_cast<std::size_t>(j) * measures;
    if (measures > 1) return core::Max{}(by_tensor(of_i, i, j), by_tensor(of_j, i, j));
    double sum = 0.0;
    for (int d = 0; d < dimension; ++d) sum += difference(i, j, d) * difference(i, j, d);
    return measures == 1 ? sum * core::Max{}(*of_i, *of_j) : sum;
  }
  TESSERA_HD void operator()(Index i) const {
    double sum = 0.0;
    for (Offset k = couplings.A.offsets[i]; k < couplings.A.offsets[i + 1]; ++k) {
      Index const j = couplings.A.column[k];
      bool const coupled = j != i && couplings.scaled(i, k) > negligible;
      double const inverse = coupled ? 1.0 / squared_distance(i, j) : 0.0;
      value[k] = -inverse;
      sum += inverse;
    }
    diagonal[i] = sum;
  }
};

/// The row if its sum is not finite, else none.
struct NotFiniteBody {
  double const* diagonal;
  TESSERA_HD Index operator()(Index i) const { return diagonal[i] <= DBL_MAX ? UnusableRowBody::none : i; }
};

/// The values of all columns, ghosts included; columns x width, row-major. Collective.
template <class Space>
Array<double, Space> of_all_columns(Space const& space, comm::HaloPlan<Space> const& halo,
                                    Span<double const> owned, int width) {
  auto const ghosts = static_cast<std::size_t>(halo.ghost_count()) * width;
  Array<double, Space> all(space, owned.size() + ghosts);
  core::copy(space, owned, space, all.span().part(0, owned.size()));
  halo.template exchange<double>(space, all.span().part(0, owned.size()),
                                 all.span().part(owned.size(), ghosts), width);
  return all;
}

/// How many numbers the resistance of a node has, the same on all ranks. Collective.
inline int measures_per_node(comm::Communicator const& comm, Points const& points) {
  std::size_t const nodes = points.coordinates.size() / points.dimension;
  return static_cast<int>(
      comm.max(static_cast<GlobalIndex>(nodes == 0 ? 0 : points.resistance.size() / nodes)));
}

/// row_of: the user's number of an owned node's first row. measures: see measures_per_node. Collective.
/// \throws core::InvalidInput if two coupled nodes have equal coordinates or a coordinate is not finite
template <class Space>
DistanceLaplacian<Space> distance_laplacian(Space const& space, Couplings const& couplings,
                                            comm::HaloPlan<Space> const& halo, Points const& points,
                                            int measures, UserRow const& row_of) {
  auto const n = static_cast<std::size_t>(couplings.A.rows);
  auto const position = of_all_columns(space, halo, points.coordinates, points.dimension);
  Array<double, Space> resistance;
  if (measures > 0) resistance = of_all_columns(space, halo, points.resistance, measures);
  DistanceLaplacian<Space> L{Array<double, Space>(space, couplings.A.value.size()),
                             Array<double, Space>(space, n)};
  core::for_each(space, n,
                 DistanceLaplacianBody{couplings, position.data(), points.dimension, resistance.data(),
                                       measures, L.value.data(), L.diagonal.data()});
  comm::agree_on_errors(halo.distribution().comm(), [&] {
    Index const i =
        core::reduce(space, n, NotFiniteBody{L.diagonal.data()}, Smaller{}, Index{UnusableRowBody::none});
    TESSERA_VALIDATE(i == UnusableRowBody::none, "distance Laplacian: the node of row ", row_of(i),
                     " or one coupled to it has coordinates that are not ",
                     "finite, or both are at one place (squared distances are divided by), ",
                     "correct the coordinates or choose another drop scheme");
  });
  return L;
}

}  // namespace Tessera::aggregation
