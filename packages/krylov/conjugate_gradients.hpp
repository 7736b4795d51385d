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

/// A preconditioner's own vectors, in single precision and in the memory of the solver's space. Conjugate
/// gradients round r into the one and read z from the other in passes that they make anyway; conversions of
/// whole vectors would be four more reads and writes an iteration.
struct SingleVectors {
  Span<float> r;
  Span<float const> z;
  std::function<void()> apply;  ///< z = M^-1 r
};

/// The same for blocks of several vectors, as rows of numbers (core/interleaved.hpp).
struct BlockPreconditioner {
  /// Takes memory for blocks of so many columns, 4 or 8, once, and says where it is. Collective.
  std::function<void const*(int)> reserve;
  /// (columns, r, z): in the memory of the solver's space. Collective.
  std::function<void(int, Span<double const>, Span<double>)> apply;
};

/// z = M^-1 r, for a symmetric positive definite M (roughly so, with flexible conjugate gradients).
struct Preconditioner {
  /// (r, z): owned entries in the memory of the solver's space, which do not overlap. Collective. Empty: the
  /// identity.
  std::function<void(Span<double const>, Span<double>)> apply;
  /// Whether M^-1 is linear and symmetric. Else conjugate gradients are flexible, asked or not.
  bool symmetric = true;
  /// Whether apply does nothing but enqueue work on the solver's stream (core/graph.hpp), so that a whole
  /// iteration is replayed as one graph. Without effect on the host, and on several ranks whose GPUs do not
  /// reach each other.
  bool capturable = false;
  /// A number that changes whenever apply would enqueue something else (another hierarchy, other pointers or
  /// parameters; not other values at the same places). 0: unknown, so every solve records its graph anew.
  std::uint64_t version = 0;
  /// The same in single precision, where there is such a thing; needs an apply beside it. Used on one rank.
  SingleVectors single;
  /// Empty where M takes one vector after the other.
  BlockPreconditioner blocks;
  /// Any number of columns at once, which lie anywhere. May be empty.
  std::function<void(std::vector<Span<double const>> const&, std::vector<Span<double>> const&)> apply_columns;
  /// Told by a solve how many iterations it took, and by who applies it otherwise how often. May be empty.
  std::function<void(int)> used;
};

/// What the norm of the residual is compared with.
enum class RelativeTo { rhs, initial_residual, one };

/// What convergence means.
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
  /// Convergence is decided by b - A x, not by the recurrence for r alone.
  bool verify = true;
  /// How often r may be replaced by b - A x after the two have disagreed.
  int max_replacements = 5;
  /// At most so many iterations run ahead of the last one whose residual the host has seen (CUDA; 1 to 32).
  /// None does when the next is expected to converge. Iterations behind the converged one change nothing.
  int check_lag = 2;
  bool use_graph = true;  ///< replay iterations as a graph where the preconditioner allows it
};

/// Why a solve has ended.
enum class Stop {
  converged,
  max_iterations,
  indefinite_matrix,          ///< (p, A p) <= 0
  indefinite_preconditioner,  ///< (r, M^-1 r) <= 0
  not_finite,                 ///< NaN or infinity
  stagnated,       ///< the recurrence says converged, b - A x says no, and neither replacement nor refinement
                   ///< helps, though rounding would let b - A x go lower
  rounding_level,  ///< b - A x is as low as rounding in double lets it go, but not below the tolerance
  singular         ///< b is out of A's range: a vector of A's nullspace has a share of it
};

/// In words, such as "the matrix is not positive definite".
char const* name(Stop stop);

struct Result {
  bool converged = false;
  Stop stop = Stop::max_iterations;
  /// One sentence on what stopped an unconverged solve and what to do; empty after convergence.
  std::string reason;
  /// The first whose residual met the tolerance, or all that were done.
  int iterations = 0;
  double relative_residual = 0;   ///< ||b - A x||_2 / reference, computed from x at the end
  double recursive_residual = 0;  ///< the recurrence's
  /// RoundingScale::level() / reference; 0 where nothing asked for it, as in solves that converge at once.
  double rounding_level = 0;
  double backward_error = 0;    ///< ||b - A x||_2 / || |A| |x| + |b| ||_2; likewise
  double row_error = 0;         ///< the largest |b - A x|_i / (|A| |x| + |b|)_i; where refinement was tried
  double nullspace_share = 0;   ///< of a singular matrix: |(b, v)| / (||b|| ||v||) for the v that was met
  double reference = 0;         ///< ||b||_2, ||b - A x_0||_2 or 1; 1 where the norm is zero
  std::vector<double> history;  ///< recurrence's ||r||_2 / reference after 0, 1, ..., iterations iterations
  int replacements = 0;         ///< of r by b - A x
  int refinements = 0;          ///< corrections that were solved for
  bool graph = false;           ///< whether iterations were replayed as a graph
};

/// What solves need besides matrix and vectors. A second solve with the same workspace, on the same rows,
/// allocates nothing on the space. Belongs to one space and one solve at a time.
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
/// the space. Collective. On return the space's work may still run (copying x orders behind it).
///
/// Flexible: Bernaschi, D'Ambra, Pasquini 2019, Algorithm 3. Plain: the same with beta = (r, z) / (r, z)_old,
/// which is Chronopoulos and Gear 1989 with a third product in the one reduction, where the text-book's form
/// has two reductions: iterations are the text-book's, with M in single precision too (recurrence.hpp).
/// Either passes over A once and over 14 vectors an iteration.
///
/// A norm of b of zero gives x = 0. Breakdown, NaN and stagnation are no exceptions but results, for managers
/// above to act upon; x is the last iterate that was finite. Convergence is judged by b - A x, the rounding
/// level by RoundingJudge (rounding.hpp) and refinement (refinement.hpp). \throws core::InvalidInput when
/// sizes do not fit
template <class Space>
Result solve(Space const& space, comm::DistMatrix<double, Space> const& A, Preconditioner const& M,
             Span<double const> b, Span<double> x, Parameters const& parameters, Workspace<Space>& workspace);

/// Several right-hand sides at once: what solve() gives for each, bitwise, each with its own scalars and its
/// own end. Up to eight columns share the passes of an iteration: products, M and vectors. Looks at b - A x,
/// and refinement, are a column's own. One after the other where M takes no blocks, and on several GPUs.
template <class Space>
std::vector<Result> solve_columns(Space const& space, comm::DistMatrix<double, Space> const& A,
                                  Preconditioner const& M, std::vector<Span<double const>> const& b,
                                  std::vector<Span<double>> const& x, Parameters const& parameters,
                                  Workspace<Space>& workspace);

/// What the rounding errors of b - A v are measured by.
struct RoundingScale {
  double norm = 0;       ///< || |A| |v| + |b| ||_2
  double energy = 0;     ///< (|v|, |A| |v|)
  double weighted = 0;   ///< || W |A| |v| + |b| ||_2, W: sparse::rounding_weight() of each row
  double row_error = 0;  ///< the largest |r|_i / (|A| |v| + |b|)_i, of an r that was given
  /// About what rounding leaves of ||b - A v||_2 when v solves A v = b.
  double level() const { return std::numeric_limits<double>::epsilon() * weighted; }
};

/// Whether a residual is as low as rounding lets it go: the rounding of x leaves up to half a level, that of
/// b - A x about as much (docs/decisions/0017).
inline bool is_rounding_level(double residual, double level) {
  return level <= std::numeric_limits<double>::max() && residual <= level;  // false for what is not finite
}

/// Whether rounding may have a part in a residual, so that it is worth replacing or refining.
inline bool is_near_rounding_level(double residual, double level) {
  constexpr double near = 16, largest = std::numeric_limits<double>::max();
  return level <= largest && residual <= near * level;
}

/// Two passes over A. r: what row_error is of, if anything. Collective.
template <class Space>
RoundingScale rounding_scale(Space const& space, comm::DistMatrix<double, Space> const& A,
                             Span<double const> b, Span<double const> v, Workspace<Space>& workspace,
                             Span<double const> const* r = nullptr);

/// Why the solve did not converge and what to do, in a sentence. failed: the number that stopped it.
std::string explain(Result const& result, double failed, Parameters const& parameters);

/// What others than solve() say in the same words. residual, tolerance: relative.
std::string rounding_level_text(double residual, double tolerance, double backward_error);
/// rounding_level: relative, too.
std::string stagnated_text(double residual, double tolerance, double rounding_level);
std::string row_wise_text(double row_error, double tolerance);
/// growth: ||b - A x|| over that of the start.
std::string diverged_text(double growth);
/// The same of a Krylov method. may_rise: it lowers another norm than that of b - A x.
std::string grown_text(double growth, bool may_rise);
/// Of a solution that double precision cannot hold.
std::string out_of_range_text();
/// Such as "12.3 %".
std::string percent(double share);
/// share: of ||b||, in the nullspace. where: what floats, if that is known.
std::string singular_text(double share, std::string const& where = {});
/// what: such as "an inner product"; value: NaN or infinite.
std::string not_finite_text(char const* what, double value);

/// energy: what is not positive, such as (p, A p).
std::string indefinite_matrix_text(char const* energy, double value);
/// rz: (r, M^-1 r).
std::string indefinite_preconditioner_text(double rz);
/// What to do about a preconditioner that conjugate gradients do not bear.
char const* advice_on_preconditioners();

/// \throws core::InvalidInput
void check(Parameters const& parameters);

}  // namespace Tessera::krylov
