#pragma once
/// \file
/// Preconditioned conjugate gradients, plain and flexible. Their scalars stay where the vectors are.
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "comm/dist_matrix.hpp"

namespace Tessera::krylov {

/// A preconditioner's own vectors, in single precision and in the memory of the solver's space. Existing
/// passes of conjugate gradients store the rounded r and read z. Separate conversions of vectors would add
/// four reads and writes per iteration.
struct SingleVectors {
  Span<float> r;
  Span<float const> z;
  std::function<void()> apply;  ///< z = M^-1 r
};

/// A preconditioner for blocks of several vectors, stored as rows of numbers (core/interleaved.hpp).
struct BlockPreconditioner {
  /// Allocates memory for blocks of 4 or 8 columns, once; returns its address. Collective.
  std::function<void const*(int)> reserve;
  /// (columns, r, z): in the memory of the solver's space. Collective.
  std::function<void(int, Span<double const>, Span<double>)> apply;
};

/// z = M^-1 r, for a symmetric positive definite M (roughly so, with flexible conjugate gradients).
struct Preconditioner {
  /// (r, z): owned entries in the memory of the solver's space. r and z do not overlap. Collective. Empty:
  /// the identity.
  std::function<void(Span<double const>, Span<double>)> apply;
  /// Whether M^-1 is linear and symmetric. If not, conjugate gradients are always flexible.
  bool symmetric = true;
  /// Whether apply only enqueues work on the solver's stream (core/graph.hpp). Then a whole iteration is
  /// replayed as one graph. Has no effect on the host, and on several ranks whose GPUs do not reach each
  /// other.
  bool capturable = false;
  /// A number that changes whenever apply would enqueue other work (another hierarchy, other pointers or
  /// parameters; not other values at the same addresses). 0: unknown, so every solve records its graph again.
  std::uint64_t version = 0;
  /// M in single precision, if available; needs apply, too. Used on one rank.
  SingleVectors single;
  /// Empty if M takes one vector at a time.
  BlockPreconditioner blocks;
  /// Takes any number of columns at once, at any addresses. May be empty.
  std::function<void(std::vector<Span<double const>> const&, std::vector<Span<double>> const&)> apply_columns;
  /// Called with the number of applications after each solve, and after other applications. May be empty.
  std::function<void(int)> count_applications;
};

/// The reference that the norm of the residual is compared with.
enum class RelativeTo { rhs, initial_residual, one };

/// The convergence test.
enum class Test {
  relative,  ///< ||r|| <= tolerance * reference
  absolute,  ///< ||r|| <= absolute_tolerance
  either,    ///< one of these two
  row_wise   ///< |r|_i <= tolerance (|A| |x| + |b|)_i in every row (Oettli, Prager 1964)
};

struct Parameters {
  bool flexible = false;  ///< for preconditioners that change from one application to the next; see also
                          ///< Preconditioner::symmetric
  Test test = Test::relative;
  double tolerance = 1e-8;  ///< converged when ||r||_2 <= tolerance * reference
  double absolute_tolerance = 0;
  int max_iterations = 1000;
  RelativeTo relative_to = RelativeTo::rhs;
  bool start_from_zero = false;  ///< x need not be set; saves one pass over A
  /// Decide convergence by b - A x, not only by the recurrence for r.
  bool verify = true;
  /// How often b - A x may replace r after the two have separated.
  int max_replacements = 5;
  /// At most this number of iterations run ahead of the last one whose residual the host has read (CUDA; 1 to
  /// 32); none if the next one is expected to converge. Iterations after the converged one change nothing.
  int check_lag = 2;
  bool use_graph = true;  ///< replay iterations as a graph if the preconditioner allows it
};

/// The reason for the end of a solve.
enum class Stop {
  converged,
  max_iterations,
  indefinite_matrix,          ///< (p, A p) <= 0
  indefinite_preconditioner,  ///< (r, M^-1 r) <= 0
  not_finite,                 ///< NaN or infinity
  /// The recurrence has converged, b - A x has not. Neither replacement nor refinement lowers b - A x,
  /// although rounding would permit a lower one.
  stagnated,
  rounding_level,  ///< b - A x has reached the rounding level of double, which is above the tolerance
  singular         ///< b is not in A's range: it has a component along a vector of A's nullspace
};

/// The reason as text, such as "the matrix is not positive definite".
char const* name(Stop stop);

struct Result {
  bool converged = false;
  Stop stop = Stop::max_iterations;
  /// One sentence: why the solve did not converge, and what to do. Empty after convergence.
  std::string reason;
  /// Iterations until the residual met the tolerance, or all iterations.
  int iterations = 0;
  double relative_residual = 0;   ///< ||b - A x||_2 / reference, computed from the final x
  double recursive_residual = 0;  ///< the recurrence's
  /// RoundingScale::level() / reference; 0 if not computed, as in solves that converge without a comparison.
  double rounding_level = 0;
  double backward_error = 0;   ///< ||b - A x||_2 / || |A| |x| + |b| ||_2; 0 likewise
  double row_error = 0;        ///< the largest |b - A x|_i / (|A| |x| + |b|)_i; 0 without refinement
  double nullspace_share = 0;  ///< of a singular matrix: |(b, v)| / (||b|| ||v||) for the null vector v found
  double reference = 0;        ///< ||b||_2, ||b - A x_0||_2 or 1; 1 if the norm is zero
  std::vector<double> history;  ///< the recurrence's ||r||_2 / reference after 0, 1, ... iterations
  int replacements = 0;         ///< of r by b - A x
  int refinements = 0;          ///< number of corrections
  bool graph = false;           ///< whether iterations were replayed as a graph
};

/// Memory of solves. A second solve with the same workspace and rows allocates nothing on the space. One
/// space and one solve at a time use a workspace.
template <class Space>
class Workspace {
 public:
  Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;
  ~Workspace();

  std::size_t bytes() const;

  struct State;
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

/// Solves A x = b for symmetric positive definite A, starting from x. b, x: owned entries, in the memory of
/// the space. Collective. On return work may still run on the space; a copy of x is ordered after it.
///
/// Flexible: Bernaschi, D'Ambra, Pasquini 2019, Algorithm 3. Plain: the same with beta = (r, z) / (r, z)_old,
/// which is Chronopoulos and Gear 1989 with a third product in its one reduction. The text-book's form has
/// two reductions. Iterates are the text-book's, also with M in single precision (recurrence.hpp). An
/// iteration reads A once and passes over 14 vectors.
///
/// A zero norm of b gives x = 0. Breakdown, NaN and stagnation are results, not exceptions; the caller acts
/// on them, and x is the last finite iterate. b - A x decides convergence. RoundingJudge (rounding.hpp) and
/// refinement (refinement.hpp) decide the rounding level. \throws core::InvalidInput if sizes do not fit
template <class Space>
Result solve(Space const& space, comm::DistMatrix<double, Space> const& A, Preconditioner const& M,
             Span<double const> b, Span<double> x, Parameters const& parameters, Workspace<Space>& workspace);

/// Solves for several right-hand sides. Each result is bitwise that of solve(), and each column has its own
/// scalars. Up to eight columns share the passes of an iteration: products, M and vectors. Comparisons with b
/// - A x and refinement are made per column. Columns are solved one by one if M takes no blocks, and on
/// several GPUs.
template <class Space>
std::vector<Result> solve_columns(Space const& space, comm::DistMatrix<double, Space> const& A,
                                  Preconditioner const& M, std::vector<Span<double const>> const& b,
                                  std::vector<Span<double>> const& x, Parameters const& parameters,
                                  Workspace<Space>& workspace);

/// The scale of rounding errors of b - A v.
struct RoundingScale {
  double norm = 0;       ///< || |A| |v| + |b| ||_2
  double energy = 0;     ///< (|v|, |A| |v|)
  double weighted = 0;   ///< || W |A| |v| + |b| ||_2, W: sparse::rounding_weight() of each row
  double row_error = 0;  ///< the largest |r|_i / (|A| |v| + |b|)_i, if r was given
  /// The approximate ||b - A v||_2 that rounding leaves if v solves A v = b.
  double level() const { return std::numeric_limits<double>::epsilon() * weighted; }
};

/// Whether a residual has reached the rounding level. The rounding of x leaves up to half a level, the
/// rounding of b - A x about as much (docs/decisions/0017).
inline bool is_rounding_level(double residual, double level) {
  return level <= std::numeric_limits<double>::max() && residual <= level;  // false if not finite
}

/// Whether rounding may contribute to a residual, so that replacing or refining it may help.
inline bool is_near_rounding_level(double residual, double level) {
  constexpr double near = 16, largest = std::numeric_limits<double>::max();
  return level <= largest && residual <= near * level;
}

/// Makes two passes over A. r: the residual for row_error; null: row_error stays 0. Collective.
template <class Space>
RoundingScale rounding_scale(Space const& space, comm::DistMatrix<double, Space> const& A,
                             Span<double const> b, Span<double const> v, Workspace<Space>& workspace,
                             Span<double const> const* r = nullptr);

/// One sentence: why the solve did not converge, and what to do. failed: the number that stopped it.
std::string explain(Result const& result, double failed, Parameters const& parameters);

// Texts that other solvers share.

/// residual, tolerance: relative.
std::string rounding_level_text(double residual, double tolerance, double backward_error);
/// All arguments are relative.
std::string stagnated_text(double residual, double tolerance, double rounding_level);
std::string row_wise_text(double row_error, double tolerance);
/// growth: ||b - A x|| / ||b - A x_0||.
std::string diverged_text(double growth);
/// For a Krylov method. may_rise: the method minimises another norm than that of b - A x.
std::string grown_text(double growth, bool may_rise);
/// For a solution that double precision cannot represent.
std::string out_of_range_text();
/// Such as "12.3 %".
std::string percent(double share);
/// share: the part of ||b|| in the nullspace. where: the floating component, if known.
std::string singular_text(double share, std::string const& where = {});
/// what: such as "an inner product"; value: NaN or infinite.
std::string not_finite_text(char const* what, double value);

/// energy: the product that is not positive, such as (p, A p).
std::string indefinite_matrix_text(char const* energy, double value);
/// rz: (r, M^-1 r).
std::string indefinite_preconditioner_text(double rz);
/// Advice for a preconditioner that is not positive definite.
char const* advice_on_preconditioners();

/// \throws core::InvalidInput
void check(Parameters const& parameters);

}  // namespace Tessera::krylov
