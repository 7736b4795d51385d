#pragma once
/// \file
/// Solves of several columns that share their iterations. A column starts alone, then iterates in the block.
/// It leaves the block whenever it pauses or stops, so that the host decides as it does for a single solve
/// (conjugate_gradients_body.hpp). Then it returns to the block, or is done.
#include <algorithm>
#include <deque>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/fused_product.hpp"
#include "core/interleaved.hpp"
#include "core/parallel.hpp"
#include "core/reduce_into.hpp"
#include "core/timer.hpp"
#include "krylov/conjugate_gradients_body.hpp"
#include "krylov/steps.hpp"
#include "sparse/interleave.hpp"

namespace Tessera::krylov {

/// 1 for each column that runs, 0 for the others.
template <class X>
TESSERA_HD X running_columns(Scalars const* scalars) {
  X runs;
  for (int c = 0; c < core::columns_of<X>; ++c) runs.column[c] = scalars[c].state == State::running ? 1 : 0;
  return runs;
}

/// A pass over one column of a block of k columns. The body's arrays begin in that column.
template <class Body, int k>
struct OfColumn {
  Body body;
  TESSERA_HD OfColumn loaded() const { return {body.loaded()}; }
  TESSERA_HD auto operator()(Index i) const { return body(i * k); }
};

/// Dots of each column, in the order all (r, z), all (z, w), all (z, s).
template <class X>
struct BlockDots {
  static constexpr int k = core::columns_of<X>;
  using Sum = core::SumPack<3 * k>;
  X const *r, *z, *w, *s;
  Scalars const* scalars;
  X active{}, with_s{};
  TESSERA_HD BlockDots loaded() const {
    auto body = *this;
    body.active = running_columns<X>(scalars);
    for (int c = 0; c < k; ++c) body.with_s.column[c] = scalars[c].fresh == 0 ? body.active.column[c] : 0;
    return body;
  }
  TESSERA_HD OfColumn<Dots<double>, k> column(int c) const {
    return {{r->column + c, z->column + c, w->column + c, s->column + c, scalars + c}};
  }
  TESSERA_HD Sum operator()(Index i) const {
    Sum sum;
    core::for_lanes<k, double>([&](auto const& at) {
      auto const z_i = at.template of<double>(z[i].column);
      auto const rz = at.template of<double>(r[i].column) * z_i;
      auto const zw = z_i * at.template of<double>(w[i].column),
                 zs = z_i * at.template of<double>(s[i].column);
      auto const on = at.template of<double>(active.column) != 0,
                 with = at.template of<double>(with_s.column) != 0;
      auto const nothing = decltype(rz){};
      at.put(sum.of, on ? rz : nothing);
      at.put(sum.of + k, on ? zw : nothing);
      at.put(sum.of + 2 * k, with ? zs : nothing);
    });
    return sum;
  }
};

template <bool flexible, int k>
struct FinishBlockDots {
  Scalars* scalars;
  TESSERA_HD FinishDots<flexible> column(int c) const { return {scalars + c}; }
  TESSERA_HD void operator()(core::SumPack<3 * k> const& sums) const {
    for (int c = 0; c < k; ++c) column(c)({sums.of[c], sums.of[k + c], sums.of[2 * k + c]});
  }
};

/// Update of each column.
template <class X>
struct BlockUpdate {
  static constexpr int k = core::columns_of<X>;
  using Sum = core::SumPack<k>;
  X const *z, *w;
  X *p, *s, *x, *r;
  Scalars const* scalars;
  X active{}, alpha{}, beta{};
  TESSERA_HD BlockUpdate loaded() const {
    auto body = *this;
    body.active = running_columns<X>(scalars);
    for (int c = 0; c < k; ++c) {
      body.alpha.column[c] = scalars[c].step;
      body.beta.column[c] = scalars[c].direction;
    }
    return body;
  }
  TESSERA_HD OfColumn<Update<double>, k> column(int c) const {
    return {{z->column + c, w->column + c, p->column + c, s->column + c, x->column + c, r->column + c,
             nullptr, scalars + c}};
  }
  TESSERA_HD Sum operator()(Index i) const {
    Sum sum;
    core::for_lanes<k, double>([&](auto const& at) {
      auto const of = [&](X const& row) { return at.template of<double>(row.column); };
      auto const z_i = of(z[i]), w_i = of(w[i]), p_i = of(p[i]), s_i = of(s[i]), x_i = of(x[i]),
                 r_i = of(r[i]);
      auto const a = of(alpha), b = of(beta);
      auto const on = of(active) != 0, follows = b != 0;  // else p and s are undefined
      auto const new_p = follows ? z_i + b * p_i : z_i, new_s = follows ? w_i + b * s_i : w_i;
      auto const new_x = x_i + a * new_p, new_r = r_i - a * new_s;
      auto const nothing = decltype(r_i){};
      at.put(p[i].column, on ? new_p : p_i);
      at.put(s[i].column, on ? new_s : s_i);
      at.put(x[i].column, on ? new_x : x_i);
      at.put(r[i].column, on ? new_r : r_i);
      at.put(sum.of, on ? new_r * new_r : nothing);
    });
    return sum;
  }
};

template <int k>
struct FinishBlockUpdate {
  Scalars* scalars;
  HostRecords* records;
  TESSERA_HD FinishUpdate column(int c) const { return {scalars + c, records + c}; }
  TESSERA_HD void operator()(core::SumPack<k> const& rr) const {
    for (int c = 0; c < k; ++c) column(c)(rr.of[c]);
  }
};

/// Copies r, x, p and s of one column into a block or out of it. Before the first iteration p and s do not
/// exist.
template <class X, bool into>
struct MoveColumn {
  X* block[4];
  double* vector[4];
  int c, count;
  TESSERA_HD void operator()(Index i) const {
    for (int v = 0; v < count; ++v) {
      if (into) {
        block[v][i].column[c] = vector[v][i];
      } else {
        vector[v][i] = block[v][i].column[c];
      }
    }
  }
};

struct CopyScalars {
  Scalars const* from;
  Scalars* to;
  TESSERA_HD void operator()(Index) const { *to = *from; }
};

/// Scalars of a column that does not run.
struct ResetColumns {
  Scalars* scalars;
  TESSERA_HD void operator()(Index c) const { scalars[c] = Scalars{}; }
};

/// Sums over ranks as comm::GlobalReduction, for more numbers. Several ranks only on the host.
template <class Space>
struct BlockSums {
  Space const& space;
  comm::Communicator const& comm;
  core::ReduceScratch<Space>& scratch;

  template <class T, class Op, class Finish, class Local>
  void reduce(Op const& op, Finish const& finish, Local const& local) const {
    if (comm.size() == 1) return local(finish, scratch);
    if constexpr (std::is_same_v<Space, Host>) {
      T mine{}, total{};
      local(core::StoreResult<T>{&mine}, scratch);
      std::vector<T> parts(comm.size());
      comm.all_gather(mine, parts.data());
      for (auto const& part : parts) total = op(total, part);
      finish(total);
    } else {
      TESSERA_EXPECT(comm.size() == 1);
    }
  }
};

/// The work that an iteration of a block enqueues.
template <class Space, int k>
struct BlockSteps {
  using X = core::Interleaved<double, k>;
  Space const& space;
  comm::DistMatrix<double, Space> const& A;
  Preconditioner const& M;
  BlockMemory<Space>& work;
  bool flexible;

  comm::Communicator const& comm() const { return A.halo().distribution().comm(); }
  std::size_t n() const { return work.rows; }
  Span<X> rows(Array<double, Space>& memory) const { return core::rows_of_block<X>(memory.span(), n()); }

  void iteration() const {
    auto const r = rows(work.r), z = rows(M.apply ? work.z : work.r);
    if (M.apply) M.blocks.apply(k, core::numbers(Span<X const>(r)), core::numbers(z));
    flexible ? products<true>(z.data()) : products<false>(z.data());
    BlockUpdate<X> const update{
        z.data(), rows(work.w).data(), rows(work.p).data(), rows(work.s).data(), rows(work.x).data(),
        r.data(), work.scalars.data()};
    using Sum = typename BlockUpdate<X>::Sum;
    sums().template reduce<Sum>(core::Plus{}, FinishBlockUpdate<k>{work.scalars.data(), work.records->of},
                                [&](auto const& then, auto& scratch) {
                                  core::reduce_columns_into(space, n(), update, then, scratch);
                                });
  }

  /// Copies one column between the block and its own vectors.
  template <bool into>
  void move(int c, typename Workspace<Space>::State& of, Span<double> x, bool has_direction) const {
    core::for_each(space, n(),
                   MoveColumn<X, into>{
                       {rows(work.r).data(), rows(work.x).data(), rows(work.p).data(), rows(work.s).data()},
                       {of.r.data(), x.data(), of.p.data(), of.s.data()},
                       c,
                       has_direction ? 4 : 2});
    auto *here = work.scalars.data() + c, *there = of.scalars.data();
    core::for_each(space, 1, into ? CopyScalars{there, here} : CopyScalars{here, there});
  }

 private:
  BlockSums<Space> sums() const { return {space, comm(), work.scratch}; }

  template <bool flexibly>
  void products(X const* z) const {
    auto* const w = rows(work.w).data();
    Span<X const> const of(z, n());
    sparse::StoreProduct<X> const store{w};
    BlockDots<X> const dots{rows(work.r).data(), z, w, rows(work.s).data(), work.scalars.data()};
    FinishBlockDots<flexibly, k> const finish{work.scalars.data()};
    auto global_reduction = sums();
    if constexpr (core::SpaceTraits<Space>::coalesces) {
      comm::multiply_fused(space, A, of, store);
      global_reduction.template reduce<typename BlockDots<X>::Sum>(
          core::Plus{}, finish, [&](auto const& then, auto& scratch) {
            core::reduce_columns_into(space, n(), dots, then, scratch);
          });
    } else {
      comm::multiply_into<typename BlockDots<X>::Sum>(space, A, of, store, dots, finish, global_reduction);
    }
  }
};

template <class Space, int k>
class BlockSolve {
 public:
  using Memory = typename Workspace<Space>::State;

  /// single: memory of a single solve. At most k columns are added, after prepare().
  BlockSolve(BlockSteps<Space, k> const& steps, Memory& single, bool record, GraphKey const& key)
      : steps_(steps), single_(single), record_(record), key_(key) {}

  void add(Steps<Space> const& steps, Result& result) {
    columns_.emplace_back(steps, result, static_cast<int>(columns_.size()));
  }

  void run() {
    clear();
    for (auto& column : columns_) {
      column.solve.begin();
      column.solve.read(*single_.records.get());
      settle(column);
    }
    while (iterate()) {
    }
    core::synchronize(steps_.space);  // iterations that ran ahead
    single_.busy = false;
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
    core::synchronize(space);  // an earlier solve may have thrown
    for (auto* memory : {&work.r, &work.p, &work.s, &work.x}) core::fill(space, memory->span(), 0.0);
    core::for_each(space, k, ResetColumns{work.scalars.data()});
    core::synchronize(space);
    for (auto& records : work.records->of) records.count = 0;
  }

  /// Enqueues an iteration or reads the records of earlier ones. Returns false if no column runs.
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
      if (!column.solve.is_running()) remove_from_block(column);
    }
    return true;
  }

  /// As in Solve, the first iteration is not recorded.
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

  void remove_from_block(Column& column) {
    steps_.template move<false>(column.c, single_, column.steps.x, column.solve.has_direction());
    core::synchronize(steps_.space);
    single_.records->count = 0;
    settle(column);
  }

  /// Decides whether a column outside the block is done or joins the block.
  void settle(Column& column) {
    bool const over = column.solve.settle();
    if (over) {
      refine_and_count(column.steps, column.result);
      single_.busy = true;
    } else {
      steps_.template move<true>(column.c, single_, column.steps.x, column.solve.has_direction());
    }
    column.in_block = !over;
  }

  BlockSteps<Space, k> steps_;
  Memory& single_;
  bool record_, ran_ = false;
  GraphKey key_;
  std::deque<Column> columns_;
};

/// Solves for the columns [first, first + count).
template <int k, class Space>
void solve_block(std::vector<Steps<Space>> const& all, std::vector<Result>& results, std::size_t first,
                 std::size_t count) {
  core::Region const region("solve");
  auto const& one = all[first];
  auto const& space = one.space;
  auto& work = one.work;
  void const* where = nullptr;
  comm::agree_on_errors(one.comm(), "solve", [&] {
    one.A.reserve_columns(space, k);
    work.block.reserve(space, one.n(), k);
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
  bool const on_gpus = core::SpaceTraits<Space>::asynchronous && A.halo().distribution().comm().size() > 1;
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
