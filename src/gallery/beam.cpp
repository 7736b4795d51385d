#include <algorithm>

#include "galerkin/rigid_body_modes.hpp"
#include "gallery/linear_elements.hpp"
#include "tpetra/communicator.hpp"
#include "tpetra/compatibility.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::gallery {

namespace {

int constexpr length = 8;

/// 8 x 1 unit squares, each in two triangles by its rising diagonal, as in MFEM's beam-tri.mesh. Vertices row
/// by row.
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

/// Plane strain, lambda div u div v + 2 mu eps(u) : eps(v), with the constants of Bernaschi et al. 2019.
void strain_energy(double const* a, double const* b, double* block) {
  double constexpr lambda = 1.7, mu = 0.42;
  double const product = a[0] * b[0] + a[1] * b[1];
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      block[2 * i + j] = lambda * (a[i] * b[j]) + mu * (a[j] * b[i]) + (i == j ? mu * product : 0);
    }
  }
}

Teuchos::RCP<tpetra::MultiVector> rigid_body_modes(Problem const& problem) {
  auto const& map = *problem.matrix->getRowMap();
  tpetra::ReadColumns const at(*problem.coordinates);
  std::vector<double> coordinates;
  for (std::size_t node = 0; node < at[0].size(); ++node)
    coordinates.insert(coordinates.end(), {at[0][node], at[1][node]});
  auto const modes = galerkin::rigid_body_modes(tpetra::communicator(*map.getComm()), coordinates, 2);
  auto const result = Teuchos::rcp(new tpetra::MultiVector(problem.matrix->getRowMap(), 3, false));
  tpetra::WriteColumns const columns(*result, tpetra::Before::forgotten);
  for (std::size_t row = 0; row < columns[0].size(); ++row) {
    for (std::size_t mode = 0; mode < 3; ++mode) columns[mode][row] = modes[3 * row + mode];
  }
  return result;
}

}  // namespace

/// LE2D of Bernaschi et al. 2019: theirs are Lamé's constants, the end x = 0 that is clamped, and the numbers
/// of vertices, 33345, 132225 and 526593 after 6, 7 and 8 refinements, which are those of MFEM's beam of 8
/// x 1. The traction on the other boundaries, which they do not give, stands in the right-hand side only, and
/// they solve with that of ones. Ours: the clamped vertices are left out (66690 rows with them, 66560
/// without), and the two displacements of a vertex are consecutive.
Problem beam_2d(Options const& options, CommPtr const& comm) {
  auto mesh = coarse_beam();
  for (int times = static_cast<int>(options.at("refinements")); times > 0; --times) mesh = refined(mesh);
  std::vector<bool> clamped(mesh.vertices());
  for (std::size_t v = 0; v < clamped.size(); ++v) clamped[v] = mesh.at[2 * v] == 0;
  auto problem = assemble({mesh, along_hilberts_curve(mesh, clamped), 2, strain_energy}, comm);
  problem.nullspace = rigid_body_modes(problem);
  return problem;
}

}  // namespace Tessera::gallery
