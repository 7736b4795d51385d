#pragma once
/// \file
/// A matrix with aggregates and a near-nullspace, and its prolongator.
#include <cmath>
#include <vector>

#include "cases.hpp"
#include "sparse/engine/row_merge/product_plan.hpp"

namespace Tessera::test {

/// The result of prolongator().
struct Prolongation {
  comm::DistCsr<double, Host> A, P;
  galerkin::Tentative<Host> T;
  std::vector<unsigned char> strong, lumped;
  std::vector<double> diagonal;  ///< of A_F
  galerkin::ProlongatorPlan<Host> plan;
  std::vector<double> B, B_of_ghosts;  ///< what A_F keeps; empty: ones
  galerkin::FilteredEntries filter() const { return {view(strong), view(lumped)}; }
  galerkin::KeptVector kept() const { return {B.data(), B_of_ghosts.data(), static_cast<Index>(B.size())}; }
};

struct Problem {
  sparse::Csr<double, Host> A;
  int equations, vectors;
  std::vector<GlobalIndex> root;  ///< of each vertex
  std::vector<double> nullspace;
  galerkin::FilterParameters filter;
  double weak = 0;  ///< entries of at most this modulus are weak

  /// The near-nullspace vector that A_F keeps.
  double kept(Index i) const { return equations == 1 ? nullspace[static_cast<std::size_t>(i) * vectors] : 1; }

  bool strong(Index i, Index j) const {
    for (auto k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      if (A.column[k] == j) return i == j || std::abs(A.value[k]) > weak;
    }
    return true;
  }

  /// Of the rows and columns of P that go together.
  sparse::BlockShape shape() const { return {equations, vectors}; }

  Prolongation prolongator(comm::Communicator const& comm, Split how, double omega) const {
    auto const vertices = split(comm, how, A.rows / equations);
    auto const rows = split(comm, how, A.rows / equations, equations);
    Prolongation result;
    result.A = distribute(A, rows);
    auto const B = part(rows, nullspace, vectors);
    result.T =
        galerkin::tentative_prolongator(Host{}, aggregates(vertices, root), view(B), equations, vectors);
    auto& flags = result.strong;
    auto& lumped = result.lumped;
    auto& diagonal = result.diagonal;
    lumped.resize(rows.local_size());
    for (double const a : result.A.local.value) flags.push_back(std::abs(a) > weak ? 1 : 0);
    diagonal.resize(rows.local_size());
    for (auto i = rows.begin(); equations == 1 && i < rows.end(); ++i) result.B.push_back(kept(i));
    result.B_of_ghosts.resize(equations == 1 ? result.A.halo.ghost_count() : 0);
    if (equations == 1) result.A.halo.exchange(Host{}, view(result.B), span(result.B_of_ghosts));
    double bound = 0;
    galerkin::filtered_diagonal(Host{}, result.A, view(flags), filter, result.kept(), span(diagonal),
                                span(lumped), &bound);
    result.P = galerkin::prolongator(Host{}, result.A, result.filter(), view(diagonal), result.T, omega,
                                     &result.plan);
    return result;
  }
};

/// A grid; a random matrix with weak entries, some vertices in no aggregate; two and three equations with
/// three and six vectors; one vertex; none; vertices that are all in no aggregate.
inline std::vector<Problem> problems() {
  std::vector<Problem> list;
  auto const add = [&](sparse::Csr<double, Host> A, int equations, int count, Index size, Index lonely,
                       galerkin::FilterParameters filter, double weak) {
    auto const n = A.rows / equations;
    auto root = n == 0 ? std::vector<GlobalIndex>{} : random_roots(n, size, lonely, 7);
    auto B = vectors(A.rows, count, 7);
    list.push_back({std::move(A), equations, count, std::move(root), std::move(B), filter, weak});
  };
  add(oracle::laplace(8, 7), 1, 1, 5, 0, {}, 0);
  add(oracle::random_spd(60, 6, 4), 1, 1, 4, 6, {true, 0.3}, 0.4);
  add(oracle::random_spd(60, 6, 4), 1, 2, 8, 6, {false, 0.3}, 0.4);
  add(blocks(oracle::laplace(6, 5), 2, 1), 2, 3, 5, 7, {true, 0.2}, 0.3);
  add(blocks(oracle::laplace(4, 3, 3), 3, 2), 3, 6, 6, 0, {true, 0.2}, 0.3);
  add(oracle::laplace(1), 1, 1, 1, 0, {}, 0);
  add(oracle::laplace(0), 1, 1, 1, 0, {}, 0);
  add(oracle::laplace(6), 1, 1, 3, 0, {}, 0);
  list.back().root.assign(6, -1);
  add(oracle::random_spd(60, 6, 4), 1, 1, 4, 6, {true, 0.3}, 0.4);
  for (std::size_t i = 0; i < 60; ++i) list.back().nullspace[i] = core::uniform(i, 3) - 0.2;
  return list;
}

}  // namespace Tessera::test
