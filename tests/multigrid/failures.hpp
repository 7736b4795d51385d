#pragma once
/// \file
/// A hierarchy's life, in which memory may run out.
#include "multigrid/coarsenings.hpp"
#include "multigrid/levels/bootstrap.hpp"
#include "multigrid/systems.hpp"
#include "oracle/generators.hpp"
#include "support/failing_allocations.hpp"

namespace Tessera::test {

/// A setup, a refresh, which prepares for those to come, one of these, and the report. Of four levels; rows
/// are gathered onto fewer ranks on the way, and cycles are K-cycles.
template <class Space>
struct WholeLife {
  Space space;
  comm::DistCsr<double, Space> A;
  Array<VertexId, Space> ids;
  multigrid::Parameters parameters;
  bool bootstrap = false;

  WholeLife(Space const& where, comm::DistCsr<double, Space> matrix, WayToCoarsen const& way)
      : space(where), A(std::move(matrix)), ids(node_ids_on(where, A.rows)) {
    parameters.coarse_max_size = 6;
    parameters.rows_per_rank = 40;
    way.choose(parameters);
    parameters.cycle = multigrid::CycleType::K;
  }

  void operator()() const {
    if (bootstrap) return live<multigrid::Bootstrap<float, Space>>();
    live<multigrid::Hierarchy<float, Space>>();
  }

  template <class Operator>
  void live() const {
    Operator M(space, A, Array<VertexId, Space>::borrowed(space, ids.view()), {}, parameters);
    M.refresh(A);
    M.refresh(A);
    M.report();
  }
};

inline comm::DistCsr<double, Host> small_grid() {
  return distribute(oracle::laplace(12, 12), share(world(), 144, false));
}

/// An application on each side of a refresh, of which `allocations` says how many one makes.
template <class Operator, class Space, class Allocations>
void expect_applications_without(Allocations const& allocations, WholeLife<Space> const& life) {
  auto const& space = life.space;
  Operator M(space, life.A, Array<VertexId, Space>::borrowed(space, life.ids.view()), {}, life.parameters);
  auto const b = core::to_space(space, std::vector<double>(life.A.local.rows, 1.0));
  Array<double, Space> x(space, life.A.local.rows);
  auto const apply = [&] { M.apply(b.view(), x.span()); };
  EXPECT_EQ(allocations(apply), 0);
  M.refresh(life.A);
  EXPECT_EQ(allocations(apply), 0);
}

/// How many failures there were.
template <class Space, class Kind>
int expect_failures_in(WholeLife<Space> const& life, Kind const& kind) {
  auto const& comm = life.A.rows.comm();
  return expect_every_failure_on_every_rank(kind, comm, {"setup, level ", "refresh: ", "report: "}, life);
}

}  // namespace Tessera::test
