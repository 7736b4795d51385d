#pragma once
/// \file
/// A level's matrix, with the facts that setups and refreshes compute about it.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>
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

/// A cycle in float has a relative error of one rounding unit in the energy of all that it sums. That error
/// may exceed the energy of some part, such as a square whose neighbours conduct 1e7 times worse. Then a
/// V-cycle takes a few more iterations, a K-cycle many. Preconditioners that apply an error operator twice
/// (W- and F-cycles, several cycles, compositions) become indefinite.
constexpr double resolved_by_float = FLT_EPSILON;
/// Entries below this share of their diagonal entry are rounding errors of the assembly, not couplings.
constexpr double least_coupling_share = 1e-14;

/// Whether the preconditioner applies an error operator twice.
inline bool applies_twice(Parameters const& p) {
  return p.cycle == CycleType::W || p.cycle == CycleType::F || p.applications > 1 ||
         p.bootstrap.components > 1;
}

/// The minimum; += takes the smaller one.
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

/// The least |a_ij| / a_ii of all couplings; a_ii > 0. Collective.
template <class Space>
double weakest_coupling(Space const& space, comm::DistCsr<double, Space> const& A,
                        Span<double const> diagonal) {
  Array<double, Space> inverse(space, diagonal.size());
  sparse::row_reduce(space, A.local.view(), ShareOfDiagonal{diagonal.data()},
                     StoreInverseShare{inverse.data()});
  double const largest =
      core::reduce(space, diagonal.size(), core::Load<double>{inverse.data()}, core::Max{}, 0.0);
  return 1 / A.rows.comm().max(largest);
}

/// Sums of the magnitudes of a row's entries off the diagonal, by sign.
struct CouplingsBySign {
  double negative = 0, positive = 0;
  TESSERA_HD CouplingsBySign& operator+=(CouplingsBySign const& other) {
    negative += other.negative;
    positive += other.positive;
    return *this;
  }
};

struct SplitCoupling {
  TESSERA_HD CouplingsBySign operator()(Index i, Offset, double a, Index c) const {
    return {c != i && a < 0 ? -a : 0, c != i && a > 0 ? a : 0};
  }
};

/// 1 for a row whose positive couplings exceed a quarter of its negative ones. The factor exceeds 1/4, so
/// that rounding errors do not mark rows with that ratio.
struct MarkPositiveRow {
  unsigned char* mark;
  TESSERA_HD void operator()(Index i, CouplingsBySign const& sums) const {
    mark[i] = sums.positive > 0.250001 * sums.negative ? 1 : 0;
  }
};

/// Whether positive couplings exceed a quarter of the negative ones in at most a tenth of all rows.
/// Collective.
template <class Space>
bool mostly_negative_couplings(Space const& space, comm::DistCsr<double, Space> const& A) {
  auto const rows = static_cast<std::size_t>(A.local.rows);
  Array<unsigned char, Space> mark(space, rows);
  sparse::row_reduce(space, A.local.view(), SplitCoupling{}, MarkPositiveRow{mark.data()});
  auto const marked = core::sum(space, rows, core::Load<unsigned char, Offset>{mark.data()});
  return 10 * A.rows.comm().sum(GlobalIndex{marked}) <= A.rows.global_size();
}

/// The least number of entries of levels that HalfLevels::automatic takes. On an H200, cycles of smaller
/// matrices lie in the cache, and take as long in float. On a host, solves in Half take longer.
template <class Space>
GlobalIndex least_entries_in_half(Parameters const& parameters) {
  if (parameters.half_from >= 0) return parameters.half_from;
  return core::SpaceTraits<Space>::coalesces ? GlobalIndex{1} << 23 : std::numeric_limits<GlobalIndex>::max();
}

/// Numbers of a level's matrix, on the space.
struct LevelNumbers {
  comm::RowChecks checks;
  double estimate = 0;  ///< of rho(D^-1 A), by Lanczos, or checks.bound if the estimate reaches it
};

/// Whether all numbers are finite, so that the matrix can be used.
inline bool usable(LevelNumbers const& numbers) {
  return std::isfinite(numbers.checks.bound) && std::isfinite(numbers.estimate);
}

/// `max_eigenvalue` if given, on the finest level; else 0.
inline double given_radius(int level, Parameters const& parameters) {
  return level == 0 && parameters.max_eigenvalue > 0 ? parameters.max_eigenvalue : 0;
}

/// The matrix of a level, with ids, near-nullspace and coordinates of its rows.
template <class Space>
struct LevelMatrix {
  comm::DistCsr<double, Space> const* A = nullptr;
  Array<VertexId, Space> ids;        ///< of the owned nodes
  Array<double, Space> nullspace;    ///< owned rows x vectors, row-major
  Array<double, Space> coordinates;  ///< owned nodes x dimension; empty below the finest level
  Array<double, Space> resistance;   ///< see aggregation::Points; empty if coordinates are
  bool constant = false;             ///< the near-nullspace is a vector of ones
  bool ones = false;                 ///< it is, and is not stored
  bool half = false;                 ///< the cycle has A in Half, and the stored P to the next level
  int dimension = 0;
  int equations = 1;  ///< rows per node
  int vectors = 1;
  int level = 0;  ///< level number

  /// Without the matrix and ids.
  void archive(core::Archive& file) {
    auto& [matrix, names, B, points, materials, all_ones, unstored, in_half, dimensions, rows_of_node,
           columns, number] = *this;
    file(all_ones, unstored, in_half, dimensions, rows_of_node, columns);
  }
};

/// Estimates for smoothers, damping and reports.
struct LevelEstimates {
  LevelNumbers* numbers = nullptr;  ///< on the space
  /// The estimate times estimate_safety(), bounded by the row sums. Smoothers diverge for eigenvalues above
  /// rho.
  double rho = 0;
  /// The least ratio of a diagonal entry to the sum that it was computed from; infinite on the finest level.
  double least_share = HUGE_VAL;
  double weakest_coupling = HUGE_VAL;  ///< weakest_coupling() of the finest level, if the setup needs it
  std::string checksum;                ///< of A
  int check_step = 0;                  ///< of krylov::GershgorinBound

  void archive(core::Archive& file) {
    auto& [found, radius, share, weakest, hash, step] = *this;
    file(radius, share, weakest, hash, step);
  }
};

/// Data that exist while a setup or refresh works on the level.
template <class Space>
struct LevelScratch {
  Array<double, Space> diagonal;
  /// The sums that the diagonal was computed from (galerkin/decoupling.hpp); null on the finest level.
  Array<double, Space> const* scale = nullptr;
  double room = HUGE_VAL;  ///< entries that a smoothed P may give the next level
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

  /// Computes numbers and diagonal: one pass over the rows, and Lanczos if with_rho; else the estimate stays
  /// 0. stored: see krylov::Entries. Returns the number of A's entries. Collective; on one rank waits at most
  /// for the bound test of large levels.
  GlobalIndex estimate(Space const& space, Parameters const& parameters, bool with_rho,
                       sparse::SplitRows<float, Space> const* stored = nullptr) {
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
    if (parameters.coarsening !=
        CoarseningType::smoothed) {  // the damping of a smoothed P needs the estimate itself
      bound.bound = &numbers->checks.bound;
      bound.safety = estimate_safety(parameters);
      bound.check_step = &check_step;
    }
    auto const all_ids = row_ids(space, this->ids.view(), this->equations);
    krylov::spectral_radius(space, *A, diagonal.view(), all_ids.view(), parameters.eigenvalue_steps,
                            {parameters.cycle_in_float, stored}, &numbers->estimate, bound);
    return nonzeros;
  }

  /// Sets rho and checksum from usable numbers, copied to the host.
  void set_estimates(LevelNumbers const& found, Parameters const& parameters) {
    checksum = comm::checksum_text(found.checks.hash);
    least_share = found.checks.share;
    rho = given_radius(level, parameters);
    if (rho == 0) rho = std::min(found.estimate * estimate_safety(parameters), found.checks.bound);
  }

  /// Waits for the numbers, then sets rho and checksum. Collective. \throws core::NumericalError, with level
  /// and row, if the diagonal is not positive, or has no inverse in a cycle in float, or a value is not
  /// finite
  void check(Space const& space, Parameters const& parameters) {
    auto const found = core::to_vector(space, Span<LevelNumbers const>(numbers, 1)).front();
    if (usable(found)) return set_estimates(found, parameters);
    auto const& comm = A->rows.comm();
    comm::agree_on_errors(comm, [&] {
      try {
        aggregation::check_diagonal(space, *A, diagonal.view(), smallest_diagonal(parameters));
      } catch (core::NumericalError const& error) {
        throw core::NumericalError(core::message("level ", level, ": ", error.what()));
      }
    });
    comm.agree();  // ranks with sound rows throw the error of the others
    throw core::NumericalError(core::message("level ", level, ": the spectral radius of D^-1 A cannot be ",
                                             "estimated (Lanczos met a number that is not finite); ",
                                             "use a symmetric positive definite matrix"));
  }

 private:
  /// The cycle cannot invert smaller diagonal entries.
  static double smallest_diagonal(Parameters const& parameters) {
    return parameters.cycle_in_float ? comm::smallest_in_float : 0;
  }
};

/// Whether the cycle has the level's matrix in Half; finer: whether it has the next finer one.
/// HalfLevels::automatic takes large levels of a matrix that keeps its energy in Half (sparse::SplitRows):
/// the near-nullspace is the constant, and few couplings are positive. So elastic matrices and plates stay in
/// float, where Half took up to 24 % more iterations. Collective.
template <class Space>
bool is_half(Space const& space, LevelFacts<Space> const& facts, Parameters const& parameters, bool finer) {
  if (parameters.half != HalfLevels::automatic) return parameters.half == HalfLevels::all;
  bool const may_be = facts.level == 0 ? facts.constant : finer;
  auto const least = least_entries_in_half<Space>(parameters);
  constexpr auto never = std::numeric_limits<GlobalIndex>::max();
  if (!may_be || least == never || comm::global_nonzeros(*facts.A) < least) return false;
  return facts.level > 0 || mostly_negative_couplings(space, *facts.A);
}

}  // namespace Tessera::multigrid
