#pragma once
/// \file
/// Solves of several columns that share their iterations. A column begins alone, iterates in the block, and
/// is taken out of it whenever it pauses or stops, so that what the host looks at and decides is that of a
/// solve of its own (conjugate_gradients_body.hpp). Then it goes back, or is done.
#include <algorithm>
#include <deque>
#include <vector>

#include "comm/capture.hpp"
#include "krylov/block_steps.hpp"
#include "krylov/conjugate_gradients_body.hpp"
#include "sparse/interleave.hpp"

namespace Tessera::krylov {

template <class Space, int k>
class BlockSolve {
 public:
  using Memory = typename Workspace<Space>::State;

  /// columns: at most k, which are prepared.
  BlockSolve(BlockSteps<Space, k> const& steps, Memory& alone, bool record, GraphKey const& key)
      : steps_(steps), alone_(alone), record_(record), key_(key) {}

  void add(Steps<Space> const& steps, Result& result) {
    columns_.emplace_back(steps, result, static_cast<int>(columns_.size()));
  }

  void run() {
    clear();
    for (auto& column : columns_) {
      column.solve.begin();
      column.solve.read(*alone_.records.get());
      settle(column);
    }
    while (iterate()) {
    }
    core::synchronize(steps_.space);  // what ran ahead
    alone_.busy = false;
  }

 private:
  struct Column {
    Column(Steps<Space> const& of, Result& found, int place)
        : steps(of), result(found), solve(of, found, Recording::none), c(place) {}
    Steps<Space> steps;
    Result& result;
    Solve<Space> solve;
    int c;
    bool in_block = false;
  };

  void clear() {
    auto& work = steps_.work;
    auto const& space = steps_.space;
    core::synchronize(space);  // a solve before this one may have thrown
    for (auto* memory : {&work.r, &work.p, &work.s, &work.x}) core::fill(space, memory->span(), 0.0);
    core::for_each(space, k, NoColumn{work.scalars.data()});
    core::synchronize(space);
    for (auto& records : work.records->of) records.count = 0;
  }

  /// One iteration more, or what has come of those before. False: no column runs.
  bool iterate() {
    bool any = false, all = true;
    for (auto& column : columns_) {
      any = any || column.in_block;
      all = all && (!column.in_block || column.solve.wants_iteration());
    }
    if (!any) return false;
    if (all) {
      enqueue();
      for (auto& column : columns_) {
        if (column.in_block) column.solve.iteration_enqueued();
      }
      return true;
    }
    for (auto& column : columns_) {
      if (!column.in_block) continue;
      column.solve.read(steps_.work.records->of[column.c]);
      if (!column.solve.is_running()) take_out(column);
    }
    return true;
  }

  /// As Solve does it: the first one is run as it is.
  void enqueue() {
    auto& work = steps_.work;
    bool const kept = record_ && !work.graph.empty() && work.key == key_;
    if (!kept && (!record_ || !ran_)) {
      ran_ = true;
      return steps_.iteration();
    }
    if (!kept) {
      comm::capture(work.graph, steps_.space, steps_.comm(), [&] { steps_.iteration(); });
      work.key = key_;
    }
    work.graph.launch(steps_.space);
    for (auto& column : columns_) column.result.graph = true;
  }

  void take_out(Column& column) {
    steps_.template move<false>(column.c, alone_, column.steps.x, column.solve.has_direction());
    core::synchronize(steps_.space);
    alone_.records->count = 0;
    settle(column);
  }

  /// Decides what becomes of a column that is alone.
  void settle(Column& column) {
    bool const over = column.solve.settle();
    if (over) {
      refine_and_count(column.steps, column.result);
      alone_.busy = true;
    } else {
      steps_.template move<true>(column.c, alone_, column.steps.x, column.solve.has_direction());
    }
    column.in_block = !over;
  }

  BlockSteps<Space, k> steps_;
  Memory& alone_;
  bool record_, ran_ = false;
  GraphKey key_;
  std::deque<Column> columns_;
};

/// Columns [first, first + count) of several.
template <int k, class Space>
void solve_block(std::vector<Steps<Space>> const& all, std::vector<Result>& results, std::size_t first,
                 std::size_t count) {
  auto const& one = all[first];
  auto const& space = one.space;
  auto& work = one.work;
  void const* where = nullptr;
  comm::agree_on_errors(one.comm(), [&] {
    core::name_out_of_memory([] { return "solve"; },
                             [&] {
                               one.A.reserve_columns(space, k);
                               work.block.reserve(space, one.n(), k);
                             });
  });
  if (one.M.apply) where = one.M.blocks.reserve(k);
  BlockSteps<Space, k> const steps{space, one.A, one.M, work.block, one.flexible()};
  bool const record = one.parameters.use_graph && core::can_capture(space) && one.comm().size() == 1 &&
                      (!one.M.apply || (one.M.capturable && one.M.version != 0));
  auto key = one.key();
  key[6] = static_cast<std::uintptr_t>(k);
  key[12] = reinterpret_cast<std::uintptr_t>(where);
  BlockSolve<Space, k> solve(steps, work, record, key);
  for (auto c = first; c < first + count; ++c) solve.add(all[c], results[c]);
  solve.run();
}

template <class Space>
std::vector<Result> solve_columns(Space const& space, comm::DistMatrix<double, Space> const& A,
                                  Preconditioner const& M, std::vector<Span<double const>> const& b,
                                  std::vector<Span<double>> const& x, Parameters const& parameters,
                                  Workspace<Space>& workspace) {
  std::vector<Result> results(b.size());
  std::vector<Steps<Space>> steps;
  bool const on_gpus = core::SpaceTraits<Space>::runs_ahead && A.halo().distribution().comm().size() > 1;
  bool const blocks = (!M.apply || M.blocks.apply) && !on_gpus;
  for (std::size_t c = 0; c < b.size(); ++c)
    steps.push_back(Steps<Space>{space, A, M, b[c], x[c], parameters, workspace.state()});
  for (std::size_t c = 0; c < b.size();) {
    auto const left = b.size() - c;
    int const width = blocks ? sparse::columns_at_once(left) : 1;
    auto const count = std::min(left, static_cast<std::size_t>(width));
    if (width == 1) {
      results[c] = solve(space, A, M, b[c], x[c], parameters, workspace);
    } else {
      for (auto i = c; i < c + count; ++i)
        comm::agree_on_errors(steps[i].comm(), [&] { prepare(steps[i], results[i]); });
      width == 8 ? solve_block<8>(steps, results, c, count) : solve_block<4>(steps, results, c, count);
    }
    c += count;
  }
  return results;
}

}  // namespace Tessera::krylov
