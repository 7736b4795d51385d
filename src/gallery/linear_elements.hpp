#pragma once
/// \file
/// Stiffness matrices of linear triangles and tetrahedra.
#include <functional>
#include <vector>

#include "gallery/makers.hpp"
#include "gallery/mesh.hpp"

namespace Tessera::gallery {

/// Writes the bilinear form's integrand at the gradients (d numbers each) of two basis functions: equations x
/// equations values, row-major. With a and b exchanged the block is transposed, bit by bit.
using Coupling = std::function<void(double const* a, double const* b, double* block)>;

/// grad u . grad v
inline Coupling laplacian(int dimensions) {
  return [dimensions](double const* a, double const* b, double* block) {
    *block = 0;
    for (int i = 0; i < dimensions; ++i) *block += a[i] * b[i];
  };
}

/// Vertices without unknowns: zero (Dirichlet), or cut off with all edges to them, which leaves the graph
/// Laplacian of the others (scalar problems only).
enum class Held { at_zero, cut_off };

struct LinearElements {
  Mesh const& mesh;
  std::vector<Index> const& vertices;  ///< those with unknowns, in the order of their numbers
  int equations;
  Coupling coupling;
  Held held = Held::at_zero;
  bool by_measure = false;  ///< each element's integrand over its measure: small ones are stiff
};

/// The vertices that are not held, in the order of Hilbert's curve, so that blocks of them are compact.
std::vector<Index> along_hilberts_curve(Mesh const& mesh, std::vector<bool> const& held);

/// Matrix, kernel, coordinates and equations of a problem. Collective.
Problem assemble(LinearElements const& elements, CommPtr const& comm);

}  // namespace Tessera::gallery
