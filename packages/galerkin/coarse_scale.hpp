#pragma once
/// \file
/// What the diagonals of coarse matrices were summed from.
#include "comm/halo_plan.hpp"
#include "core/parallel.hpp"
#include "galerkin/aggregate_map.hpp"
#include "sparse/engine/row_reduce.hpp"

namespace Tessera::galerkin {

/// The scale of the finest rows is their diagonal, that of a coarse row s_I = sum over i of P_iI^2 s_i: what
/// relative errors of the finest matrix' entries come to in the coarse diagonal, a few times these errors,
/// since |a_ij|^2 <= a_ii a_jj where A is semidefinite. A vertex whose diagonal is lost in that is one that
/// the finest matrix does not tell from a singular one, on however many levels it was summed.
template <class Space>
struct Scales {
  double const* fine = nullptr;            ///< of the fine rows
  Array<double, Space>* coarse = nullptr;  ///< gets those of the coarse rows; null: nobody knows, on any rank
  double* nullspace = nullptr;             ///< of the coarse rows, as CoarseUnknowns'

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

/// This rank's part, of the ghosts of others behind its own. R: P^T.
template <class Space>
void sum_scale(Space const& space, sparse::CsrView<double> R, Scales<Space> const& scales) {
  if (scales.coarse == nullptr) return;
  *scales.coarse = Array<double, Space>(space, R.rows);
  sparse::row_reduce(space, R, ScaleOfColumn{scales.fine},
                     sparse::StoreProduct<double>{scales.coarse->data()});
}
/// The same of one column an aggregate; map: of T.
template <class Space>
void sum_scale(Space const& space, Tentative<Space> const& T, AggregateMap<Space> const& map,
               Scales<Space> const& scales) {
  if (scales.coarse == nullptr) return;
  *scales.coarse = Array<double, Space>(space, map.aggregates());
  core::for_each(space, scales.coarse->size(),
                 ScaleOfAggregate{map.first.data(), map.member.data(), T.indicator ? nullptr : T.value.data(),
                                  scales.fine, scales.coarse->data()});
}

/// Of the coarse rows of this rank, what all have. halo: of the coarse rows. Collective.
template <class Space>
void add_up_scale(Space const& space, comm::HaloPlan<Space> const& halo, Scales<Space> const& scales) {
  if (scales.coarse == nullptr) return;
  auto& sums = *scales.coarse;
  auto const ghosts = static_cast<std::size_t>(halo.ghost_count()), own = sums.size() - ghosts;
  halo.template add_from_ghosts<double>(space, sums.view().part(own, ghosts), sums.span().part(0, own));
  sums.shorten(own);
}

}  // namespace Tessera::galerkin
