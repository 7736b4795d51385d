#pragma once
/// \file
/// The multigrid cycle: Bell, Dalton, Olson 2012, Algorithm 3, with its passes.
///
/// A pass can run. It also reports the bytes that it must move on this rank (all that it reads or writes,
/// once), and whether it only enqueues work, so that it can be recorded (core/graph.hpp). The caller of
/// cycle() chooses what to do with each pass.
#include "comm/fused_product.hpp"
#include "core/parallel.hpp"
#include "multigrid/levels/k_cycle_body.hpp"

namespace Tessera::multigrid {

/// Allocates all vectors of cycles on a level.
template <class T, class Space>
void make_room_for_cycle(Space const& space, Levels<T, Space> const& levels, Level<T, Space>& level) {
  level.work = SmoothingVectors<T, Space>(space, level.rows.local_size(), level.smoother.needs_second_z());
  if (level.coarsening && level.coarsening->move() != nullptr)
    level.coarse_vector = Array<T, Space>(space, level.coarsening->move()->from().local_size());
  make_room_for_steps(space, levels, static_cast<std::size_t>(level.facts.level));
}

/// Allocates blocks of this number of vectors on all levels.
template <class T, class Space>
void make_room_for_blocks(Space const& space, Levels<T, Space>& levels, int columns) {
  for (auto& each : levels.level) {
    auto& level = *each;
    level.A.reserve_columns(space, columns);
    level.smoother.reserve_columns(columns);
    if (level.transfer) std::visit([&](auto& by) { by.reserve_columns(space, columns); }, *level.transfer);
    level.block_work =
        SmoothingVectors<T, Space>(space, level.work.x.size() * columns, level.smoother.needs_second_z());
    level.coarse_block = Array<T, Space>(space, level.coarse_vector.size() * columns);
  }
  if (levels.coarse) levels.coarse->reserve_columns(space, columns);
}

// Passes on X: T, or a row of a block (core/interleaved.hpp).

template <class X, class Space>
struct Smooth {
  using T = core::NumberOf<X>;
  Level<T, Space>& level;
  bool from_zero;
  void run(Space const& space) const {
    level.smoother.smooth(space, level.A, level.template vectors<X>(), from_zero);
  }
  double bytes() const { return level.smoother.bytes_moved(level.A, level.work.vectors(), from_zero); }
  bool enqueues_only(Space const& space) const {
    return level.A.halo().recordable(space, sizeof(X)) && level.smoother.enqueues_only(sizeof(X));
  }
};

/// x = 0.
template <class X, class Space>
struct ZeroInitialGuess {
  using T = core::NumberOf<X>;
  Level<T, Space>& level;
  void run(Space const& space) const {
    core::fill(space, core::numbers(level.template vectors<X>().x), T(0));
  }
  double bytes() const { return static_cast<double>(level.work.x.bytes()); }
  bool enqueues_only(Space const&) const { return true; }
};

/// r = b - A x.
template <class X, class Space>
struct Residual {
  using T = core::NumberOf<X>;
  Level<T, Space>& level;
  void run(Space const& space) const {
    auto const work = level.template vectors<X>();
    comm::multiply_fused(space, level.A, Span<X const>(work.x),
                         sparse::StoreResidual<X>{work.b.data(), work.r.data()});
  }
  double bytes() const { return static_cast<double>(level.A.product_bytes() + 3 * level.work.x.bytes()); }
  bool enqueues_only(Space const& space) const { return level.A.halo().recordable(space, sizeof(X)); }
};

/// b of the next level = P^T r of this one.
template <class X, class Space>
struct Restrict {
  using T = core::NumberOf<X>;
  Level<T, Space>& fine;
  Level<T, Space>& coarse;
  void run(Space const& space) const {
    auto const* const move = fine.coarsening->move();
    auto const b = coarse.template vectors<X>().b;
    auto const restricted = move != nullptr ? fine.template coarse_vectors<X>() : b;
    Span<X const> const r = fine.template vectors<X>().r;
    std::visit([&](auto const& by) { by.restrict(space, r, restricted); }, *fine.transfer);
    if (move != nullptr)
      move->forward(space, core::numbers(Span<X const>(restricted)), core::numbers(b), core::columns_of<X>);
  }
  double bytes() const {
    auto const of_P = std::visit([](auto const& by) { return by.restrict_bytes(); }, *fine.transfer);
    return static_cast<double>(of_P + fine.work.r.bytes() + coarse.work.b.bytes());
  }
  bool enqueues_only(Space const& space) const {
    auto const* const move = fine.coarsening->move();
    return std::visit([&](auto const& by) { return by.recordable(space, core::columns_of<X>); },
                      *fine.transfer) &&
           (move == nullptr || move->recordable(space, sizeof(X)));
  }
};

/// x of this level += P x of the next.
template <class X, class Space>
struct Correct {
  using T = core::NumberOf<X>;
  Level<T, Space>& fine;
  Level<T, Space>& coarse;
  void run(Space const& space) const {
    auto const* const move = fine.coarsening->move();
    Span<X const> const next = coarse.template vectors<X>().x;
    auto const arrives_in = fine.template coarse_vectors<X>();
    if (move != nullptr)
      move->backward(space, core::numbers(next), core::numbers(arrives_in), core::columns_of<X>);
    Span<X const> const e = move != nullptr ? Span<X const>(arrives_in) : next;
    std::visit([&](auto const& by) { by.correct(space, e, fine.template vectors<X>().x); }, *fine.transfer);
  }
  double bytes() const {
    auto const of_P = std::visit([](auto const& by) { return by.correct_bytes(); }, *fine.transfer);
    return static_cast<double>(of_P + coarse.work.x.bytes() + 2 * fine.work.x.bytes());
  }
  bool enqueues_only(Space const& space) const {
    return Restrict<X, Space>{fine, coarse}.enqueues_only(space);
  }
};

/// x = A^+ b on the coarsest level.
template <class X, class Space>
struct SolveDensely {
  using T = core::NumberOf<X>;
  CoarseSolver<T, Space> const& solver;
  Level<T, Space>& level;
  void run(Space const& space) const {
    auto const work = level.template vectors<X>();
    solver.apply(space, Span<X const>(work.b), work.x);
  }
  double bytes() const { return static_cast<double>(2 * level.work.x.bytes() + solver.bytes()); }
  bool enqueues_only(Space const& space) const { return solver.recordable(space, sizeof(X)); }
};

template <class X, class T, class Space, class Execute>
void coarse_cycles(Levels<T, Space> const& levels, Execute const& execute, std::size_t l, CycleType type);

/// One cycle from level l on: computes its x for its b. x is the initial guess unless from_zero. Calls
/// execute(pass) for each pass in order. Passes are collective among neighbours.
template <class X, class T, class Space, class Execute>
void cycle(Levels<T, Space> const& levels, Execute const& execute, std::size_t l, bool from_zero,
           CycleType type) {
  auto& level = *levels.level[l];
  auto const& parameters = levels.parameters;
  auto const when = parameters.smoother.pre_or_post;
  if (solves_exactly(levels, l)) return execute(SolveDensely<X, Space>{*levels.coarse, level});
  if (l + 1 == levels.level.size()) {
    for (int sweep = 0; sweep < parameters.coarse_sweeps; ++sweep)
      execute(Smooth<X, Space>{level, from_zero && sweep == 0});
    return;
  }
  auto& next = *levels.level[l + 1];
  if (when == PreOrPost::pre || when == PreOrPost::both) {
    execute(Smooth<X, Space>{level, from_zero});
  } else if (from_zero) {
    execute(ZeroInitialGuess<X, Space>{level});
  }
  execute(Residual<X, Space>{level});
  execute(Restrict<X, Space>{level, next});
  coarse_cycles<X>(levels, execute, l + 1, type);
  execute(Correct<X, Space>{level, next});
  if (when == PreOrPost::post || when == PreOrPost::both) execute(Smooth<X, Space>{level, false});
}

/// Computes x of a coarse level from zero, by as many cycles as the type requires. Blocks take no steps of
/// K-cycles.
template <class X, class T, class Space, class Execute>
void coarse_cycles(Levels<T, Space> const& levels, Execute const& execute, std::size_t l, CycleType type) {
  auto& level = *levels.level[l];
  cycle<X>(levels, execute, l, true, type);
  if (solves_exactly(levels, l)) return;
  if (type == CycleType::W) cycle<X>(levels, execute, l, false, CycleType::W);
  if (type == CycleType::F) cycle<X>(levels, execute, l, false, CycleType::V);
  if constexpr (std::is_same_v<X, T>) {
    if (level.steps) {
      execute(FirstStep<T, Space>{level});
      execute(SecondStep<T, Space>{levels, l});
      execute(ApplySteps<T, Space>{level});
    }
  } else {
    TESSERA_EXPECT(!level.steps);
  }
}

/// One application of the preconditioner. k cycles have the error operator (I - M A)^k, so that the
/// application is symmetric if M is.
template <class X, class T, class Space, class Execute>
void cycle(Levels<T, Space> const& levels, Execute const& execute) {
  int const applications = solves_exactly(levels, 0) ? 1 : levels.parameters.applications;
  for (int i = 0; i < applications; ++i) cycle<X>(levels, execute, 0, i == 0, levels.parameters.cycle);
}

}  // namespace Tessera::multigrid
