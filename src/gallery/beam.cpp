#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "galerkin/rigid_body_modes.hpp"
#include "gallery/elastic.hpp"
#include "gallery/linear_elements.hpp"
#include "gallery/mesh.hpp"
#include "tpetra/communicator.hpp"
#include "tpetra/compatibility.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::gallery {

namespace {

int constexpr length = 8;

/// 8 x 1 unit squares, each divided into two triangles by its rising diagonal, as in MFEM's beam-tri.mesh.
/// Vertices are numbered row by row.
Mesh coarse_beam() {
  Mesh mesh;
  for (int y = 0; y <= 1; ++y) {
    for (int x = 0; x <= length; ++x) mesh.at.insert(mesh.at.end(), {double(x), double(y)});
  }
  for (Index low = 0; low < length; ++low) {
    auto const high = low + length + 1;
    mesh.elements.insert(mesh.elements.end(), {low, low + 1, high + 1, low, high + 1, high});
  }
  return mesh;
}

Teuchos::RCP<tpetra::MultiVector> rigid_body_modes(Problem const& problem) {
  auto const& map = *problem.matrix->getRowMap();
  tpetra::ReadColumns const at(*problem.coordinates);
  auto const dimensions = at.size();
  std::vector<double> coordinates;
  for (std::size_t node = 0; node < at[0].size(); ++node) {
    for (std::size_t k = 0; k < dimensions; ++k) coordinates.push_back(at[k][node]);
  }
  auto const modes = galerkin::rigid_body_modes(tpetra::communicator(*map.getComm()), coordinates,
                                                static_cast<int>(dimensions));
  auto const count = static_cast<std::size_t>(galerkin::rigid_body_mode_count(static_cast<int>(dimensions)));
  auto const result = Teuchos::rcp(new tpetra::MultiVector(problem.matrix->getRowMap(), count, false));
  tpetra::WriteColumns const columns(*result, tpetra::Before::forgotten);
  for (std::size_t row = 0; row < columns[0].size(); ++row) {
    for (std::size_t mode = 0; mode < count; ++mode) columns[mode][row] = modes[count * row + mode];
  }
  return result;
}

/// Vertices with x = 0 are clamped and have no unknowns; all other boundaries are free.
Problem beam(Mesh const& mesh, Lame const& material, CommPtr const& comm) {
  int const d = mesh.dimensions;
  std::vector<bool> clamped(mesh.vertices());
  for (std::size_t v = 0; v < clamped.size(); ++v) clamped[v] = mesh.at[d * v] == 0;
  auto const coupling = [&](double const* a, double const* b, double* block) {
    strain_energy(material, d, a, b, block);
  };
  auto problem = assemble({mesh, hilbert_order(mesh, clamped), d, coupling}, comm);
  problem.nullspace = rigid_body_modes(problem);
  return problem;
}

}  // namespace

/// LE2D of Bernaschi et al. 2019: plane strain. The paper gives Lamé's constants, the clamped end x = 0, and
/// 33345, 132225 and 526593 vertices after 6, 7 and 8 refinements, which are those of MFEM's beam of 8 x 1.
/// It does not give the traction on the free boundaries, which only changes the right-hand side; the paper
/// solves with ones. Differences here: clamped vertices have no rows (66560 instead of 66690 rows), and the
/// two displacements of a vertex are consecutive.
Problem beam_2d(Options const& options, CommPtr const& comm) {
  auto mesh = coarse_beam();
  for (int times = static_cast<int>(options.at("refinements")); times > 0; --times) mesh = refined(mesh);
  return beam(mesh, {1.7, 0.42}, comm);
}

/// Small elements are stiff, so that they keep their shape when the boundary moves: E = 1 / area (Tezduyar et
/// al. 1992), nu = 1/4, plane strain. The lattice is graded in x and y.
Problem mesh_deformation_2d(Options const& options, CommPtr const& comm) {
  auto mesh = perturbed_lattice(static_cast<Index>(options.at("nx")), static_cast<Index>(options.at("ny")),
                                options.at("perturbation"), static_cast<std::uint64_t>(options.at("seed")));
  double const rate = std::log(options.at("grading")) / 2;
  TESSERA_VALIDATE(rate >= 0 && rate < 100, "grading is ", options.at("grading"),
                   " (the ratio of the largest area to the smallest); give 1 to 1e80");
  if (rate > 0)
    for (auto& x : mesh.at) x = std::expm1(rate * x) / std::expm1(rate);
  find_boundary(mesh);
  auto const coupling = [](double const* a, double const* b, double* block) {
    strain_energy({0.4, 0.4}, 2, a, b, block);
  };
  LinearElements elements{mesh, hilbert_order(mesh, on_boundary(mesh)), 2, coupling};
  elements.by_measure = true;
  auto problem = assemble(elements, comm);
  problem.nullspace = rigid_body_modes(problem);
  return problem;
}

/// A beam of unit cubes of perturbed tetrahedra, with the material of Elasticity3D.
Problem tetrahedra_beam_3d(Options const& options, CommPtr const& comm) {
  double const nx = options.at("nx"), ny = options.at("ny"), nz = options.at("nz");
  TESSERA_VALIDATE((nx + 1) * (ny + 1) * (nz + 1) < 1 << 28, "the beam of ", nx, " x ", ny, " x ", nz,
                   " cubes is too large (each rank builds the whole mesh); give at most 2^28 points");
  auto const mesh =
      box_of_tetrahedra(static_cast<Index>(nx), static_cast<Index>(ny), static_cast<Index>(nz),
                        options.at("perturbation"), static_cast<std::uint64_t>(options.at("seed")));
  return beam(mesh, galeri_material(3), comm);
}

}  // namespace Tessera::gallery
