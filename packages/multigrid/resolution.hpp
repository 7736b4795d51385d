#pragma once
/// \file
/// Whether levels in float resolve what couples a level's parts.
#include <cfloat>
#include <cmath>

#include "comm/dist_csr.hpp"
#include "core/parallel.hpp"
#include "multigrid/parameters.hpp"
#include "sparse/engine/row_reduce.hpp"

namespace Tessera::multigrid {

/// A cycle in float has errors of its unit of rounding in the energy of all that it adds up. Where that is
/// more than the energy of some part, such as a square whose neighbours conduct 1e7 times worse, a V-cycle
/// takes a few more iterations, and a K-cycle many. Whatever applies an error's operator twice (W- and
/// F-cycles, several cycles, compositions) becomes indefinite.
constexpr double resolved_by_float = FLT_EPSILON;
/// Entries below this share of their diagonal's are rounding errors of the assembly, not couplings.
constexpr double least_coupling_share = 1e-14;

/// Whether the preconditioner applies an error's operator twice.
inline bool applies_twice(Parameters const& p) {
  return p.cycle == CycleType::W || p.cycle == CycleType::F || p.applications > 1 ||
         p.bootstrap.components > 1;
}

/// By +=, the least.
struct LeastShare {
  double least = HUGE_VAL;
  TESSERA_HD LeastShare& operator+=(LeastShare const& other) {
    if (other.least < least) least = other.least;
    return *this;
  }
};

struct ShareOfDiagonal {
  double const* diagonal;
  TESSERA_HD LeastShare operator()(Index i, Offset, double a, Index) const {
    double const share = fabs(a) / diagonal[i];
    return {share >= least_coupling_share ? share : HUGE_VAL};
  }
};

/// 1 / least.
struct StoreInverseShare {
  double* inverse;
  TESSERA_HD void operator()(Index i, LeastShare const& share) const { inverse[i] = 1 / share.least; }
};

struct TakeNumber {
  double const* of_row;
  TESSERA_HD double operator()(Index i) const { return of_row[i]; }
};

/// The least share that a coupling has of its row's diagonal entry, which is positive. Collective.
template <class Space>
double weakest_coupling(Space const& space, comm::DistCsr<double, Space> const& A,
                        Span<double const> diagonal) {
  Array<double, Space> inverse(space, diagonal.size());
  sparse::row_reduce(space, A.local.view(), ShareOfDiagonal{diagonal.data()},
                     StoreInverseShare{inverse.data()});
  double const largest = core::reduce(space, diagonal.size(), TakeNumber{inverse.data()}, core::Max{}, 0.0);
  return 1 / A.rows.comm().max(largest);
}

}  // namespace Tessera::multigrid
