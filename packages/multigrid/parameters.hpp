#pragma once
/// \file
/// What a hierarchy can be told. src/parameters fills this from XML.
#include <string>
#include <utility>
#include <vector>

#include "aggregation/aggregates.hpp"
#include "comm/dist_matrix.hpp"
#include "fsai/parameters.hpp"
#include "galerkin/classical_interpolation.hpp"
#include "galerkin/prolongator.hpp"
#include "galerkin/reached_aggregates.hpp"
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
enum class RefreshPreparation { second, first };  ///< the setup that makes and keeps what refreshes need
using comm::MatrixFormat;

struct SmootherParameters {
  /// A pattern no denser than the matrix'; coarse matrices have long rows, whose small entries are not worth
  /// their systems' time.
  static fsai::Parameters default_fsai() {
    fsai::Parameters parameters;
    parameters.pattern_level = 1;
    parameters.prefilter = 0.05;
    return parameters;
  }

  SmootherType type = SmootherType::chebyshev;
  PreOrPost pre_or_post = PreOrPost::both;
  int sweeps = 1;        ///< of Jacobi and l1-Jacobi; how often a polynomial or a foreign smoother is applied
  double damping = 0.0;  ///< of Jacobi; 0: (4/3) / rho(D^-1 A). l1-Jacobi: 0 means 1
  ChebyshevKind chebyshev = ChebyshevKind::optimal_fourth;
  int degree = 2;
  double ratio = 20.0;                     ///< lambda_max / lambda_min of the first kind
  fsai::Parameters fsai = default_fsai();  ///< what stands in place of D^-1 for SmootherType::fsai
  ForeignSmoothers foreign;                ///< for SmootherType::foreign; given by whoever has one
};

/// Hierarchies that are composed, each for the error that those before it reduce least (bootstrap.hpp).
struct BootstrapParameters {
  int components = 1;             ///< at most; 1: a hierarchy alone
  double convergence_rate = 0.3;  ///< of the composite, at which no further component is made
  int sweeps = 15;                ///< of the composite that bring out its slowest error
};

struct Parameters {
  /// theta = 0.02: power grids and reservoirs (ibmpg1, spe10) need weak couplings dropped, and nothing that
  /// was tried suffers.
  static aggregation::StrengthParameters default_strength() {
    aggregation::StrengthParameters strength;
    strength.drop_tolerance = 0.02;
    return strength;
  }

  int max_levels = 10;
  CoarseningType coarsening = CoarseningType::smoothed;
  CycleType cycle = CycleType::V;
  int k_levels = 3;  ///< `cycle: K levels`: levels below the finest where a K-cycle takes steps; V below them
  int applications = 1;  ///< `cycle: applications`: cycles in one application, each from the last one's x
  int equations = 1;     ///< `number of equations`
  aggregation::StrengthParameters strength = default_strength();
  /// Of strength.drop_tolerance, from each level to the next; 1 makes Laplace3D's operator complexity 1.85.
  double drop_tolerance_scaling = 0.5;
  aggregation::AggregationParameters aggregation;
  galerkin::FilterParameters filter;
  galerkin::EnergyParameters energy;  ///< of root nodes
  galerkin::ClassicalParameters classical;
  double prolongator_damping = 4.0 / 3.0;  ///< omega = damping / rho(D^-1 A); 0: unsmoothed
  bool normalise_constant = false;         ///< also T's columns where P = T has one vector of ones
  int eigenvalue_steps = 7;                ///< Lanczos steps
  double eigenvalue_safety = 1.1;          ///< least factor on the estimate, capped by the row-sum bound
  double max_eigenvalue = -1.0;            ///< > 0: taken instead of the estimate on the finest level
  SmootherParameters smoother;
  /// (level, what smooths there in the place of `smoother`); pre_or_post is the same on all levels.
  std::vector<std::pair<int, SmootherParameters>> level_smoothers;
  SmootherParameters const& smoother_on(int level) const {
    for (auto const& one : level_smoothers)
      if (one.first == level) return one.second;
    return smoother;
  }
  CoarseType coarse = CoarseType::dense;
  int coarse_max_size = 500;           ///< unknowns at or below which no further level is made
  int coarse_sweeps = 8;               ///< of the smoother as coarse solver
  sparse::DirectSolvers<Host> direct;  ///< for CoarseType::direct; given by whoever has one
  /// `repartition: min rows per proc`: below it levels go onto fewer ranks; -1: as
  /// least_rows_a_rank() has it.
  int rows_per_rank = -1;
  /// Whether the cycle's matrices are in float, whose eigenvalues are then estimated; set by the hierarchy.
  bool cycle_in_float = false;
  RefreshPreparation prepare_refresh = RefreshPreparation::second;
  BootstrapParameters bootstrap;
  std::vector<std::string> warnings;  ///< that a hierarchy begins with
  sparse::SpgemmMethod spgemm = sparse::SpgemmMethod::hash;
  MatrixFormat format = MatrixFormat::automatic;
  int chunk_size = 32;  ///< C of SELL-C-sigma
  int sigma = 256;
};

/// Vectors that the method is to reproduce on coarse levels, and where the nodes are.
struct NearNullspace {
  int vectors = 0;                  ///< 0: constants, one for each equation
  std::vector<double> values;       ///< owned rows x vectors, row-major
  int dimension = 0;                ///< 0: no coordinates
  std::vector<double> coordinates;  ///< owned nodes x dimension, row-major
  std::vector<double> resistance;   ///< as aggregation::Points'
  /// Instead of values: rigid-body modes, which the space makes of the coordinates.
  galerkin::RigidBodyFrame rigid_body;
};

}  // namespace Tessera::multigrid
