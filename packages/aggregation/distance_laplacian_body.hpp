#pragma once
/// \file
/// See distance_laplacian.hpp.
#include <cfloat>
#include <climits>

#include "aggregation/diagonal_body.hpp"
#include "aggregation/distance_laplacian.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"

namespace Tessera::aggregation {

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

template <class Space>
DistanceLaplacian<Space> distance_laplacian(Space const& space, Couplings const& couplings,
                                            comm::HaloPlan<Space> const& halo, Span<double const> coordinates,
                                            int dimension, NodeName const& row_of) {
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
  comm::together(halo.distribution().comm(), [&] {
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
