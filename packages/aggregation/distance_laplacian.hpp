#pragma once
/// \file
/// A matrix that knows where the nodes are and nothing else.
#include <cfloat>
#include <functional>

#include "aggregation/couplings.hpp"
#include "aggregation/diagonal_body.hpp"
#include "comm/halo_plan.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"

namespace Tessera::aggregation {

using UserRow = std::function<GlobalIndex(Index node)>;

/// l_ij = -1 / |x_i - x_j|^2 where a_ij is more than negligible, else 0; l_ii = -sum_j l_ij.
template <class Space>
struct DistanceLaplacian {
  Array<double, Space> value;     ///< on A's pattern; the diagonal entries of it are not set to l_ii but 0
  Array<double, Space> diagonal;  ///< l_ii of the owned nodes
};

struct DistanceLaplacianBody {
  Couplings couplings;
  double const* position;  ///< columns x dimension
  int dimension;
  double *value, *diagonal;
  TESSERA_HD double squared_distance(Index i, Index j) const {
    double sum = 0.0;
    for (int d = 0; d < dimension; ++d) {
      double const difference = position[static_cast<std::size_t>(i) * dimension + d] -
                                position[static_cast<std::size_t>(j) * dimension + d];
      sum += difference * difference;
    }
    return sum;
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

/// coordinates: owned nodes x dimension, row-major. row_of: the user's number of an owned node's first row.
/// Collective.
/// \throws core::InvalidInput when two coupled nodes are at one place or a coordinate is not finite
template <class Space>
DistanceLaplacian<Space> distance_laplacian(Space const& space, Couplings const& couplings,
                                            comm::HaloPlan<Space> const& halo, Span<double const> coordinates,
                                            int dimension, UserRow const& row_of) {
  auto const n = static_cast<std::size_t>(couplings.A.rows);
  auto const ghosts = static_cast<std::size_t>(halo.ghost_count());
  Array<double, Space> position(space, (n + ghosts) * dimension);
  core::copy(space, coordinates, space, position.span());
  halo.template exchange<double>(space, position.span().part(0, n * dimension),
                                 position.span().part(n * dimension, ghosts * dimension), dimension);

  DistanceLaplacian<Space> L{Array<double, Space>(space, couplings.A.value.size()),
                             Array<double, Space>(space, n)};
  core::for_each(
      space, n,
      DistanceLaplacianBody{couplings, position.data(), dimension, L.value.data(), L.diagonal.data()});
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
