// Scalar problems on uniformly refined meshes and on triangulated lattices.
#include <cmath>

#include "core/error.hpp"
#include "gallery/linear_elements.hpp"

namespace Tessera::gallery {

namespace {

/// Dirichlet problem on a refined mesh; boundary vertices have no unknowns.
Problem refined_problem(Mesh mesh, Coupling const& coupling, Options const& options, CommPtr const& comm) {
  find_boundary(mesh);
  for (int times = static_cast<int>(options.at("refinements")); times > 0; --times) mesh = refined(mesh);
  return assemble({mesh, hilbert_order(mesh, on_boundary(mesh)), 1, coupling}, comm);
}

Problem poisson(Mesh mesh, Options const& options, CommPtr const& comm) {
  auto const coupling = laplacian(mesh.dimensions);
  return refined_problem(std::move(mesh), coupling, options, comm);
}

/// -div K grad u with the tensor of RotatedAnisotropy2D, which is that of Bernaschi et al. 2019.
Problem anisotropy(Mesh mesh, Options const& options, CommPtr const& comm) {
  double const eps = options.at("eps"), c = std::cos(options.at("theta")), s = std::sin(options.at("theta"));
  double const xx = eps + c * c, xy = c * s, yy = eps + s * s;
  auto const coupling = [=](double const* a, double const* b, double* block) {
    *block = xx * (a[0] * b[0]) + xy * (a[0] * b[1] + a[1] * b[0]) + yy * (a[1] * b[1]);
  };
  return refined_problem(std::move(mesh), coupling, options, comm);
}

/// The meshes of Brannick et al. 2013, section 5.1: triangulations of perturbed lattices. The paper does not
/// give the size of the perturbation. Here points move by up to a quarter of a side in each direction, which
/// gives the paper's condition numbers in the 1-norm: 1.2e4, 5.0e4 and 2.1e5 for 128, 256 and 512 points a
/// side. The frame has no unknowns, and does not move. Both boundary conditions have the same graph, as the
/// equal coarsening ratios of the paper's tables 5.4 and 5.5 indicate: equation 2.1 with and without its
/// second sum.
Problem lattice_problem(Options const& options, Boundary boundary, CommPtr const& comm) {
  auto const nx = static_cast<Index>(options.at("nx")), ny = static_cast<Index>(options.at("ny"));
  TESSERA_VALIDATE((nx + 2.0) * (ny + 2.0) < 1 << 29, "the lattice of ", nx, " x ", ny,
                   " points is too large (each rank builds the whole mesh); give at most 2^29 points");
  TESSERA_VALIDATE(boundary == Boundary::dirichlet || nx > 1 || ny > 1,
                   "the lattice has one point (a graph Laplacian needs an edge); give a larger --nx or --ny");
  auto const mesh =
      perturbed_lattice(nx, ny, options.at("perturbation"), static_cast<std::uint64_t>(options.at("seed")));
  std::vector<Index> inside;
  for (Index j = 1; j <= ny; ++j) {
    for (Index i = 1; i <= nx; ++i) inside.push_back(i + (nx + 2) * j);
  }
  return assemble({mesh, inside, 1, laplacian(2), boundary}, comm);
}

}  // namespace

Problem unstructured_poisson_2d(Options const& options, CommPtr const& comm) {
  return poisson(unit_square(), options, comm);
}

Problem unstructured_poisson_3d(Options const& options, CommPtr const& comm) {
  return poisson(unit_cube(), options, comm);
}

Problem horseshoe_2d(Options const& options, CommPtr const& comm) {
  return poisson(horseshoe(), options, comm);
}

/// ANI1 (theta 0) and ANI2 (theta pi/8) of Bernaschi et al. 2019. The paper gives tensor, angles, and 168577,
/// 673025 and 2689537 vertices after 6, 7 and 8 refinements, boundary included. Differences here: a coarse
/// mesh of our own (the paper's is from Matlab's PDE toolbox), and no rows for the boundary.
Problem unstructured_anisotropy_2d(Options const& options, CommPtr const& comm) {
  return anisotropy(square_of_52_vertices(), options, comm);
}

/// Case 5a of Bell, Dalton and Olson 2012 has this shape, theta pi/6 and 853761 unknowns; the mesh here
/// differs.
Problem horseshoe_anisotropy_2d(Options const& options, CommPtr const& comm) {
  return anisotropy(horseshoe(), options, comm);
}

Problem delaunay_2d(Options const& options, CommPtr const& comm) {
  return lattice_problem(options, Boundary::dirichlet, comm);
}

Problem neumann_delaunay_2d(Options const& options, CommPtr const& comm) {
  return lattice_problem(options, Boundary::removed, comm);
}

}  // namespace Tessera::gallery
