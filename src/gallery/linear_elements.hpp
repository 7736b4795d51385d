#pragma once
/// \file
/// Stiffness matrices of linear triangles and tetrahedra.
#include <functional>
#include <vector>

#include "gallery/mesh.hpp"
#include "gallery/problem.hpp"

namespace Tessera::gallery {

/// Writes the integrand of the bilinear form for the gradients (d numbers each) of two basis functions:
/// equations x equations values, row-major. An exchange of a and b gives bitwise the transposed block.
using Coupling = std::function<void(double const* a, double const* b, double* block)>;

/// grad u . grad v
inline Coupling laplacian(int dimensions) {
  return [dimensions](double const* a, double const* b, double* block) {
    *block = 0;
    for (int i = 0; i < dimensions; ++i) *block += a[i] * b[i];
  };
}

/// Vertices without unknowns: zero (Dirichlet), or removed with all their edges, which gives the graph
/// Laplacian of the remaining vertices (scalar problems only).
enum class Boundary { dirichlet, removed };

struct LinearElements {
  Mesh const& mesh;
  std::vector<Index> const& vertices;  ///< vertices with unknowns, in the order of the rows
  int equations;
  Coupling coupling;
  Boundary boundary = Boundary::dirichlet;
  bool by_measure = false;  ///< divides each element's integrand by its measure
};

/// Vertices with unknowns in the order of Hilbert's curve, so that blocks of them are compact.
std::vector<Index> hilbert_order(Mesh const& mesh, std::vector<bool> const& boundary);

/// Matrix, kernel, coordinates and equations of a problem. Collective.
Problem assemble(LinearElements const& elements, CommPtr const& comm);

}  // namespace Tessera::gallery
