#pragma once
/// \file
/// An iteration for several columns at once: the passes of steps.hpp and passes.hpp, where a row of a block
/// is one number. Each column has its own scalars; one that does not run stays as it is.
#include <vector>

#include "comm/fused_product.hpp"
#include "core/interleaved.hpp"
#include "core/parallel.hpp"
#include "core/reduce_columns.hpp"
#include "krylov/steps.hpp"

namespace Tessera::krylov {

/// Which columns run, as numbers that can be asked row by row.
template <class X>
TESSERA_HD X running_columns(Scalars const* scalars) {
  X runs;
  for (int c = 0; c < core::columns_of<X>; ++c) runs.column[c] = scalars[c].state == State::running ? 1 : 0;
  return runs;
}

/// A pass over a vector, for a column of a block of k: its arrays begin in that column.
template <class Body, int k>
struct OfColumn {
  Body body;
  TESSERA_HD OfColumn loaded() const { return {body.loaded()}; }
  TESSERA_HD auto operator()(Index i) const { return body(i * k); }
};

/// Dots of each column: all (r, z), then all (z, w), then all (z, s).
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
      auto const on = of(active) != 0, follows = b != 0;  // else p and s hold anything
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

/// r, x, p and s of one column, out of a block or into it; without p and s before the first iteration, which
/// makes them.
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

/// And its scalars.
struct CopyScalars {
  Scalars const* from;
  Scalars* to;
  TESSERA_HD void operator()(Index) const { *to = *from; }
};

/// A column that never runs.
struct NoColumn {
  Scalars* scalars;
  TESSERA_HD void operator()(Index c) const { scalars[c] = Scalars{}; }
};

/// As comm::OverRanks, for more numbers: of one rank anywhere, of several on the host.
template <class Space>
struct WideSums {
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

/// What an iteration enqueues.
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

  /// Between the block and vectors of one column.
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
  WideSums<Space> sums() const { return {space, comm(), work.scratch}; }

  template <bool flexibly>
  void products(X const* z) const {
    auto* const w = rows(work.w).data();
    Span<X const> const of(z, n());
    sparse::StoreProduct<X> const store{w};
    BlockDots<X> const dots{rows(work.r).data(), z, w, rows(work.s).data(), work.scalars.data()};
    FinishBlockDots<flexibly, k> const finish{work.scalars.data()};
    auto over_ranks = sums();
    if constexpr (core::SpaceTraits<Space>::coalesces) {
      comm::multiply_fused(space, A, of, store);
      over_ranks.template reduce<typename BlockDots<X>::Sum>(
          core::Plus{}, finish, [&](auto const& then, auto& scratch) {
            core::reduce_columns_into(space, n(), dots, then, scratch);
          });
    } else {
      comm::multiply_into<typename BlockDots<X>::Sum>(space, A, of, store, dots, finish, over_ranks);
    }
  }
};

}  // namespace Tessera::krylov
