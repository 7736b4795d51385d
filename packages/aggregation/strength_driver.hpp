#pragma once
/// \file
/// How the bodies of strength_body.hpp follow one another.
#include "aggregation/diagonal.hpp"
#include "aggregation/diagonal_body.hpp"
#include "aggregation/distance_laplacian.hpp"
#include "aggregation/ghosts.hpp"
#include "aggregation/node_matrix.hpp"
#include "aggregation/strength_body.hpp"
#include "aggregation/strength_host.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "sparse/row_entries.hpp"

namespace Tessera::aggregation {

/// 1 / sqrt(diagonal), ghosts included.
template <class Space>
Array<double, Space> scales(Space const& space, comm::HaloPlan<Space> const& halo,
                            Span<double const> diagonal) {
  auto scale = with_ghosts<double>(space, halo);
  core::for_each(space, diagonal.size(), ScaleBody{diagonal.data(), scale.data()});
  fetch_ghosts(space, halo, scale);
  return scale;
}

/// Fills the graph by a criterion: counts, then takes.
template <class Space, class Criterion>
void take_edges(Space const& space, Couplings const& couplings, Criterion const& criterion,
                EdgeRule const& is_edge, StrengthGraph<Space>& graph) {
  auto const rows = couplings.A.rows;
  auto const n = static_cast<std::size_t>(rows), entries = couplings.A.column.size();
  sparse::count_entries(
      space, rows, entries,
      DecideBody<Criterion>{couplings, criterion, is_edge, graph.strong.data(), graph.offsets.data()});
  auto const edges = static_cast<std::size_t>(
      core::exclusive_scan(space, graph.offsets.span().part(0, n), graph.offsets.span()));
  graph.neighbour = Array<Index, Space>(space, edges);
  graph.weight = Array<float, Space>(space, edges);
  sparse::take_entries(space, rows, entries,
                       FillEdgesBody{couplings, is_edge, graph.strong.data(), graph.offsets.data(),
                                     graph.neighbour.data(), graph.weight.data()});
}

/// The graph by the scheme's criterion.
template <class Space>
void decide(Space const& space, Couplings const& couplings, comm::HaloPlan<Space> const& halo,
            EdgeRule const& is_edge, StrengthParameters const& parameters, StrengthGraph<Space>& graph) {
  double const theta = coarsely_rounded(parameters.drop_tolerance);
  switch (parameters.scheme) {
    case DropScheme::classical:
    case DropScheme::distance_laplacian:
      return take_edges(space, couplings, Classical{theta}, is_edge, graph);
    case DropScheme::signed_symmetric:
      return take_edges(space, couplings, SignedSymmetric{theta}, is_edge, graph);
    case DropScheme::signed_classical: {
      auto inverse = with_ghosts<double>(space, halo);
      core::for_each(space, couplings.A.rows, InverseOfLargestBody{couplings.A, inverse.data()});
      fetch_ghosts(space, halo, inverse);
      return take_edges(space, couplings, SignedClassical{theta, inverse.data()}, is_edge, graph);
    }
  }
}

/// The graph of a matrix of nodes; its mask is of that matrix' entries.
template <class Space>
StrengthGraph<Space> node_graph(Space const& space, sparse::CsrView<double> A,
                                comm::HaloPlan<Space> const& halo, Span<double const> diagonal,
                                Span<double const> coordinates, int dimension,
                                StrengthParameters const& parameters, NodeName const& row_of) {
  auto const n = static_cast<std::size_t>(A.rows);
  auto scale = scales(space, halo, diagonal);
  Couplings couplings{A, scale.data()};

  auto dirichlet = with_ghosts<unsigned char>(space, halo);
  core::for_each(
      space, n, DirichletBody{couplings, coarsely_rounded(parameters.dirichlet_threshold), dirichlet.data()});
  fetch_ghosts(space, halo, dirichlet);

  DistanceLaplacian<Space> L;
  if (parameters.scheme == DropScheme::distance_laplacian) {
    L = distance_laplacian(space, couplings, halo, coordinates, dimension, row_of);
    scale = scales(space, halo, L.diagonal.view());
    couplings = {A, scale.data()};
    couplings.A.value = L.value.view();
  }

  StrengthGraph<Space> graph{
      parameters.coupled ? halo : comm::HaloPlan<Space>(space, halo.distribution(), {}),
      Array<Offset, Space>(space, n + 1),
      {},
      {},
      Array<unsigned char, Space>(space, A.column.size())};
  EdgeRule const is_edge{dirichlet.data(), parameters.coupled ? A.columns : A.rows};
  decide(space, couplings, halo, is_edge, parameters, graph);
  return graph;
}

inline void validate(Index rows, std::size_t coordinates, int dimension,
                     StrengthParameters const& parameters) {
  TESSERA_VALIDATE(parameters.equations >= 1, "strength of connection: ", parameters.equations,
                   " equations a node (it takes at least one), set the number of equations");
  TESSERA_VALIDATE(rows % parameters.equations == 0, "strength of connection: ", rows,
                   " rows of a rank are not whole nodes of ", parameters.equations,
                   " equations (nodes are consecutive rows of one rank), set the number of equations to ",
                   "what the matrix has, or keep the rows of a node together");
  TESSERA_VALIDATE(parameters.drop_tolerance >= 0.0, "strength of connection: drop tolerance ",
                   parameters.drop_tolerance, " (it is compared with absolute values), take 0 or more");
  if (parameters.scheme != DropScheme::distance_laplacian) return;
  auto const nodes = static_cast<std::size_t>(rows / parameters.equations);
  TESSERA_VALIDATE(dimension >= 1 && coordinates == nodes * dimension, "distance Laplacian: ", coordinates,
                   " coordinates for ", nodes, " nodes in ", dimension,
                   " dimensions (distances between all nodes are needed), give the coordinates of every ",
                   "node or choose another drop scheme");
}

template <class Space>
StrengthGraph<Space> strength(Space const& space, comm::DistCsr<double, Space> const& A,
                              Span<double const> coordinates, int dimension,
                              StrengthParameters const& parameters) {
  Array<double, Space> diagonal;
  comm::together(A.rows.comm(), [&] { diagonal = checked_diagonal(space, A); });
  return strength(space, A, diagonal.view(), coordinates, dimension, parameters);
}

template <class Space>
StrengthGraph<Space> strength(Space const& space, comm::DistCsr<double, Space> const& A,
                              Span<double const> diagonal, Span<double const> coordinates, int dimension,
                              StrengthParameters const& parameters) {
  comm::together(A.rows.comm(), [&] { validate(A.local.rows, coordinates.size(), dimension, parameters); });
  int const equations = parameters.equations;
  NodeName const row_of = [&](Index node) { return A.row_name(node * equations); };
  if (equations == 1)
    return node_graph(space, A.local.view(), A.halo, diagonal, coordinates, dimension, parameters, row_of);

  bool const with_sign =
      parameters.scheme == DropScheme::signed_classical || parameters.scheme == DropScheme::signed_symmetric;
  auto const nodes = node_matrix(space, A, equations, with_sign ? BlockMeasure::trace : BlockMeasure::norm);
  auto const N = nodes.matrix.local.view();
  Array<double, Space> of_nodes(space, N.rows);
  sparse::row_reduce(space, N, PoisonedDiagonal{}, sparse::StoreProduct<double>{of_nodes.data()});
  auto graph =
      node_graph(space, N, nodes.matrix.halo, of_nodes.view(), coordinates, dimension, parameters, row_of);
  graph.strong = entry_mask(space, A, equations, nodes, graph.strong.view());
  return graph;
}

}  // namespace Tessera::aggregation
