#pragma once
/// \file
/// Test problems by name, as Tpetra matrices. All are symmetric and positive definite, or semidefinite with
/// the given kernel. The numbering of rows does not depend on the number of ranks, and each rank owns a block
/// of rows (tpetra::block_map). So a problem is bitwise the same on any number of ranks.
#include <map>
#include <string>
#include <vector>

#include "tpetra/types.hpp"

namespace Tessera::gallery {

using CommPtr = Teuchos::RCP<Teuchos::Comm<int> const>;

/// Options by name without dashes: {"nx", 100}. Missing options have the defaults of the catalogue.
using Options = std::map<std::string, double>;

/// Kernel of a matrix: zero (regular), or the constant vectors.
enum class Kernel { none, constants };

struct Problem {
  std::string name;
  Teuchos::RCP<tpetra::CrsMatrix> matrix;
  Teuchos::RCP<tpetra::MultiVector> rhs;          ///< make_rhs of kind ones
  Teuchos::RCP<tpetra::MultiVector> nullspace;    ///< rows x modes; null: the constant vector
  Teuchos::RCP<tpetra::MultiVector> coordinates;  ///< nodes x dimensions, on tpetra::node_map; may be null
  int equations = 1;                              ///< consecutive rows of a node
  Kernel kernel = Kernel::none;
};

/// An option of a problem.
struct Parameter {
  enum class Kind { count, refinements, seed, positive, non_negative, below_half, below_sixth, real };
  std::string name;
  double standard;  ///< the default
  Kind kind;
  std::string meaning;
};

/// A problem of the gallery.
struct Entry {
  std::string name;
  std::string meaning;
  std::vector<Parameter> parameters;
  Problem (*make)(Options const& complete, CommPtr const& comm);
};

/// All problems, in the order of help texts.
std::vector<Entry> const& catalogue();

/// Builds a problem. Collective.
/// \throws core::InvalidInput on every rank for an unknown name or option (with suggestions), a value out of
/// range, or more than 2^31 - 1 rows on a rank
Problem make_problem(std::string const& name, Options const& options, CommPtr const& comm);

/// ones; random: a hash of the global index in [-1, 1); consistent: A times ones, so that the solution is
/// ones.
enum class RhsKind { ones, random, consistent };

/// \throws core::InvalidInput for any other name
RhsKind parse_rhs_kind(std::string const& name);

/// Right-hand side on the row map of A. If the kernel is the constants, the range of A has the vectors whose
/// entries sum to zero; then ones and random vectors are odd about the middle row (entry n - 1 - i is minus
/// entry i, a middle row 0), and consistent is A times such ones. Columns after the first are random and
/// distinct, and with consistent A times such vectors. Collective.
Teuchos::RCP<tpetra::MultiVector> make_rhs(RhsKind kind, tpetra::CrsMatrix const& A,
                                           Kernel kernel = Kernel::none, int columns = 1);

// The functions of the catalogue. Options are complete and checked; make_problem sets name and right-hand
// side.
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
