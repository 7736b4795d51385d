#pragma once
/// \file
/// Scales of the diagonals of coarse matrices.
#include "comm/halo_plan.hpp"
#include "core/parallel.hpp"
#include "galerkin/aggregate_map.hpp"
#include "sparse/engine/row_reduce.hpp"

namespace Tessera::galerkin {

/// The scale of a finest row is its diagonal entry; that of a coarse row is s_I = sum over i of P_iI^2 s_i.
/// Relative errors of the finest matrix's entries cause errors in the coarse diagonal of a few times these
/// errors times s_I, because |a_ij|^2 <= a_ii a_jj for a semidefinite A. If a diagonal entry is no larger
/// than such an error, the finest matrix cannot be distinguished from a singular one in that vertex, on any
/// number of levels.
template <class Space>
struct Scales {
  double const* fine = nullptr;  ///< of the fine rows
  Array<double, Space>* coarse =
      nullptr;                  ///< set to the scales of the coarse rows; null: no scales, on any rank
  double* nullspace = nullptr;  ///< of the coarse rows, as in CoarseUnknowns

  double const* known() const { return coarse == nullptr ? nullptr : coarse->data(); }
};

struct ScaleOfColumn {
  double const* scale;
  TESSERA_HD double operator()(Index, Offset, double p, Index i) const { return p * p * scale[i]; }
};

struct ScaleOfAggregate {
  Index const *first, *member;
  double const *T, *scale;  ///< T: null for ones
  double* sum;
  TESSERA_HD void operator()(Index a) const {
    double total = 0;
    for (Index k = first[a]; k < first[a + 1]; ++k) {
      Index const i = member[k];
      total += T == nullptr ? scale[i] : T[i] * T[i] * scale[i];
    }
    sum[a] = total;
  }
};

/// The contributions of this rank; ghosts follow the owned rows. R: P^T.
template <class Space>
void sum_scale(Space const& space, sparse::CsrView<double> R, Scales<Space> const& scales) {
  if (scales.coarse == nullptr) return;
  *scales.coarse = Array<double, Space>(space, R.rows);
  sparse::row_reduce(space, R, ScaleOfColumn{scales.fine},
                     sparse::StoreProduct<double>{scales.coarse->data()});
}
/// The same for one column per aggregate. map: of T.
template <class Space>
void sum_scale(Space const& space, Tentative<Space> const& T, AggregateMap<Space> const& map,
               Scales<Space> const& scales) {
  if (scales.coarse == nullptr) return;
  *scales.coarse = Array<double, Space>(space, map.aggregates());
  core::for_each(space, scales.coarse->size(),
                 ScaleOfAggregate{map.first.data(), map.member.data(), T.indicator ? nullptr : T.value.data(),
                                  scales.fine, scales.coarse->data()});
}

/// Sums the contributions of all ranks to the coarse rows of this rank. halo: of the coarse rows.
/// Collective.
template <class Space>
void add_up_scale(Space const& space, comm::HaloPlan<Space> const& halo, Scales<Space> const& scales) {
  if (scales.coarse == nullptr) return;
  auto& sums = *scales.coarse;
  auto const ghosts = static_cast<std::size_t>(halo.ghost_count()), own = sums.size() - ghosts;
  halo.template add_from_ghosts<double>(space, sums.view().part(own, ghosts), sums.span().part(0, own));
  sums.shorten(own);
}

}  // namespace Tessera::galerkin
