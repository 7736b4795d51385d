#pragma once
/// \file
/// Test problems by name, as Tpetra matrices. All are symmetric and positive definite, or semidefinite where
/// their kernel says so. Rows are numbered without regard to the number of ranks, and each rank owns a block
/// of them (tpetra::block_map), so that a problem is the same on any number of ranks, bit by bit.
#include <map>
#include <string>
#include <vector>

#include "tpetra/types.hpp"

namespace Tessera::gallery {

/// Options by name without the dashes: {"nx", 100}. Those not given have the defaults of the catalogue.
using Options = std::map<std::string, double>;

/// Of a matrix: nothing (regular), or the constant vectors.
enum class Kernel { none, constants };

struct Problem {
  std::string name;
  Teuchos::RCP<tpetra::CrsMatrix> matrix;
  Teuchos::RCP<tpetra::MultiVector> rhs;          ///< ones, as make_rhs makes them
  Teuchos::RCP<tpetra::MultiVector> nullspace;    ///< rows x modes; null: the constant vector
  Teuchos::RCP<tpetra::MultiVector> coordinates;  ///< nodes x dimensions, on tpetra::node_map; may be null
  int equations = 1;                              ///< consecutive rows that make a node
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
  Problem (*make)(Options const& complete, Teuchos::RCP<Teuchos::Comm<int> const> const& comm);
};

/// What there is, in the order in which help lists it.
std::vector<Entry> const& catalogue();

/// Collective.
/// \throws core::InvalidInput, on every rank: unknown name or option (with suggestions), an option that this
/// problem does not have, a value out of range, more than 2^31 - 1 rows a rank
Problem make_problem(std::string const& name, Options const& options,
                     Teuchos::RCP<Teuchos::Comm<int> const> const& comm);

/// ones; random: in [-1, 1), a hash of the global index; consistent: A times ones, so that the solution is
/// ones.
enum class RhsKind { ones, random, consistent };

/// \throws core::InvalidInput on any other name
RhsKind parse_rhs_kind(std::string const& name);

/// On the row map of A. In the range of a matrix whose kernel are the constants lie the vectors whose entries
/// sum to zero: there, ones and random vectors are odd about the middle row (the last has the first one's
/// value with the other sign, and so on; a middle row 0), and consistent is A times such ones. Of several
/// columns those behind the first are random, each its own, with consistent A times such. Collective.
Teuchos::RCP<tpetra::MultiVector> make_rhs(RhsKind kind, tpetra::CrsMatrix const& A,
                                           Kernel kernel = Kernel::none, int columns = 1);

}  // namespace Tessera::gallery
