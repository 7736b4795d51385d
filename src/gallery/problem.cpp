#include "gallery/problem.hpp"

#include <cmath>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "parameters/messages.hpp"
#include "tpetra/types.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::gallery {

namespace {

using Kind = Parameter::Kind;
using Parameters = std::vector<Parameter>;

Parameters grid_2d(double n) {
  return {{"nx", n, Kind::count, "grid points in x"}, {"ny", n, Kind::count, "grid points in y"}};
}

Parameters grid_3d(double n) {
  auto parameters = grid_2d(n);
  parameters.push_back({"nz", n, Kind::count, "grid points in z"});
  return parameters;
}

Parameters with(Parameters parameters, Parameters const& more) {
  parameters.insert(parameters.end(), more.begin(), more.end());
  return parameters;
}

Parameters anisotropic(Parameters parameters) {
  return with(std::move(parameters), {{"eps", 1e-3, Kind::positive, "the weak diffusion e"},
                                      {"theta", std::acos(-1.0) / 8, Kind::real, "the angle t in radians"}});
}

Parameters lattice(double n) {
  return with(grid_2d(n), {{"perturbation", 0.25, Kind::below_half,
                            "largest displacement of points, in sides of the lattice"},
                           {"seed", 0, Kind::seed, "seed of the random numbers"}});
}

Parameters refined(double times) {
  return {{"refinements", times, Kind::refinements, "number of refinements of the coarse mesh"}};
}

std::string joined(std::vector<std::string> const& names, char const* before) {
  std::string text;
  for (auto const& name : names) text += (text.empty() ? "" : ", ") + (before + name);
  return text;
}

Entry const& find(std::string const& name) {
  std::vector<std::string> names;
  for (auto const& entry : catalogue()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  throw core::InvalidInput(core::message("\"", name, "\" is not a problem of the gallery",
                                         parameters::hint(name, names), " (problems: ", joined(names, ""),
                                         ")"));
}

void check(std::string const& problem, Parameter const& parameter, double value) {
  using Kind = Parameter::Kind;
  auto const require = [&](bool fulfilled, char const* wanted) {
    TESSERA_VALIDATE(fulfilled, "problem ", problem, ": --", parameter.name, " ", value, " is not ", wanted,
                     " (", parameter.meaning, ")");
  };
  bool const finite = std::isfinite(value), whole = finite && value == std::trunc(value);
  switch (parameter.kind) {
    case Kind::count:
      return require(whole && 1 <= value && value <= 2147483647, "a whole number from 1 to 2^31 - 1");
    case Kind::refinements:
      return require(whole && 0 <= value && value <= 12, "a whole number from 0 to 12");
    case Kind::seed:
      return require(whole && 0 <= value && value <= 9007199254740992, "a whole number from 0 to 2^53");
    case Kind::positive:
      return require(finite && value > 0, "a positive number");
    case Kind::non_negative:
      return require(finite && value >= 0, "a number of at least 0");
    case Kind::below_half:
      return require(finite && 0 <= value && value < 0.5, "a number from 0 to below 0.5");
    case Kind::below_sixth:
      return require(finite && 0 <= value && 6 * value < 1, "a number from 0 to below 1/6");
    case Kind::real:
      return require(finite, "a finite number");
  }
}

Options completed(Entry const& entry, Options const& given) {
  Options complete;
  std::vector<std::string> known;
  for (auto const& parameter : entry.parameters) {
    complete[parameter.name] = parameter.standard;
    known.push_back(parameter.name);
  }
  for (auto const& [name, value] : given) {
    TESSERA_VALIDATE(complete.count(name) == 1, "problem ", entry.name, " has no option --", name,
                     parameters::hint(name, known), " (options: ", joined(known, "--"), ")");
    complete[name] = value;
  }
  for (auto const& parameter : entry.parameters) check(entry.name, parameter, complete[parameter.name]);
  return complete;
}

}  // namespace

std::vector<Entry> const& catalogue() {
  static std::vector<Entry> const entries{
      {"Laplace2D", "5-point Laplacian (4, -1) on a rectangle, Dirichlet", grid_2d(256), laplace_2d},
      {"Star2D", "9-point Laplacian (8, -1) on a rectangle, Dirichlet", grid_2d(256), star_2d},
      {"Laplace3D", "7-point Laplacian (6, -1) in a box, Dirichlet", grid_3d(64), laplace_3d},
      {"Brick3D", "27-point Laplacian (26, -1) in a box, Dirichlet", grid_3d(48), brick_3d},
      {"Elasticity2D", "plane stress, bilinear elements, Galeri's, with rigid-body modes", grid_2d(128),
       elasticity_2d},
      {"Elasticity3D", "linear elasticity, trilinear elements, Galeri's, with rigid-body modes", grid_3d(24),
       elasticity_3d},
      {"RotatedAnisotropy2D",
       "-div K grad u, K = [e + cos^2 t, cos t sin t; cos t sin t, e + sin^2 t], bilinear elements on the "
       "unit "
       "square, Dirichlet",
       anisotropic(grid_2d(256)), rotated_anisotropy_2d},
      {"Darcy3D", "cell-centred finite volumes, lognormal permeability, no-flow boundary, first cell pinned",
       with(grid_3d(40),
            {{"sigma", 1, Kind::non_negative, "standard deviation of the permeability's logarithm"},
             {"seed", 0, Kind::seed, "seed of the random numbers"}}),
       darcy_3d},
      {"ApacheLike3D",
       "7-point box, couplings 30000, 12, 12; Neumann ends on the strong axis, Dirichlet on all other sides",
       {{"nx", 8, Kind::count, "grid points along the strong axis"},
        {"ny", 301, Kind::count, "grid points in y"},
        {"nz", 297, Kind::count, "grid points in z"}},
       apache_like_3d},
      {"RandomNetwork2D", "5-point network of random conductances on a rectangle, zero at both ends in y",
       with(grid_2d(256), {{"decades", 1.5, Kind::non_negative, "d of the conductances 10^uniform(-d, d)"},
                           {"seed", 0, Kind::seed, "seed of the random numbers"}}),
       random_network_2d},
      {"UnstructuredPoisson2D", "linear triangles on an irregular mesh of the unit square, Dirichlet",
       refined(5), unstructured_poisson_2d},
      {"UnstructuredPoisson3D", "linear tetrahedra on an irregular mesh of the unit cube, Dirichlet",
       refined(3), unstructured_poisson_3d},
      {"Horseshoe2D", "linear triangles on an irregular mesh of a horseshoe, Dirichlet", refined(5),
       horseshoe_2d},
      {"NeumannLaplace2D", "Laplacian of the 5-point graph on a rectangle; constants in the kernel",
       grid_2d(256), neumann_laplace_2d},
      {"NeumannLaplace3D", "Laplacian of the 7-point graph in a box; constants in the kernel", grid_3d(64),
       neumann_laplace_3d},
      {"Delaunay2D", "linear triangles on the Delaunay mesh of a perturbed lattice, Dirichlet", lattice(256),
       delaunay_2d},
      {"NeumannDelaunay2D", "graph Laplacian, Delaunay2D without its boundary; constants in the kernel",
       lattice(256), neumann_delaunay_2d},
      {"UnstructuredAnisotropy2D",
       "-div K grad u, K of RotatedAnisotropy2D, linear triangles on an irregular mesh of the unit square, "
       "Dirichlet",
       anisotropic(refined(6)), unstructured_anisotropy_2d},
      {"HorseshoeAnisotropy2D", "-div K grad u, K of RotatedAnisotropy2D, on Horseshoe2D's mesh",
       anisotropic(refined(5)), horseshoe_anisotropy_2d},
      {"Beam2D", "plane strain, linear triangles, a beam of 8 x 1 clamped at one end, with rigid-body modes",
       refined(6), beam_2d},
      {"TetrahedraBeam3D",
       "linear elasticity, linear tetrahedra, a beam clamped at one end in x, with rigid-body modes",
       {{"nx", 96, Kind::count, "cubes along the beam, each in six tetrahedra"},
        {"ny", 12, Kind::count, "cubes in y"},
        {"nz", 12, Kind::count, "cubes in z"},
        {"perturbation", 0.15, Kind::below_sixth, "largest displacement of inner points, in sides of a cube"},
        {"seed", 0, Kind::seed, "seed of the random numbers"}},
       tetrahedra_beam_3d},
      {"MeshDeformation2D",
       "plane strain, linear triangles of stiffness 1 / area on a graded Delaunay mesh, fixed "
       "boundary, with rigid-body modes",
       with(lattice(64),
            {{"grading", 1e9, Kind::positive, "approximate ratio of the largest area to the smallest"}}),
       mesh_deformation_2d},
      {"PoseGraph2D",
       "Gauss-Newton matrix of the poses (x, y, heading) of a robot that moves through the rows of a grid",
       with(grid_2d(64),
            {{"closures", 0.1, Kind::non_negative, "share of points with a measurement to the next row"},
             {"heading", 100, Kind::positive, "weight of a measured heading; positions have the weight 1"},
             {"seed", 0, Kind::seed, "seed of the random numbers"}}),
       pose_graph_2d},
      {"HolsteinHubbard",
       "electrons and lattice vibrations on a ring, shifted to a positive definite matrix",
       {{"sites", 6, Kind::count, "sites of the ring"},
        {"electrons", 6, Kind::count, "electrons, half of them up"},
        {"phonons", 3, Kind::count, "largest total number of phonons"},
        {"hopping", 1, Kind::non_negative, "t, hopping of an electron to a neighbouring site"},
        {"repulsion", 4, Kind::non_negative, "U, repulsion of two electrons on a site"},
        {"frequency", 1, Kind::positive, "omega, frequency of the vibrations"},
        {"coupling", 1, Kind::non_negative, "g, coupling of electrons and vibrations"}},
       holstein_hubbard}};
  return entries;
}

Problem make_problem(std::string const& name, Options const& options, CommPtr const& comm) {
  auto const& entry = find(name);
  auto problem = entry.make(completed(entry, options), comm);
  problem.name = name;
  problem.rhs = make_rhs(RhsKind::ones, *problem.matrix, problem.kernel);
  return problem;
}

RhsKind parse_rhs_kind(std::string const& name) {
  if (name == "ones") return RhsKind::ones;
  if (name == "random") return RhsKind::random;
  if (name == "consistent") return RhsKind::consistent;
  std::vector<std::string> const known{"ones", "random", "consistent"};
  throw core::InvalidInput(core::message("\"", name, "\" is not a kind of right-hand side",
                                         parameters::hint(name, known), " (kinds: ", joined(known, ""), ")"));
}

Teuchos::RCP<tpetra::MultiVector> make_rhs(RhsKind kind, tpetra::CrsMatrix const& A, Kernel kernel,
                                           int columns) {
  auto const map = A.getRowMap();
  auto const rhs = Teuchos::rcp(new tpetra::MultiVector(map, columns, false));
  {
    auto const ids = tpetra::local_elements(*map);
    auto const last = map->getMaxAllGlobalIndex();
    tpetra::WriteColumns const b(*rhs, tpetra::Before::forgotten);
    for (std::size_t k = 0; k < b.size() * b[0].size(); ++k) {
      auto const c = k / b[0].size(), i = k % b[0].size();
      bool const mirrored = kernel == Kernel::constants && 2 * ids[i] > last;
      bool const middle = kernel == Kernel::constants && 2 * ids[i] == last;
      bool const random = kind == RhsKind::random || c > 0;
      double const value = random ? core::uniform(mirrored ? last - ids[i] : ids[i], c) : 1;
      b[c][i] = middle ? 0 : mirrored ? -value : value;
    }
  }
  if (kind == RhsKind::consistent) {
    tpetra::MultiVector const x(*rhs, Teuchos::Copy);
    A.apply(x, *rhs);
  }
  return rhs;
}

}  // namespace Tessera::gallery
