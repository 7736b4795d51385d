#pragma once
/// \file
/// Levels of a hierarchy on the host, for tests of what is inside.
#include "multigrid/levels/setup_body.hpp"
#include "multigrid/systems.hpp"

namespace Tessera::test {

/// The levels of a matrix that ranks share unevenly; some may have none of its rows.
struct InsideLevels {
  comm::DistCsr<double, Host> A;
  multigrid::Levels<double, Host> levels;

  InsideLevels(sparse::Csr<double, Host> const& whole, multigrid::Parameters const& parameters)
      : A(distribute(whole, share(world(), whole.rows, false))) {
    multigrid::LevelFacts<Host> finest;
    finest.A = &A;
    finest.ids = node_ids_on(Host{}, A.rows);
    finest.nullspace = core::to_space(Host{}, std::vector<double>(A.local.rows, 1.0));
    levels = multigrid::setup<double>(Host{}, std::move(finest), parameters, {});
  }
};

}  // namespace Tessera::test
