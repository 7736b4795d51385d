#pragma once
/// \file
/// The V- and the W-cycle.
#include "comm/fused_product.hpp"
#include "core/parallel.hpp"
#include "multigrid/level.hpp"

namespace Tessera::multigrid {

/// b of the next level = P^T r of this one.
template <class T, class Space>
void restrict_residual(Space const& space, Level<T, Space>& fine, Level<T, Space>& coarse) {
  auto const* move = fine.coarsening->move();
  auto& lands_in = move != nullptr ? fine.coarse_vector : coarse.work.b;
  comm::multiply_transposed(space, fine.R, fine.work.r.view(), lands_in.span());
  if (move != nullptr) move->forward(space, Span<T const>(lands_in.span()), coarse.work.b.span());
}

/// x of this level += P x of the next.
template <class T, class Space>
void add_correction(Space const& space, Level<T, Space>& fine, Level<T, Space> const& coarse) {
  auto const* move = fine.coarsening->move();
  if (move != nullptr) move->backward(space, coarse.work.x.view(), fine.coarse_vector.span());
  comm::multiply_fused(space, fine.P, move != nullptr ? fine.coarse_vector.view() : coarse.work.x.view(),
                       sparse::AddProduct<T>{fine.work.x.data()});
}

template <class T, class Space>
void cycle(Space const& space, Levels<T, Space> const& levels, std::size_t l, bool from_zero) {
  auto& level = *levels.level[l];
  auto const& smoother = levels.parameters.smoother;
  if (l + 1 == levels.level.size()) {
    if (levels.coarse) return levels.coarse->apply(space, level.work.b.view(), level.work.x.span());
    for (int sweep = 0; sweep < levels.parameters.coarse_sweeps; ++sweep) {
      level.smoother.smooth(space, level.A, level.work, from_zero && sweep == 0);
    }
    return;
  }
  auto& next = *levels.level[l + 1];
  if (smoother.pre_or_post == PreOrPost::pre || smoother.pre_or_post == PreOrPost::both) {
    level.smoother.smooth(space, level.A, level.work, from_zero);
  } else if (from_zero) {
    core::fill(space, level.work.x.span(), T(0));
  }
  comm::multiply_fused(space, level.A, level.work.x.view(),
                       sparse::StoreResidual<T>{level.work.b.data(), level.work.r.data()});
  restrict_residual(space, level, next);
  cycle(space, levels, l + 1, true);
  if (levels.parameters.cycle == CycleType::W) cycle(space, levels, l + 1, false);
  add_correction(space, level, next);
  if (smoother.pre_or_post == PreOrPost::post || smoother.pre_or_post == PreOrPost::both) {
    level.smoother.smooth(space, level.A, level.work, false);
  }
}

}  // namespace Tessera::multigrid
