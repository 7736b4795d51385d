#pragma once
/// \file
/// Configurations, matrices, vectors and solvers of the C interface, on one device.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "krylov/conjugate_gradients.hpp"
#include "settings/table.hpp"

namespace Tessera::amgx {

/// A parameter of a configuration. \p scope: where the parameters of a solver are that it names.
struct Option {
  settings::Written value;
  std::string scope;  ///< empty: the option's own scope
};

/// The options that a program gave, by scope and name, as yet without a meaning.
class Options {
 public:
  /// Adds JSON, or scope:name(new scope)=value. \throws core::InvalidInput
  void add(std::string const& text);

  /// The value in its scope, or else in the default one; null: none.
  Option const* find(std::string const& scope, std::string const& name) const;

  std::map<std::string, std::map<std::string, Option>> scopes;
  std::map<std::string, settings::Written> own;  ///< Tessera's parameters, by name
};

enum class Iteration {
  conjugate_gradients,
  preconditioner  ///< x += M^-1 (b - A x)
};

/// What a solver does.
struct Plan {
  Iteration iteration = Iteration::conjugate_gradients;
  bool preconditioned = true;
  bool monitored = true;  ///< false: the largest number of iterations is a success
  krylov::Parameters krylov;
  bool print_grid = false, print_solve = false, print_times = false;
  /// Values of the table: translated ones, of which those without effect are dropped, and the program's own.
  std::map<settings::Parameter const*, settings::Value> translated, own;
  std::vector<std::string> warnings;  ///< options without counterpart
};

/// \throws core::InvalidInput with a line for each mistake
Plan plan_of(Options const& options);

/// The settings of a plan for blocks of this size. \throws core::InvalidInput if parameters contradict each
/// other, or need Trilinos
settings::Settings settings_of(Plan const& plan, int block);

struct Vector {
  virtual ~Vector() = default;
  /// data: anywhere; n blocks.
  virtual void upload(int n, int block, double const* data) = 0;
  virtual void set_zero(int n, int block) = 0;
  virtual void download(double* data) const = 0;
  int n = 0, block = 0;
};

/// Arrays of block CSR, anywhere.
struct BlockRows {
  int n, entries, block;
  int const *offsets, *columns;
  double const *values, *diagonal;  ///< diagonal: null, or n blocks that the rows do not hold
};

struct Matrix {
  virtual ~Matrix() = default;
  virtual void upload(BlockRows const& A) = 0;
  /// offsets and columns are null.
  virtual void replace(BlockRows const& A) = 0;
  int n = 0, entries = 0, block = 0;
  bool has_diagonal = false;
  std::vector<double> coordinates;  ///< nodes x dimension, row-major
  int dimension = 0;                ///< 0: no coordinates
  int pattern = 0, values = 0;      ///< numbers that each upload, and each change of values, increases
};

enum class Status { success, failed, diverged, not_converged };

struct Solve {
  Status status;
  int iterations;
  std::vector<double> residuals;  ///< ||b - A x|| after 0, 1, ... iterations
  std::string reason;             ///< why it did not converge
};

struct Solver {
  virtual ~Solver() = default;
  virtual void setup(std::shared_ptr<Matrix const> A) = 0;
  /// A refresh where the pattern is that of the setup.
  virtual void resetup(std::shared_ptr<Matrix const> A) = 0;
  virtual Solve solve(Vector const& b, Vector& x, bool from_zero) = 0;
  virtual std::vector<std::string> const& warnings() const = 0;
  /// The levels, a line each.
  virtual std::string grid() = 0;
};

/// Makes the objects of one device.
struct Device {
  virtual ~Device() = default;
  virtual std::shared_ptr<Vector> vector() const = 0;
  virtual std::shared_ptr<Matrix> matrix() const = 0;
  virtual std::shared_ptr<Solver> solver(Plan const& plan) const = 0;
};

template <class Space>
std::shared_ptr<Device const> make_device(Space const& space);

}  // namespace Tessera::amgx
