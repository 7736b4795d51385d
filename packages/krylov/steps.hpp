#pragma once
/// \file
/// The work that a solve enqueues, and the memory that it works in: the start, an iteration, the true
/// residual. Nothing here waits, except the sums over ranks that do not reach each other.
#include <array>
#include <cstdint>
#include <type_traits>

#include "comm/fused_product.hpp"
#include "comm/global_reduction.hpp"
#include "core/graph.hpp"
#include "core/parallel.hpp"
#include "krylov/passes.hpp"
#include "krylov/recurrence.hpp"
#include "sparse/convert.hpp"

namespace Tessera::krylov {

/// The addresses and sizes that a recorded iteration refers to. A recording is valid for one key.
using GraphKey = std::array<std::uintptr_t, 13>;

/// Vectors and scalars of up to eight columns that iterate together (block_solve_body.hpp).
template <class Space>
struct BlockMemory {
  static constexpr int max_columns = 8;
  struct Records {
    HostRecords of[max_columns];
  };
  std::size_t rows = 0;
  int columns = 0;
  Array<double, Space> r, z, w, p, s, x;
  Array<Scalars, Space> scalars;
  core::Pinned<Records, Space> records;
  core::ReduceScratch<Space> scratch;
  core::Graph<Space> graph;
  GraphKey key{};

  void reserve(Space const& space, std::size_t n, int wanted) {
    if (rows == n && columns >= wanted) return;
    graph.clear();
    auto const size = n * static_cast<std::size_t>(wanted);
    for (auto* v : {&r, &z, &w, &p, &s, &x}) *v = Array<double, Space>(space, size);
    if (columns == 0) {
      scalars = Array<Scalars, Space>(space, max_columns);
      records = core::Pinned<Records, Space>(space);
    }
    scratch = core::ReduceScratch<Space>(space, n, sizeof(double) * 3 * wanted);
    rows = n;
    columns = wanted;
  }
  std::size_t bytes() const { return 6 * r.bytes() + scalars.bytes() + scratch.bytes(); }
};

template <class Space>
struct Workspace<Space>::State {
  std::size_t rows = 0;
  bool made = false;
  bool busy = false;  ///< a solve runs, or has thrown
  Array<double, Space> r, z, w, p, s;
  Array<double, Space> residual, correction;  ///< of refinement, once it was tried
  Array<Scalars, Space> scalars;
  core::Pinned<HostRecords, Space> records;
  comm::Communicator ranks;
  comm::GlobalReduction<Space> global_reduction;
  core::Graph<Space> graph;
  GraphKey key{};
  BlockMemory<Space> block;

  /// Allocates all that a solve of n rows on these ranks needs. with_z: whether z is stored.
  void reserve(Space const& space, comm::Communicator const& of, std::size_t n, bool with_z) {
    if (!made || rows != n || ranks.raw() != of.raw()) {
      graph.clear();
      global_reduction = comm::GlobalReduction<Space>(space, of, n);
      ranks = of;
    }
    if (!made || rows != n) {
      graph.clear();
      for (auto* v : {&r, &w, &p, &s}) *v = Array<double, Space>(space, n);
      for (auto* v : {&z, &residual, &correction}) *v = {};
      if (!made) {
        scalars = Array<Scalars, Space>(space, 1);
        records = core::Pinned<HostRecords, Space>(space);
      }
      rows = n;
      made = true;
    }
    if (with_z && z.empty() && n > 0) {
      graph.clear();
      z = Array<double, Space>(space, n);
    }
  }

  void reserve_refinement(Space const& space) {
    for (auto* v : {&residual, &correction})
      if (v->empty() && rows > 0) *v = Array<double, Space>(space, rows);
  }

  std::size_t bytes() const {
    return residual.bytes() + correction.bytes() + r.bytes() + z.bytes() + w.bytes() + p.bytes() + s.bytes() +
           scalars.bytes() + global_reduction.bytes() + block.bytes();
  }
};

template <class Space>
Workspace<Space>::Workspace() : state_(std::make_unique<State>()) {}
template <class Space>
Workspace<Space>::Workspace(Workspace&&) noexcept = default;
template <class Space>
Workspace<Space>& Workspace<Space>::operator=(Workspace&&) noexcept = default;
template <class Space>
Workspace<Space>::~Workspace() = default;
template <class Space>
std::size_t Workspace<Space>::bytes() const {
  return state_->bytes();
}

template <class T>
sparse::CsrView<T> const& entries_of(sparse::CsrRows<T> const& rows) {
  return rows.matrix;
}
template <class Rows>
Rows const& entries_of(Rows const& rows) {
  return rows;
}

/// Whether iterations are recorded as a graph. none: an iteration waits for the host.
enum class Recording { none, wanted, kept };

template <class Space>
struct Steps {
  Space const& space;
  comm::DistMatrix<double, Space> const& A;
  Preconditioner const& M;
  Span<double const> b;
  Span<double> x;
  Parameters const& parameters;
  typename Workspace<Space>::State& work;

  std::size_t n() const { return b.size(); }
  comm::Communicator const& comm() const { return A.halo().distribution().comm(); }

  /// r = b - A x_0; posts.
  void start(Pause const& pause) const {
    FinishStart const finish{work.scalars.data(),
                             work.records.get(),
                             relative_tolerance(),
                             absolute_tolerance(),
                             parameters.max_iterations,
                             parameters.relative_to,
                             pause};
    if (parameters.start_from_zero) {
      global_reduction<StartSums>(StartFromZero{b.data(), x.data(), work.r.data()}, finish);
    } else {
      product<StartSums>(x.data(), sparse::StoreResidual<double>{b.data(), work.r.data()},
                         StartBody{b.data(), work.r.data()}, finish);
    }
    round();
  }

  /// z = M^-1 r, products and update; posts. Bytes per row besides the entries of M and A: the product reads
  /// z and writes w (16), its sums read r and s (16), the update reads z, w, p, s, x, r and writes the last
  /// four (80), in all 112. Without M, z is r: 88. With z in single precision and a rounded r: 108, and M's
  /// conversions (24) are saved.
  void iteration() const {
    if (in_single()) {
      M.single.apply();
      return M_applied(M.single.z.data());
    }
    if (M.apply) M.apply(work.r.view(), work.z.span());
    M_applied(M.apply ? work.z.data() : work.r.data());
  }

  // Passes that the host asks for. Each posts its sums; those with a product overwrite w.

  /// Stores b - A x in r or w; posts its square.
  void residual(double* into) const {
    product<ProbeSums>(x.data(), sparse::StoreResidual<double>{b.data(), into}, Dot{into, into},
                       finish_probe());
  }
  void dot(double const* u, double const* v) const { global_reduction<ProbeSums>(Dot{u, v}, finish_probe()); }
  void magnitudes(double const* v) const {
    product<ProbeSums>(v, sparse::StoreProduct<double>{work.w.data()},
                       MagnitudeSums{v, work.w.data(), b.data()}, finish_probe(), sparse::InMagnitude{});
  }
  void weighted_magnitudes(double const* v) const {
    product<ProbeSums>(v, sparse::StoreWeighted{work.w.data()}, MagnitudeSums{v, work.w.data(), b.data()},
                       finish_probe(), sparse::InCountedMagnitude{});
  }
  /// After magnitudes(x). r is not w.
  void row_error(double const* r) const {
    global_reduction<ProbeSums>(RowError{r, work.w.data(), b.data()}, finish_probe(), LargestValue{});
  }
  void energy(double const* v) const {
    product<ProbeSums>(v, sparse::StoreProduct<double>{work.w.data()}, EnergySums{v, work.w.data(), b.data()},
                       finish_probe());
  }

  /// v -= M^-1 w; overwrites z. If w = A v and M^-1 inverts A on A's range, A v = 0 after it.
  void subtract_preconditioned(double const* w, double* v) const {
    if (in_single()) {
      round(w);
      M.single.apply();
      core::for_each(space, n(), Subtract<float>{M.single.z.data(), v});
      round(work.r.data());
    } else {
      M.apply({w, n()}, work.z.span());
      core::for_each(space, n(), Subtract<double>{work.z.data(), v});
    }
  }

  /// The tolerances for ||r||; 0 if the test has none.
  double relative_tolerance() const { return parameters.test == Test::absolute ? 0 : parameters.tolerance; }
  double absolute_tolerance() const {
    bool const counts = parameters.test == Test::absolute || parameters.test == Test::either;
    return counts ? parameters.absolute_tolerance : 0;
  }

  bool flexible() const { return parameters.flexible || !M.symmetric; }
  /// Whether the solve uses the preconditioner's vectors in single precision. The product reads z there.
  bool in_single() const { return M.single.apply && is_alone() && comm().size() == 1; }
  /// Whether the workspace stores z.
  bool needs_z() const { return M.apply && !in_single(); }

  /// The recording that this rank has, or could make. The workspace is allocated.
  Recording recording() const {
    bool const product = comm().size() == 1 || A.halo().recordable(space, sizeof(double));
    if (!product || !work.global_reduction.enqueues_only() || (M.apply && !M.capturable))
      return Recording::none;
    bool const stays = !M.apply || M.version != 0;
    return stays && !work.graph.empty() && work.key == key() ? Recording::kept : Recording::wanted;
  }

  /// All that an iteration refers to besides the workspace's own arrays.
  GraphKey key() const {
    GraphKey key{};
    auto const pointer = [](void const* p) { return reinterpret_cast<std::uintptr_t>(p); };
    A.stored().visit_first([&](auto const& rows) {
      auto const& stored = entries_of(rows);
      key = {pointer(stored.value.data()), pointer(stored.column.data()),         pointer(stored.layout()),
             stored.value.size(),          static_cast<std::size_t>(stored.rows), sizeof(stored)};
    });
    key[6] = pointer(x.data());
    key[7] = flexible() ? 1 : 0;
    key[8] = in_single() ? 2 : M.apply ? 1 : 0;
    key[9] = static_cast<std::uintptr_t>(M.version);
    A.stored().visit_second([&](auto const& rows) { key[10] = pointer(entries_of(rows).value.data()); });
    key[11] = pointer(A.halo().send_rows().data());
    key[12] = pointer(A.ghosts().data());
    return key;
  }

  /// Continues from r = b - A x. rr: (r, r); rp: (r, p).
  void resume(double rr, double rp, Pause const& pause) const {
    core::for_each(space, 1, Resume{work.scalars.data(), rr, rp, pause});
    round();
  }
  void continue_unchanged(Pause const& pause, bool restart_patience) const {
    core::for_each(space, 1, ContinueUnchanged{work.scalars.data(), pause, restart_patience});
  }

 private:
  FinishProbe finish_probe() const { return {work.scalars.data(), work.records.get()}; }

  /// Whether this rank exchanges nothing with others, so that all rows are in the matrix' first set.
  bool is_alone() const { return A.halo().send_to().empty() && A.halo().receive_from().empty(); }

  void round() const {
    if (in_single()) round(work.r.data());
  }
  void round(double const* v) const {
    core::for_each(space, n(), sparse::ConvertBody<double, float>{v, M.single.r.data()});
  }

  template <class Z>
  void M_applied(Z const* z) const {
    flexible() ? products<true>(z) : products<false>(z);
    global_reduction<double>(Update<Z>{z, work.w.data(), work.p.data(), work.s.data(), x.data(),
                                       work.r.data(), M.single.r.data(), work.scalars.data()},
                             FinishUpdate{work.scalars.data(), work.records.get()});
  }

  template <bool flexible, class Z>
  void products(Z const* z) const {
    product<DotProducts>(z, sparse::StoreProduct<double>{work.w.data()},
                         Dots<Z>{work.r.data(), z, work.w.data(), work.s.data(), work.scalars.data()},
                         FinishDots<flexible>{work.scalars.data()});
  }

  /// Calls epilogue(i, (A v)_i) for all rows, then sums body, if possible in the same pass. See: how entries
  /// are read.
  template <class T, class V, class Epilogue, class Body, class Finish, class See = sparse::WithSigns>
  void product(V const* v, Epilogue const& epilogue, Body const& body, Finish const& finish,
               See const& see = {}) const {
    comm::multiply_into<T>(space, A, Span<V const>(v, n()), epilogue, body, finish, work.global_reduction,
                           see);
  }

  /// Calls finish(sum of body over all rows of all ranks) on the space. op: instead of plus.
  template <class T, class Body, class Finish, class Op = core::Plus>
  void global_reduction(Body const& body, Finish const& finish, Op const& op = {}) const {
    work.global_reduction.template reduce<T>(op, finish, [&](auto const& then, auto& scratch) {
      core::reduce_into(space, n(), body, op, T{}, then, scratch);
    });
  }
};

}  // namespace Tessera::krylov
