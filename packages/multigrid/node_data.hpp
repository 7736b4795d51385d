#pragma once
/// \file
/// Near-nullspace vectors and ids of rows, on the space.
#include <algorithm>
#include <vector>

#include "core/array.hpp"
#include "core/parallel.hpp"
#include "multigrid/parameters.hpp"

namespace Tessera::multigrid {

/// Constants: column c is 1 in equation c of every node.
struct ConstantNullspace {
  int equations;
  Span<double> B;
  TESSERA_HD void operator()(Index i) const {
    for (int c = 0; c < equations; ++c)
      B[static_cast<std::size_t>(i) * equations + c] = i % equations == c ? 1.0 : 0.0;
  }
};

struct InterleaveColumn {
  double const* column;
  int count, which;
  double* rows;
  TESSERA_HD void operator()(Index i) const { rows[static_cast<Offset>(i) * count + which] = column[i]; }
};

/// rows x columns, row-major: of columns on the space, if there are any, or else of numbers on the host.
template <class Space>
Array<double, Space> row_major_on(Space const& space, std::size_t rows, std::vector<double> const& values,
                                  std::vector<double const*> const& columns) {
  if (columns.empty()) return core::to_space(space, values);
  auto const count = static_cast<int>(columns.size());
  Array<double, Space> result(space, rows * columns.size());
  for (int c = 0; c < count; ++c)
    core::for_each(space, rows, InterleaveColumn{columns[c], count, c, result.data()});
  return result;
}

template <class Space>
Array<double, Space> coordinates_on(Space const& space, NearNullspace const& given, std::size_t nodes) {
  return row_major_on(space, nodes, given.coordinates, given.coordinate_columns);
}

struct IsNotOne {
  double const* x;
  TESSERA_HD int operator()(Index i) const { return x[i] != 1 ? 1 : 0; }
};

/// Whether all given values are 1 on this rank, as without values.
template <class Space>
bool only_ones(Space const& space, NearNullspace const& given, std::size_t rows) {
  auto const is_one = [](double x) { return x == 1; };
  auto const has_ones = [&](double const* x) {
    return core::reduce(space, rows, IsNotOne{x}, core::Max{}, 0) == 0;
  };
  return std::all_of(given.values.begin(), given.values.end(), is_one) &&
         std::all_of(given.value_columns.begin(), given.value_columns.end(), has_ones);
}

/// rows x vectors, row-major: the given vectors, rigid-body modes, or constants. coordinates: the given ones,
/// on the space.
template <class Space>
Array<double, Space> near_nullspace_on(Space const& space, NearNullspace const& given, std::size_t rows,
                                       int equations, Span<double const> coordinates) {
  if (given.rigid_body.dimension > 0) {
    Array<double, Space> modes(space, rows * given.vectors);
    core::for_each(space, rows / given.rigid_body.dimension,
                   galerkin::RigidBodyModesBody{given.rigid_body, coordinates, modes.span()});
    return modes;
  }
  if (given.vectors > 0) return row_major_on(space, rows, given.values, given.value_columns);
  Array<double, Space> constants(space, rows * equations);
  core::for_each(space, rows, ConstantNullspace{equations, constants.span()});
  return constants;
}

/// Copies one of several vectors.
struct CopyVector {
  double const* vectors;
  int count, which;
  double* picked;
  TESSERA_HD void operator()(Index i) const { picked[i] = vectors[static_cast<Offset>(i) * count + which]; }
};

/// A row's persistent id: node id * equations + number of the row in its node.
struct RowIds {
  Span<VertexId const> node;
  int equations;
  Span<VertexId> row;
  TESSERA_HD void operator()(Index i) const { row[i] = node[i / equations] * equations + i % equations; }
};

/// Ids of rows. If nodes are rows, borrows the nodes' ids.
template <class Space>
Array<VertexId, Space> row_ids(Space const& space, Span<VertexId const> ids, int equations) {
  if (equations == 1) return Array<VertexId, Space>::borrowed(space, ids);
  Array<VertexId, Space> result(space, ids.size() * equations);
  core::for_each(space, result.size(), RowIds{ids, equations, result.span()});
  return result;
}

}  // namespace Tessera::multigrid
