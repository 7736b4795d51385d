#pragma once
/// \file
/// Strength of connection; see strength.hpp.
#include "aggregation/coarse_rounding.hpp"
#include "aggregation/couplings.hpp"
#include "aggregation/diagonal_body.hpp"
#include "aggregation/ghosts.hpp"
#include "aggregation/node_matrix.hpp"
#include "aggregation/strength.hpp"
#include "core/error.hpp"
#include "sparse/engine/for_each_entry.hpp"
#include "sparse/engine/row_select.hpp"

namespace Tessera::aggregation {

/// The scales 1 / sqrt(a_ii), negated for Dirichlet nodes. These are nodes whose off-diagonal entries are all
/// negligible or at most threshold a_ii, and nodes whose mass (row sum) dominates.
struct MarkedScaleBody {
  Couplings couplings;
  double threshold;          ///< coarsely rounded
  double row_sum_tolerance;  ///< coarsely rounded; of |sum_j a_ij| / a_ii; infinite: no mass dominates
  double const* scale;
  double* marked;
  TESSERA_HD bool mass_dominates(Index i, double inverse) const {
    double sum = 0.0;
    for (Offset k = couplings.A.offsets[i]; k < couplings.A.offsets[i + 1]; ++k) sum += couplings.A.value[k];
    return coarsely_rounded(std::fabs(sum) * inverse) > row_sum_tolerance;
  }
  TESSERA_HD void operator()(Index i) const {
    auto const& A = couplings.A;
    double const inverse = couplings.scale[i] * couplings.scale[i];
    bool dirichlet = true;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1] && dirichlet; ++k)
      dirichlet = A.column[k] == i || couplings.scaled(i, k) <= negligible ||
                  coarsely_rounded(std::fabs(A.value[k]) * inverse) <= threshold;
    if (!dirichlet && row_sum_tolerance < HUGE_VAL) dirichlet = mass_dominates(i, inverse);
    marked[i] = dirichlet ? -scale[i] : scale[i];
  }
};

/// 1 / max_k(-a_ik); 0 if no coupling is negative.
struct InverseOfLargestBody {
  sparse::CsrView<double> A;
  double* inverse;
  TESSERA_HD void operator()(Index i) const {
    double largest = 0.0;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      if (A.column[k] != i && -A.value[k] > largest) largest = -A.value[k];
    }
    inverse[i] = largest > 0.0 ? 1.0 / largest : 0.0;
  }
};

/// The criteria. Each gives the same answer from either end of an edge. theta and the values compared with it
/// are coarsely rounded.
struct Classical {
  double theta;
  TESSERA_HD bool operator()(double, double scaled, Index, Index) const {
    return coarsely_rounded(scaled) > theta;
  }
};

struct SignedSymmetric {
  double theta;
  TESSERA_HD bool operator()(double a, double scaled, Index, Index) const {
    return (a < 0.0) & (coarsely_rounded(scaled) > theta);
  }
};

struct SignedClassical {
  double theta;
  double const* inverse;
  TESSERA_HD bool by_row(double a, double, Index i) const {
    return (a < 0.0) & (coarsely_rounded(-a * inverse[i]) >= theta);
  }
  TESSERA_HD bool operator()(double a, double scaled, Index i, Index j) const {
    return by_row(a, scaled, i) | by_row(a, scaled, j);
  }
};

/// Strong entries and edges. The conditions use & and |, not && and ||, so that the compiler decides several
/// entries at once without branches, which would be mispredicted.
template <class Criterion>
struct StrongEdgesBody {
  Couplings couplings;  ///< a node has edges only if its scale is positive
  Criterion criterion;
  Index columns;   ///< columns from here on get no edges; the number of owned nodes if ranks are not coupled
  bool with_sign;  ///< whether weights of positive couplings are negative
  unsigned char* strong;
  TESSERA_HD Offset begin(Index i) const { return couplings.A.offsets[i]; }
  TESSERA_HD Offset end(Index i) const { return couplings.A.offsets[i + 1]; }
  TESSERA_HD bool operator()(Index i, Offset k) const {
    Index const j = couplings.A.column[k];
    double const scaled = couplings.scaled(i, k);
    bool const keep = (j == i) | ((scaled > negligible) & criterion(couplings.A.value[k], scaled, i, j));
    strong[k] = keep ? 1 : 0;
    return keep & may_be_edge(i, j);
  }
  TESSERA_HD bool may_be_edge(Index i, Index j) const {
    return (j != i) & (j < columns) & (couplings.scale[i] > 0.0) & (couplings.scale[j] > 0.0);
  }
  TESSERA_HD void take(Index i, Offset k, Index& neighbour, float& weight) const {
    neighbour = couplings.A.column[k];
    auto const size = static_cast<float>(coarsely_rounded(couplings.scaled(i, k)));
    weight = with_sign && couplings.A.value[k] > 0.0 ? -size : size;
  }
};

/// StrengthGraph::leads: whether an edge of the node is strong by the row of its other end.
template <class Criterion>
struct LeadsBody {
  StrongEdgesBody<Criterion> edges;
  unsigned char* leads;
  TESSERA_HD void operator()(Index i) const {
    auto const& couplings = edges.couplings;
    bool found = false;
    for (Offset k = edges.begin(i); !found && k < edges.end(i); ++k) {
      Index const j = couplings.A.column[k];
      double const scaled = couplings.scaled(i, k);
      found = edges.may_be_edge(i, j) && scaled > negligible &&
              edges.criterion.by_row(couplings.A.value[k], scaled, j);
    }
    leads[i] = found ? 1 : 0;
  }
};

/// Fills the graph by the scheme's criterion. columns: as in StrongEdgesBody.
template <class Space>
void fill_graph(Space const& space, Couplings const& couplings, comm::HaloPlan<Space> const& halo,
                Index columns, StrengthParameters const& parameters, StrengthGraph<Space>& graph) {
  auto const& A = couplings.A;
  double const theta = coarsely_rounded(parameters.drop_tolerance);
  graph.strong = Array<unsigned char, Space>(space, A.column.size());
  bool const by_size = parameters.scheme == DropScheme::classical || parameters.scheme == DropScheme::cut;
  bool const with_sign = by_size && parameters.equations == 1;
  auto const fill = [&](auto const& criterion) {
    StrongEdgesBody<std::decay_t<decltype(criterion)>> const body{couplings, criterion, columns, with_sign,
                                                                  graph.strong.data()};
    if (!parameters.edges) return sparse::for_each_entry(space, A.rows, A.column.size(), body);
    sparse::row_select(space, A.rows, A.column.size(), body, graph.offsets, graph.neighbour, graph.weight);
  };
  auto const fill_by_rows = [&](auto const& criterion) {
    fill(criterion);
    if (!parameters.edges) return;
    using Criterion = std::decay_t<decltype(criterion)>;
    graph.leads = Array<unsigned char, Space>(space, A.rows + 1);  // not empty, also on a rank without rows
    core::for_each(
        space, A.rows,
        LeadsBody<Criterion>{{couplings, criterion, columns, with_sign, nullptr}, graph.leads.data()});
  };
  switch (parameters.scheme) {
    case DropScheme::classical:
    case DropScheme::distance_laplacian:
      return fill(Classical{theta});
    case DropScheme::signed_symmetric:
      return fill(SignedSymmetric{theta});
    case DropScheme::signed_classical: {
      auto inverse = with_ghosts<double>(space, halo);
      core::for_each(space, A.rows, InverseOfLargestBody{A, inverse.data()});
      fetch_ghosts(space, halo, inverse);
      return fill_by_rows(SignedClassical{theta, inverse.data()});
    }
    case DropScheme::cut: {
      auto cut = with_ghosts<double>(space, halo);
      core::for_each(space, A.rows, CutBody{couplings, theta, cut.data()});
      fetch_ghosts(space, halo, cut);
      return fill_by_rows(AboveTheCut{cut.data()});
    }
  }
}

/// The graph of a matrix of nodes. Its mask is for the entries of that matrix.
template <class Space>
StrengthGraph<Space> node_graph(Space const& space, sparse::CsrView<double> A,
                                comm::HaloPlan<Space> const& halo, Span<double const> diagonal,
                                Points const& points, StrengthParameters const& parameters,
                                UserRow const& row_of) {
  auto scale = with_ghosts<double>(space, halo), marked = with_ghosts<double>(space, halo);
  core::for_each(space, diagonal.size(), ScaleBody{diagonal.data(), scale.data()});
  fetch_ghosts(space, halo, scale);
  Couplings couplings{A, scale.data()};
  DistanceLaplacian<Space> L;
  bool const by_distance = parameters.scheme == DropScheme::distance_laplacian;
  if (by_distance) {
    int const measures = parameters.material ? measures_per_node(halo.distribution().comm(), points) : 0;
    L = distance_laplacian(space, couplings, halo, points, measures, row_of);
    core::for_each(space, diagonal.size(), ScaleBody{L.diagonal.data(), marked.data()});
  }
  if (parameters.edges)
    core::for_each(
        space, diagonal.size(),
        MarkedScaleBody{
            couplings, coarsely_rounded(parameters.dirichlet_threshold),
            parameters.row_sum_tolerance > 0.0 ? coarsely_rounded(parameters.row_sum_tolerance) : HUGE_VAL,
            by_distance ? marked.data() : scale.data(), marked.data()});
  if (by_distance) halo.distribution().comm().agree();  // distances have been allocated
  if (parameters.edges || by_distance) {
    fetch_ghosts_agreed(space, halo, marked);
    couplings.scale = marked.data();
  }
  if (by_distance) couplings.A.value = L.value.view();
  StrengthGraph<Space> graph;
  graph.halo = parameters.coupled ? halo : comm::HaloPlan<Space>(halo.distribution());
  fill_graph(space, couplings, halo, parameters.coupled ? A.columns : A.rows, parameters, graph);
  return graph;
}

inline void validate(Index rows, Points const& points, StrengthParameters const& parameters) {
  TESSERA_VALIDATE(parameters.equations >= 1, "strength of connection: ", parameters.equations,
                   " equations per node (at least one is needed), set the number of equations");
  TESSERA_VALIDATE(rows % parameters.equations == 0, "strength of connection: ", rows,
                   " rows of a rank are not whole nodes of ", parameters.equations,
                   " equations (nodes are consecutive rows of one rank), set the number of equations to ",
                   "the matrix's own, or keep the rows of a node together");
  TESSERA_VALIDATE(parameters.drop_tolerance >= 0.0, "strength of connection: drop tolerance ",
                   parameters.drop_tolerance, " (it is compared with absolute values), take 0 or more");
  TESSERA_VALIDATE(parameters.scheme != DropScheme::cut || parameters.drop_tolerance <= 1.0,
                   "strength of connection: drop tolerance ", parameters.drop_tolerance,
                   " (it is a quotient of a row's sorted couplings), take one of 0 to 1");
  TESSERA_VALIDATE(
      parameters.row_sum_tolerance <= 0.0 || parameters.equations == 1,
      "strength of connection: row sums of a matrix of ", parameters.equations,
      " equations per node (row sums measure a mass only for one), leave the tolerance of row sums out");
  if (parameters.scheme != DropScheme::distance_laplacian) return;
  auto const nodes = static_cast<std::size_t>(rows / parameters.equations);
  auto const dimension = static_cast<std::size_t>(std::max(points.dimension, 0));
  TESSERA_VALIDATE(dimension >= 1 && points.coordinates.size() == nodes * dimension,
                   "distance Laplacian: ", points.coordinates.size(), " coordinates for ", nodes,
                   " nodes in ", points.dimension,
                   " dimensions (distances between all nodes are needed), give the coordinates of every ",
                   "node or choose another drop scheme");
  if (!parameters.material) return;
  auto const measures = points.resistance.size();
  TESSERA_VALIDATE(nodes == 0 || measures == nodes || measures == nodes * dimension * dimension,
                   "distance Laplacian: ", measures, " numbers of materials for ", nodes, " nodes in ",
                   dimension, " dimensions (a node has one, or a tensor of dimension^2), give the ",
                   "material of every node or take distances without it");
}

template <class Space>
StrengthGraph<Space> strength(Space const& space, comm::DistCsr<double, Space> const& A, Points const& points,
                              StrengthParameters const& parameters) {
  Array<double, Space> diagonal;
  comm::agree_on_errors(A.rows.comm(), [&] { diagonal = checked_diagonal(space, A); });
  return strength(space, A, diagonal.view(), points, parameters);
}

template <class Space>
StrengthGraph<Space> strength(Space const& space, comm::DistCsr<double, Space> const& A,
                              Span<double const> diagonal, Points const& points,
                              StrengthParameters const& parameters) {
  comm::agree_on_errors(A.rows.comm(), [&] { validate(A.local.rows, points, parameters); });
  int const equations = parameters.equations;
  UserRow const row_of = [&](Index node) { return A.row_name(node * equations); };
  if (equations == 1) return node_graph(space, A.local.view(), A.halo, diagonal, points, parameters, row_of);

  bool const with_sign =
      parameters.scheme == DropScheme::signed_classical || parameters.scheme == DropScheme::signed_symmetric;
  auto const nodes = node_matrix(space, A, equations, with_sign ? BlockMeasure::trace : BlockMeasure::norm);
  auto const N = nodes.matrix.local.view();
  Array<double, Space> of_nodes(space, N.rows);
  sparse::row_reduce(space, N, PoisonedDiagonal{}, sparse::StoreProduct<double>{of_nodes.data()});
  auto graph = node_graph(space, N, nodes.matrix.halo, of_nodes.view(), points, parameters, row_of);
  graph.strong = entry_mask(space, A, equations, nodes, graph.strong.view());
  return graph;
}

}  // namespace Tessera::aggregation
