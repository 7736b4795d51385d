#pragma once
/// \file
/// Patterns of energy-minimising prolongators for the problems.
#include <type_traits>
#include <utility>

#include "aggregation/strength.hpp"
#include "galerkin/energy_minimisation.hpp"
#include "problem.hpp"

namespace Tessera::test {

inline aggregation::StrengthParameters strength_of(Problem const& p) {
  aggregation::StrengthParameters parameters;
  parameters.drop_tolerance = 0.05;
  parameters.equations = p.equations;
  return parameters;
}

/// Of the vertices of this rank.
inline std::vector<unsigned char> roots_of(Problem const& p, comm::Distribution const& vertices) {
  std::vector<unsigned char> is_root;
  for (auto v = vertices.begin(); v < vertices.end(); ++v) is_root.push_back(p.root[v] == v ? 1 : 0);
  return is_root;
}

template <class Space>
comm::DistCsr<double, Space> on_space(Space const& space, comm::DistCsr<double, Host> A) {
  if constexpr (std::is_same_v<Space, Host>) {
    return A;
  } else {
    return comm::copied(Host{}, A, space);
  }
}

/// A, T and the pattern, on a space.
template <class Space>
struct Energy {
  comm::DistCsr<double, Space> A;
  galerkin::Tentative<Space> T;
  galerkin::ReachedAggregates<Space> reached;
  Array<double, Space> diagonal;

  /// ones: T is the indicator of the aggregates.
  Energy(Space const& space, Problem const& p, Split how, galerkin::EnergyParameters const& parameters,
         bool ones = false)
      : A(on_space(space, distribute(p.A, split(world(), how, p.A.rows / p.equations, p.equations)))) {
    auto const vertices = split(world(), how, p.A.rows / p.equations);
    auto const made = aggregates(vertices, p.root);
    auto of_vertex = core::copied(Host{}, made.aggregate.view(), space);
    auto const B = core::to_space(space, part(A.rows, p.nullspace, p.vectors));
    if (ones) {
      T = galerkin::indicator(made.coarse, std::move(of_vertex));
    } else {
      aggregation::Aggregates<Space> const there{made.coarse, std::move(of_vertex),
                                                 core::copied(Host{}, made.ids.view(), space)};
      T = galerkin::tentative_prolongator(space, there, B.view(), p.equations, p.vectors);
    }
    diagonal = Array<double, Space>(space, A.local.rows);
    sparse::extract_diagonal(space, A.local.view(), diagonal.span());
    auto const graph = aggregation::strength(space, A, {}, strength_of(p));
    auto const is_root = core::to_space(space, roots_of(p, vertices));
    reached = galerkin::reached_aggregates(space, graph, T, is_root.view(), parameters);
  }

  comm::DistCsr<double, Space> prolongator(Space const& space, int steps) const {
    auto P = galerkin::tentative_on_pattern(space, reached, T, A.rows);
    sparse::ProductPlan<Space> plan;
    galerkin::minimise_energy(space, A, diagonal.view(), T, steps, plan, P);
    return P;
  }
};

}  // namespace Tessera::test
