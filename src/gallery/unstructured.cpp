// Scalar problems on uniformly refined meshes.
#include <cmath>

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

}  // namespace Tessera::gallery
