#pragma once
/// \file
/// The multigrid cycle: Bell, Dalton, Olson 2012, Algorithm 3, with its passes.
///
/// A pass can be run, says how many bytes it must move on this rank (whatever it reads or writes, once), and
/// whether it does nothing but enqueue work, so that it can be recorded (core/graph.hpp). What becomes of the
/// passes, cycle() leaves to its caller.
#include "comm/fused_product.hpp"
#include "core/parallel.hpp"
#include "multigrid/k_cycle_body.hpp"

namespace Tessera::multigrid {

/// Room for all vectors that cycles work in on a level.
template <class T, class Space>
void make_room_for_cycle(Space const& space, Levels<T, Space> const& levels, Level<T, Space>& level) {
  level.work = Workspace<T, Space>(space, level.rows.local_size(), level.smoother.needs_second_z());
  if (level.coarsening && level.coarsening->move() != nullptr)
    level.coarse_vector = Array<T, Space>(space, level.coarsening->move()->from().local_size());
  make_room_for_steps(space, levels, static_cast<std::size_t>(level.facts.level));
}

template <class T, class Space>
struct Smooth {
  Level<T, Space>& level;
  bool from_zero;
  void run(Space const& space) const { level.smoother.smooth(space, level.A, level.work, from_zero); }
  double bytes() const { return level.smoother.bytes_moved(level.A, level.work, from_zero); }
  bool enqueues_only(Space const& space) const {
    return level.A.halo().recordable(space, sizeof(T)) && level.smoother.enqueues_only();
  }
};

/// x = 0.
template <class T, class Space>
struct StartFromNothing {
  Level<T, Space>& level;
  void run(Space const& space) const { core::fill(space, level.work.x.span(), T(0)); }
  double bytes() const { return static_cast<double>(level.work.x.bytes()); }
  bool enqueues_only(Space const&) const { return true; }
};

/// r = b - A x.
template <class T, class Space>
struct Residual {
  Level<T, Space>& level;
  void run(Space const& space) const {
    comm::multiply_fused(space, level.A, level.work.x.view(),
                         sparse::StoreResidual<T>{level.work.b.data(), level.work.r.data()});
  }
  double bytes() const { return static_cast<double>(level.A.product_bytes() + 3 * level.work.x.bytes()); }
  bool enqueues_only(Space const& space) const { return level.A.halo().recordable(space, sizeof(T)); }
};

/// b of the next level = P^T r of this one.
template <class T, class Space>
struct Restrict {
  Level<T, Space>& fine;
  Level<T, Space>& coarse;
  void run(Space const& space) const {
    auto const* const move = fine.coarsening->move();
    auto& lands_in = move != nullptr ? fine.coarse_vector : coarse.work.b;
    std::visit([&](auto const& by) { by.restrict(space, fine.work.r.view(), lands_in.span()); },
               *fine.transfer);
    if (move != nullptr) move->forward(space, Span<T const>(lands_in.span()), coarse.work.b.span());
  }
  double bytes() const {
    auto const of_P = std::visit([](auto const& by) { return by.restrict_bytes(); }, *fine.transfer);
    return static_cast<double>(of_P + fine.work.r.bytes() + coarse.work.b.bytes());
  }
  bool enqueues_only(Space const& space) const {
    auto const* const move = fine.coarsening->move();
    return std::visit([&](auto const& by) { return by.recordable(space); }, *fine.transfer) &&
           (move == nullptr || move->recordable(space, sizeof(T)));
  }
};

/// x of this level += P x of the next.
template <class T, class Space>
struct Correct {
  Level<T, Space>& fine;
  Level<T, Space>& coarse;
  void run(Space const& space) const {
    auto const* const move = fine.coarsening->move();
    auto const& x = move != nullptr ? fine.coarse_vector : coarse.work.x;
    if (move != nullptr) move->backward(space, coarse.work.x.view(), fine.coarse_vector.span());
    std::visit([&](auto const& by) { by.correct(space, x.view(), fine.work.x.span()); }, *fine.transfer);
  }
  double bytes() const {
    auto const of_P = std::visit([](auto const& by) { return by.correct_bytes(); }, *fine.transfer);
    return static_cast<double>(of_P + coarse.work.x.bytes() + 2 * fine.work.x.bytes());
  }
  bool enqueues_only(Space const& space) const {
    return Restrict<T, Space>{fine, coarse}.enqueues_only(space);
  }
};

/// x = A^+ b on the coarsest level.
template <class T, class Space>
struct SolveDensely {
  CoarseSolver<T, Space> const& solver;
  Level<T, Space>& level;
  void run(Space const& space) const { solver.apply(space, level.work.b.view(), level.work.x.span()); }
  double bytes() const { return static_cast<double>(2 * level.work.x.bytes() + solver.bytes()); }
  bool enqueues_only(Space const& space) const { return solver.recordable(space); }
};

/// Level l's work.x for its work.b by one cycle; work.x is the first guess unless from_zero. execute(pass)
/// for one pass after the other, which are collective among neighbours.
template <class T, class Space, class Execute>
void cycle(Levels<T, Space> const& levels, Execute const& execute, std::size_t l, bool from_zero,
           CycleType type) {
  auto& level = *levels.level[l];
  auto const& parameters = levels.parameters;
  auto const when = parameters.smoother.pre_or_post;
  if (solves_exactly(levels, l)) return execute(SolveDensely<T, Space>{*levels.coarse, level});
  if (l + 1 == levels.level.size()) {
    for (int sweep = 0; sweep < parameters.coarse_sweeps; ++sweep)
      execute(Smooth<T, Space>{level, from_zero && sweep == 0});
    return;
  }
  auto& next = *levels.level[l + 1];
  if (when == PreOrPost::pre || when == PreOrPost::both) {
    execute(Smooth<T, Space>{level, from_zero});
  } else if (from_zero) {
    execute(StartFromNothing<T, Space>{level});
  }
  execute(Residual<T, Space>{level});
  execute(Restrict<T, Space>{level, next});
  coarse_cycles(levels, execute, l + 1, type);
  execute(Correct<T, Space>{level, next});
  if (when == PreOrPost::post || when == PreOrPost::both) execute(Smooth<T, Space>{level, false});
}

/// The same from zero, by as many cycles as the type takes on coarse levels.
template <class T, class Space, class Execute>
void coarse_cycles(Levels<T, Space> const& levels, Execute const& execute, std::size_t l, CycleType type) {
  auto& level = *levels.level[l];
  cycle(levels, execute, l, true, type);
  if (solves_exactly(levels, l)) return;
  if (type == CycleType::W) cycle(levels, execute, l, false, CycleType::W);
  if (type == CycleType::F) cycle(levels, execute, l, false, CycleType::V);
  if (level.steps) {
    execute(FirstStep<T, Space>{level});
    execute(SecondStep<T, Space>{levels, l});
    execute(TakeSteps<T, Space>{level});
  }
}

/// The cycle that is the preconditioner.
template <class T, class Space, class Execute>
void cycle(Levels<T, Space> const& levels, Execute const& execute) {
  cycle(levels, execute, 0, true, levels.parameters.cycle);
}

}  // namespace Tessera::multigrid
