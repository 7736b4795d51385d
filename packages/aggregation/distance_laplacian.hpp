#pragma once
/// \file
/// The distance Laplacian: a matrix made of the coordinates of the nodes.
#include <cfloat>
#include <functional>

#include "aggregation/couplings.hpp"
#include "aggregation/diagonal_body.hpp"
#include "aggregation/strength.hpp"
#include "comm/halo_plan.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"

namespace Tessera::aggregation {

using UserRow = std::function<GlobalIndex(Index node)>;

/// l_ij = -1 / |x_i - x_j|^2 where a_ij is more than negligible, else 0; l_ii = -sum_j l_ij. With materials K
/// the squared distance is the larger of (x_i - x_j)^T K^-1 (x_i - x_j) with K of either node, as in MueLu.
template <class Space>
struct DistanceLaplacian {
  Array<double, Space> value;     ///< on A's pattern; the diagonal entries of it are not set to l_ii but 0
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

/// The row where the sum is not finite, else none.
struct NotFiniteBody {
  double const* diagonal;
  TESSERA_HD Index operator()(Index i) const { return diagonal[i] <= DBL_MAX ? UnusableRowBody::none : i; }
};

/// Of all columns, ghosts included; columns x width, row-major. Collective.
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

/// Numbers of resistance per node, also on ranks without nodes. Collective.
inline int measures_a_node(comm::Communicator const& comm, Points const& points) {
  std::size_t const nodes = points.coordinates.size() / points.dimension;
  return static_cast<int>(
      comm.max(static_cast<GlobalIndex>(nodes == 0 ? 0 : points.resistance.size() / nodes)));
}

/// row_of: the user's number of an owned node's first row. measures: numbers a node of its resistance, the
/// same on all ranks. Collective.
/// \throws core::InvalidInput when two coupled nodes are at one place or a coordinate is not finite
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
        core::reduce(space, n, NotFiniteBody{L.diagonal.data()}, Lower{}, Index{UnusableRowBody::none});
    TESSERA_VALIDATE(i == UnusableRowBody::none, "distance Laplacian: the node of row ", row_of(i),
                     " or one coupled to it has coordinates that are not ",
                     "finite, or both are at one place (squared distances are divided by), ",
                     "correct the coordinates or choose another drop scheme");
  });
  return L;
}

}  // namespace Tessera::aggregation
