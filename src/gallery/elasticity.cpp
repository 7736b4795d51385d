// Linear elasticity of isotropic bodies: Galeri's problems on grids, and linear elements on meshes.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.hpp"
#include "galerkin/rigid_body_modes.hpp"
#include "gallery/grid.hpp"
#include "gallery/linear_elements.hpp"
#include "gallery/mesh.hpp"
#include "tpetra/matrix_market.hpp"
#include "tpetra/types.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::gallery {

namespace {

/// Lamé's constants.
struct Lame {
  double lambda, mu;
};

/// For E = 10^9 and nu = 1/4, as in Galeri; plane stress in two dimensions.
Lame galeri_material(int dimensions) {
  double constexpr E = 1e9, nu = 0.25;
  double const lambda = dimensions == 2 ? E * nu / (1 - nu * nu) : E * nu / ((1 + nu) * (1 - 2 * nu));
  return {lambda, E / (2 * (1 + nu))};
}

/// lambda div u div v + 2 mu eps(u) : eps(v) for the gradients a and b of two basis functions:
/// block[direction of u][direction of v]. An exchange of a and b gives bitwise the transposed block.
void strain_energy(Lame const& material, int dimensions, double const* a, double const* b, double* block) {
  auto const [lambda, mu] = material;
  double product = 0;
  for (int d = 0; d < dimensions; ++d) product += a[d] * b[d];
  for (int i = 0; i < dimensions; ++i) {
    for (int j = 0; j < dimensions; ++j) {
      block[i * dimensions + j] = lambda * (a[i] * b[j]) + mu * (a[j] * b[i]) + (i == j ? mu * product : 0);
    }
  }
}

/// Corners of a line, square or cube, counter-clockwise from the origin, lower layer first.
int constexpr corner_at[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                 {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};

int corner_number(int x, int y, int z) {
  return 4 * z + (y == 0 ? x : 3 - x);
}

/// Stiffness matrix of the unit square or cube with multilinear displacements, by the 2^d-point Gauss rule,
/// which is exact here: [corner a][direction i][corner b][direction j].
using Stiffness = std::array<std::array<std::array<std::array<double, 3>, 8>, 3>, 8>;

Stiffness element_stiffness(int dimensions) {
  auto const material = galeri_material(dimensions);
  int const corners = 1 << dimensions;
  double const weight = 1.0 / corners, at[2] = {0.5 - 0.5 / std::sqrt(3.0), 0.5 + 0.5 / std::sqrt(3.0)};
  Stiffness K{};
  for (int g = 0; g < corners; ++g) {
    double slope[8][3] = {};
    for (int a = 0; a < corners; ++a) {
      for (int i = 0; i < dimensions; ++i) {
        slope[a][i] = corner_at[a][i] ? 1 : -1;
        for (int d = 0; d < dimensions; ++d) {
          double const x = at[corner_at[g][d]];
          if (d != i) slope[a][i] *= corner_at[a][d] ? x : 1 - x;
        }
      }
    }
    for (int a = 0; a < corners; ++a) {
      for (int b = 0; b < corners; ++b) {
        double block[9];
        strain_energy(material, dimensions, slope[a], slope[b], block);
        for (int i = 0; i < dimensions; ++i) {
          for (int j = 0; j < dimensions; ++j) K[a][i][b][j] += weight * block[i * dimensions + j];
        }
      }
    }
  }
  return K;
}

/// Galeri's Dirichlet conditions: points with i, j or k = 0 stay in the matrix, with the couplings of one
/// more layer of elements beyond. Couplings between two corners of an element on such sides are multiplied by
/// 2^m, where m is the smaller number of those sides, if Galeri treats the corners as ends of an edge. Galeri
/// decides this by a parity of corner numbers, which in three dimensions also holds for some diagonals of
/// faces. Kept for equality with Galeri's matrix.
bool galeri_edge(int dimensions, int a, int b) {
  int const apart = std::abs(a - b);
  bool const odd = (a + b) % 2 == 1;
  return a == b || (dimensions == 2 ? odd : (apart < 4 && odd) || apart == 4);
}

struct ElasticityRow {
  Grid grid;
  int dimensions;
  Stiffness const* K;

  int dirichlet_sides(Point const& p) const {
    return (p.i == 0) + (p.j == 0) + (dimensions == 3 && p.k == 0);
  }

  void operator()(Point const& p, double* values) const {
    int const m = dimensions, depth = m == 3 ? 1 : 0, corners = 1 << m;
    std::fill_n(values, (m == 3 ? 27 : 9) * m * m, 0.0);
    for (int z = -depth; z <= 0; ++z) {
      for (int y = -1; y <= 0; ++y) {
        for (int x = -1; x <= 0; ++x) {
          bool const exists = inside(grid, p, {x, y, z}) && inside(grid, p, {x + 1, y + 1, z + depth});
          if (!exists) continue;
          int const a = corner_number(-x, -y, -z);
          for (int b = 0; b < corners; ++b) {
            Step const to{x + corner_at[b][0], y + corner_at[b][1], z + corner_at[b][2]};
            int const s = (m == 3 ? 9 * (to.k + 1) : 0) + 3 * (to.j + 1) + to.i + 1;
            add(a, b, factor(p, to, a, b), values + s * m * m);
          }
        }
      }
    }
  }
  double factor(Point const& p, Step const& to, int a, int b) const {
    if (!galeri_edge(dimensions, a, b)) return 1;
    return 1 << std::min(dirichlet_sides(p), dirichlet_sides({p.i + to.i, p.j + to.j, p.k + to.k}));
  }
  void add(int a, int b, double factor, double* block) const {
    for (int i = 0; i < dimensions; ++i) {
      for (int j = 0; j < dimensions; ++j) block[i * dimensions + j] += factor * (*K)[a][i][b][j];
    }
  }
};

/// Point (i, j, k) has the coordinates (i + 1, j + 1, k + 1).
Teuchos::RCP<tpetra::MultiVector> grid_coordinates(Grid const& grid, int dimensions,
                                                   Teuchos::RCP<tpetra::Map const> const& nodes) {
  auto const result =
      Teuchos::rcp(new tpetra::MultiVector(nodes, static_cast<std::size_t>(dimensions), false));
  auto const ids = tpetra::local_elements(*nodes);
  tpetra::WriteColumns const columns(*result, tpetra::Before::forgotten);
  for (std::size_t node = 0; node < columns[0].size(); ++node) {
    auto const p = point(grid, ids[node]);
    GlobalIndex const position[3] = {p.i + 1, p.j + 1, p.k + 1};
    for (int d = 0; d < dimensions; ++d) columns[d][node] = static_cast<double>(position[d]);
  }
  return result;
}

/// Translations, then rotations about the centre of the grid in the planes xy, yz, zx, all with the norm of
/// the first mode. Centre and norms have closed forms, so that the modes do not depend on the number of
/// ranks.
Teuchos::RCP<tpetra::MultiVector> rigid_body_modes(Grid const& grid, int dimensions,
                                                   tpetra::MultiVector const& coordinates,
                                                   Teuchos::RCP<tpetra::Map const> const& rows) {
  int const rotations = dimensions == 3 ? 3 : 1;
  auto const result =
      Teuchos::rcp(new tpetra::MultiVector(rows, static_cast<std::size_t>(dimensions + rotations)));
  double const size[3] = {static_cast<double>(grid.nx), static_cast<double>(grid.ny),
                          static_cast<double>(grid.nz)};
  tpetra::ReadColumns const at(coordinates);
  tpetra::WriteColumns const mode(*result);
  for (std::size_t node = 0; node < at[0].size(); ++node) {
    auto const row = node * static_cast<std::size_t>(dimensions);
    for (int d = 0; d < dimensions; ++d) mode[d][row + d] = 1;
    for (int r = 0; r < rotations; ++r) {
      int const from = r, to = (r + 1) % 3;
      double const scale = std::sqrt(12 / (size[from] * size[from] + size[to] * size[to] - 2));
      mode[dimensions + r][row + from] = -scale * (at[to][node] - (size[to] + 1) / 2);
      mode[dimensions + r][row + to] = scale * (at[from][node] - (size[from] + 1) / 2);
    }
  }
  return result;
}

Problem elasticity(Grid const& grid, int dimensions, CommPtr const& comm) {
  TESSERA_VALIDATE(grid.nx > 1 && grid.ny > 1 && (grid.nz > 1 || dimensions == 2), "the grid has ", grid.nx,
                   " x ", grid.ny, " x ", grid.nz,
                   " points (elements lie between points); give at least two in each direction");
  auto const K = element_stiffness(dimensions);
  Problem problem;
  problem.equations = dimensions;
  problem.matrix =
      grid_matrix(grid, steps(dimensions, dimensions), dimensions, ElasticityRow{grid, dimensions, &K}, comm);
  auto const rows = problem.matrix->getRowMap();
  problem.coordinates = grid_coordinates(grid, dimensions, tpetra::node_map(*rows, dimensions));
  problem.nullspace = rigid_body_modes(grid, dimensions, *problem.coordinates, rows);
  return problem;
}

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

Problem elasticity_2d(Options const& options, CommPtr const& comm) {
  return elasticity(
      {static_cast<GlobalIndex>(options.at("nx")), static_cast<GlobalIndex>(options.at("ny")), 1}, 2, comm);
}

Problem elasticity_3d(Options const& options, CommPtr const& comm) {
  return elasticity({static_cast<GlobalIndex>(options.at("nx")), static_cast<GlobalIndex>(options.at("ny")),
                     static_cast<GlobalIndex>(options.at("nz"))},
                    3, comm);
}

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
