#pragma once
/// \file
/// A level's matrix, and what setups and refreshes know of it.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <string>

#include "aggregation/strength.hpp"
#include "comm/dist_csr.hpp"
#include "comm/row_checks.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "krylov/lanczos.hpp"
#include "multigrid/node_data.hpp"
#include "multigrid/parameters.hpp"
#include "multigrid/polynomial.hpp"
#include "sparse/engine/row_reduce.hpp"

namespace Tessera::multigrid {

/// A cycle in float has errors of its unit of rounding in the energy of all that it adds up. Where that is
/// more than the energy of some part, such as a square whose neighbours conduct 1e7 times worse, a V-cycle
/// takes a few more iterations, and a K-cycle many. Whatever applies an error's operator twice (W- and
/// F-cycles, several cycles, compositions) becomes indefinite.
constexpr double resolved_by_float = FLT_EPSILON;
/// Entries below this share of their diagonal's are rounding errors of the assembly, not couplings.
constexpr double least_coupling_share = 1e-14;

/// Whether the preconditioner applies an error's operator twice.
inline bool applies_twice(Parameters const& p) {
  return p.cycle == CycleType::W || p.cycle == CycleType::F || p.applications > 1 ||
         p.bootstrap.components > 1;
}

/// By +=, the least.
struct LeastShare {
  double least = HUGE_VAL;
  TESSERA_HD LeastShare& operator+=(LeastShare const& other) {
    if (other.least < least) least = other.least;
    return *this;
  }
};

struct ShareOfDiagonal {
  double const* diagonal;
  TESSERA_HD LeastShare operator()(Index i, Offset, double a, Index) const {
    double const share = fabs(a) / diagonal[i];
    return {share >= least_coupling_share ? share : HUGE_VAL};
  }
};

/// 1 / least.
struct StoreInverseShare {
  double* inverse;
  TESSERA_HD void operator()(Index i, LeastShare const& share) const { inverse[i] = 1 / share.least; }
};

struct TakeNumber {
  double const* of_row;
  TESSERA_HD double operator()(Index i) const { return of_row[i]; }
};

/// The least share that a coupling has of its row's diagonal entry, which is positive. Collective.
template <class Space>
double weakest_coupling(Space const& space, comm::DistCsr<double, Space> const& A,
                        Span<double const> diagonal) {
  Array<double, Space> inverse(space, diagonal.size());
  sparse::row_reduce(space, A.local.view(), ShareOfDiagonal{diagonal.data()},
                     StoreInverseShare{inverse.data()});
  double const largest = core::reduce(space, diagonal.size(), TakeNumber{inverse.data()}, core::Max{}, 0.0);
  return 1 / A.rows.comm().max(largest);
}

/// What is found out about a level's matrix, as it lies on a space.
struct LevelNumbers {
  comm::RowChecks checks;
  double estimate = 0;  ///< of rho(D^-1 A), by Lanczos, or checks.bound where that is what rho comes to
};

/// Whether they are those of a matrix that can be worked with.
inline bool usable(LevelNumbers const& numbers) {
  return std::isfinite(numbers.checks.bound) && std::isfinite(numbers.estimate);
}

/// `max_eigenvalue`, where it holds; else 0.
inline double given_radius(int level, Parameters const& parameters) {
  return level == 0 && parameters.max_eigenvalue > 0 ? parameters.max_eigenvalue : 0;
}

/// The matrix of a level and what its rows are.
template <class Space>
struct LevelMatrix {
  comm::DistCsr<double, Space> const* A = nullptr;
  Array<VertexId, Space> ids;        ///< of the owned nodes
  Array<double, Space> nullspace;    ///< owned rows x vectors, row-major
  Array<double, Space> coordinates;  ///< owned nodes x dimension; empty below the finest level
  Array<double, Space> resistance;   ///< as aggregation::Points'; empty where coordinates are
  bool constant = false;             ///< the near-nullspace is a vector of ones
  bool ones = false;                 ///< and is not stored
  int dimension = 0;
  int equations = 1;  ///< rows a node
  int vectors = 1;
  int level = 0;  ///< its number

  /// Of a level whose matrix and ids are there.
  void archive(core::Archive& file) {
    auto& [matrix, names, B, points, materials, all_ones, unstored, dimensions, rows_of_node, columns,
           number] = *this;
    file(all_ones, unstored, dimensions, rows_of_node, columns);
  }
};

/// What is found out about it, for smoothers, damping and reports.
struct LevelEstimates {
  LevelNumbers* numbers = nullptr;  ///< on the space
  /// The estimate times estimate_safety(), no larger than the row sums allow: smoothers diverge above rho.
  double rho = 0;
  /// The least share that a diagonal entry has of what it was summed from; infinite on the finest level.
  double least_share = HUGE_VAL;
  double weakest_coupling = HUGE_VAL;  ///< weakest_coupling() of the finest level, if the setup needs it
  std::string checksum;                ///< of A
  int check_step = 0;                  ///< of krylov::GershgorinBound

  void archive(core::Archive& file) {
    auto& [found, radius, share, weakest, hash, step] = *this;
    file(radius, share, weakest, hash, step);
  }
};

/// What is there while a setup or a refresh works on the level.
template <class Space>
struct LevelScratch {
  Array<double, Space> diagonal;
  /// What the diagonal was summed from (galerkin/decoupling.hpp); null: it is the finest level's.
  Array<double, Space> const* scale = nullptr;
  double room = HUGE_VAL;  ///< entries that the next level may have where P's smoothing is to blame for them
};

template <class Space>
struct LevelFacts : LevelMatrix<Space>, LevelEstimates, LevelScratch<Space> {
  using LevelMatrix<Space>::A;
  using LevelMatrix<Space>::level;
  using LevelScratch<Space>::diagonal;

  void archive(core::Archive& file) {
    LevelMatrix<Space>::archive(file);
    LevelEstimates::archive(file);
  }

  /// numbers and diagonal: one pass over the rows, and Lanczos, unless the level has no use for rho; then the
  /// estimate stays 0. stored: the rows as krylov::Entries has them.
  /// Returns the number of A's entries. Collective; on one rank waits at most for a look at large levels.
  GlobalIndex find(Space const& space, Parameters const& parameters, bool with_rho,
                   sparse::SellView<float> const& stored = {}) {
    diagonal = Array<double, Space>(space, A->local.rows);
    GlobalIndex nonzeros = 0;
    auto const check = [&] {
      nonzeros = comm::check_rows(space, *A, diagonal.span(), &numbers->checks, smallest_diagonal(parameters),
                                  this->scale == nullptr ? nullptr : this->scale->data());
    };
    if (!with_rho) {
      check();
      return nonzeros;
    }
    krylov::GershgorinBound bound{check};
    if (parameters.coarsening != CoarseningType::smoothed) {  // whose damping takes the estimate itself
      bound.bound = &numbers->checks.bound;
      bound.safety = estimate_safety(parameters);
      bound.check_step = &check_step;
    }
    auto const names = row_ids(space, this->ids.view(), this->equations);
    krylov::spectral_radius(space, *A, diagonal.view(), names.view(), parameters.eigenvalue_steps,
                            {parameters.cycle_in_float, stored}, &numbers->estimate, bound);
    return nonzeros;
  }

  /// rho and checksum, from a copy of numbers that are usable.
  void take(LevelNumbers const& found, Parameters const& parameters) {
    checksum = comm::checksum_text(found.checks.hash);
    least_share = found.checks.share;
    rho = given_radius(level, parameters);
    if (rho == 0) rho = std::min(found.estimate * estimate_safety(parameters), found.checks.bound);
  }

  /// The same of numbers, which are waited for. Collective. \throws core::NumericalError naming level and row
  /// where the diagonal is not positive, or has no inverse in a cycle in float, or a value is not finite
  void check(Space const& space, Parameters const& parameters) {
    auto const found = core::to_vector(space, Span<LevelNumbers const>(numbers, 1)).front();
    if (usable(found)) return take(found, parameters);
    auto const& comm = A->rows.comm();
    comm::agree_on_errors(comm, [&] {
      try {
        aggregation::check_diagonal(space, *A, diagonal.view(), smallest_diagonal(parameters));
      } catch (core::NumericalError const& error) {
        throw core::NumericalError(core::message("level ", level, ": ", error.what()));
      }
    });
    comm.agree();  // ranks whose rows are sound throw what the others do
    throw core::NumericalError(core::message("level ", level, ": the spectral radius of D^-1 A cannot be ",
                                             "estimated (Lanczos met a number that is not finite); ",
                                             "use a symmetric positive definite matrix"));
  }

 private:
  /// Below it, the cycle has no inverse of a diagonal entry.
  static double smallest_diagonal(Parameters const& parameters) {
    return parameters.cycle_in_float ? comm::smallest_in_float : 0;
  }
};

}  // namespace Tessera::multigrid
