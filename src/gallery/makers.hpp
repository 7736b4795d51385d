#pragma once
/// \file
/// Functions that build the problems of the catalogue. Options are complete and checked; make_problem sets
/// name and right-hand side.
#include "gallery/problem.hpp"

namespace Tessera::gallery {

using CommPtr = Teuchos::RCP<Teuchos::Comm<int> const>;

Problem laplace_2d(Options const& options, CommPtr const& comm);
Problem star_2d(Options const& options, CommPtr const& comm);
Problem laplace_3d(Options const& options, CommPtr const& comm);
Problem brick_3d(Options const& options, CommPtr const& comm);
Problem rotated_anisotropy_2d(Options const& options, CommPtr const& comm);
Problem darcy_3d(Options const& options, CommPtr const& comm);
Problem apache_like_3d(Options const& options, CommPtr const& comm);
Problem random_network_2d(Options const& options, CommPtr const& comm);
Problem elasticity_2d(Options const& options, CommPtr const& comm);
Problem elasticity_3d(Options const& options, CommPtr const& comm);
Problem unstructured_poisson_2d(Options const& options, CommPtr const& comm);
Problem unstructured_poisson_3d(Options const& options, CommPtr const& comm);
Problem horseshoe_2d(Options const& options, CommPtr const& comm);
Problem neumann_laplace_2d(Options const& options, CommPtr const& comm);
Problem neumann_laplace_3d(Options const& options, CommPtr const& comm);
Problem delaunay_2d(Options const& options, CommPtr const& comm);
Problem neumann_delaunay_2d(Options const& options, CommPtr const& comm);
Problem unstructured_anisotropy_2d(Options const& options, CommPtr const& comm);
Problem horseshoe_anisotropy_2d(Options const& options, CommPtr const& comm);
Problem beam_2d(Options const& options, CommPtr const& comm);
Problem tetrahedra_beam_3d(Options const& options, CommPtr const& comm);
Problem mesh_deformation_2d(Options const& options, CommPtr const& comm);
Problem pose_graph_2d(Options const& options, CommPtr const& comm);
Problem holstein_hubbard(Options const& options, CommPtr const& comm);

}  // namespace Tessera::gallery
