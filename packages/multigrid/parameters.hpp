#pragma once
/// \file
/// Parameters of a hierarchy. src/parameters fills them from XML.
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "aggregation/aggregates.hpp"
#include "comm/dist_matrix.hpp"
#include "fsai/parameters.hpp"
#include "galerkin/classical_interpolation.hpp"
#include "galerkin/energy_minimisation.hpp"
#include "galerkin/prolongator.hpp"
#include "galerkin/rigid_body_modes.hpp"
#include "multigrid/direct_solver.hpp"
#include "multigrid/foreign_smoother.hpp"
#include "sparse/spgemm.hpp"

namespace Tessera::multigrid {

enum class CoarseningType { smoothed, unsmoothed, root_nodes, classical };
enum class CycleType { V, W, F, K };
enum class SmootherType { jacobi, l1_jacobi, chebyshev, fsai, foreign };
enum class ChebyshevKind { first, fourth, optimal_fourth };
enum class PreOrPost { pre, post, both, none };
/// direct: by Parameters::direct, on the host; cudss: on the GPU.
enum class CoarseType { dense, smoother, direct, cudss };
/// The levels of a cycle in float whose matrices are in Half. automatic: by is_half().
enum class HalfLevels { none, all, automatic };
enum class RefreshPreparation { second, first };  ///< the setup that keeps patterns and plans for refreshes
using comm::MatrixFormat;

struct SmootherParameters {
  /// A pattern at most as dense as the matrix. Coarse matrices have long rows; small entries there cost more
  /// time than they save.
  static fsai::Parameters default_fsai() {
    fsai::Parameters parameters;
    parameters.pattern_level = 1;
    parameters.prefilter = 0.05;
    return parameters;
  }

  SmootherType type = SmootherType::chebyshev;
  PreOrPost pre_or_post = PreOrPost::both;
  int sweeps = 1;        ///< of Jacobi and l1-Jacobi; applications of a polynomial or a third-party smoother
  double damping = 0.0;  ///< of Jacobi; 0: (4/3) / rho(D^-1 A). l1-Jacobi: 0 means 1
  ChebyshevKind chebyshev = ChebyshevKind::optimal_fourth;
  int degree = 2;
  double ratio = 20.0;                     ///< lambda_max / lambda_min of the first kind
  fsai::Parameters fsai = default_fsai();  ///< the inverse that replaces D^-1 for SmootherType::fsai
  ForeignSmoothers foreign;                ///< for SmootherType::foreign
};

/// A composite of hierarchies, each for the error that the earlier ones reduce least (bootstrap.hpp).
struct BootstrapParameters {
  int components = 1;             ///< at most; 1: a single hierarchy
  double convergence_rate = 0.3;  ///< of the composite, at which the setup adds no further component
  int sweeps = 15;                ///< of the composite that find its slowest error
};

struct Parameters {
  /// theta = 0.02: power grids and reservoirs (ibmpg1, spe10) need weak couplings dropped, and no tested
  /// problem becomes slower.
  static aggregation::StrengthParameters default_strength() {
    aggregation::StrengthParameters strength;
    strength.drop_tolerance = 0.02;
    return strength;
  }

  int max_levels = 10;
  CoarseningType coarsening = CoarseningType::smoothed;
  CycleType cycle = CycleType::V;
  int k_levels = 3;  ///< `cycle: K levels`: number of levels below the finest with steps; V-cycle below them
  int applications =
      1;  ///< `cycle: applications`: cycles in one application, each from the x of the previous one
  int equations = 1;  ///< `number of equations`
  aggregation::StrengthParameters strength = default_strength();
  /// Factor on strength.drop_tolerance from each level to the next; 1 gives Laplace3D an operator complexity
  /// of 1.85.
  double drop_tolerance_scaling = 0.5;
  std::vector<std::pair<int, double>> level_drop_tolerances;  ///< (level, its own, which is not scaled)
  double drop_tolerance_on(int level) const {
    for (auto const& one : level_drop_tolerances)
      if (one.first == level) return one.second;
    return strength.drop_tolerance * std::pow(drop_tolerance_scaling, level);
  }
  aggregation::AggregationParameters aggregation;
  galerkin::FilterParameters filter;
  galerkin::EnergyParameters energy;  ///< of root nodes
  galerkin::ClassicalParameters classical;
  double prolongator_damping = 4.0 / 3.0;  ///< omega = damping / rho(D^-1 A); 0: unsmoothed
  bool normalise_constant = false;         ///< normalise T's columns also if P = T has one vector of ones
  int eigenvalue_steps = 7;                ///< Lanczos steps
  double eigenvalue_safety = 1.1;          ///< least factor on the estimate, capped by the row-sum bound
  double max_eigenvalue = -1.0;            ///< > 0: taken instead of the estimate on the finest level
  SmootherParameters smoother;
  /// (level, its smoother instead of `smoother`); pre_or_post is the same on all levels.
  std::vector<std::pair<int, SmootherParameters>> level_smoothers;
  SmootherParameters const& smoother_on(int level) const {
    for (auto const& one : level_smoothers)
      if (one.first == level) return one.second;
    return smoother;
  }
  CoarseType coarse = CoarseType::dense;
  int coarse_max_size = 500;           ///< a level with at most this number of unknowns is the coarsest
  int coarse_sweeps = 8;               ///< of the smoother as coarse solver
  sparse::DirectSolvers<Host> direct;  ///< for CoarseType::direct
  /// `repartition: min rows per proc`: levels with fewer rows per rank move to fewer ranks; -1:
  /// min_rows_per_rank().
  int rows_per_rank = -1;
  /// Whether the cycle's matrices are in float; eigenvalues are then those of the rounded matrices. The
  /// hierarchy sets it.
  bool cycle_in_float = false;
  RefreshPreparation prepare_refresh = RefreshPreparation::second;
  BootstrapParameters bootstrap;
  std::vector<std::string> warnings;  ///< of earlier steps; the hierarchy reports them
  sparse::SpgemmMethod spgemm = sparse::SpgemmMethod::hash;
  MatrixFormat format = MatrixFormat::automatic;
  int chunk_size = 32;  ///< C of SELL-C-sigma
  int sigma = 256;
  HalfLevels half = HalfLevels::none;
  int half_from = -1;  ///< least number of entries of a level in Half if automatic; -1: by the space
  /// The storage of sparse inverses, which are never in Half. There CG with FSAI took 0.72 to 1.3 times the
  /// iterations; no property of the matrix told which. On an H200 an iteration took 1.1 times as long
  /// (Laplace3D 160^3).
  comm::StorageParameters inverse_storage() const { return {format, chunk_size, sigma}; }
};

/// Vectors that coarse levels reproduce, and the coordinates of nodes.
struct NearNullspace {
  int vectors = 0;                  ///< 0: constants, one for each equation
  std::vector<double> values;       ///< owned rows x vectors, row-major
  int dimension = 0;                ///< 0: no coordinates
  std::vector<double> coordinates;  ///< owned nodes x dimension, row-major
  std::vector<double> resistance;   ///< see aggregation::Points
  /// Instead of values: rigid-body modes, which the space computes from the coordinates.
  galerkin::RigidBodyFrame rigid_body;
  /// Instead of values and of coordinates: columns in the memory of the space, and their owners.
  std::vector<double const*> value_columns, coordinate_columns;
  std::vector<std::shared_ptr<void const>> owners;
};

}  // namespace Tessera::multigrid
