#include "amgx/solver.hpp"

#include <cmath>
#include <utility>

#include "comm/from_local_body.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/sequence.hpp"
#include "galerkin/rigid_body_modes.hpp"
#include "settings/preconditioner.hpp"
#include "sparse/columns.hpp"

namespace Tessera::amgx {
namespace {

/// Copies from memory of the host or of the space's device. Programs write theirs on the default stream,
/// which the space's stream does not wait for.
template <class Space>
void copy_in(Space const& space, void const* source, void* target, std::size_t bytes) {
  auto const where = core::memory_space_mismatch(Host{}, source);
  if (where.empty()) return core::copy_bytes(Host{}, source, space, target, bytes);
  TESSERA_VALIDATE(core::memory_space_mismatch(space, source).empty(), "an array lies ", where,
                   ", which mode ",
                   core::SpaceTraits<Space>::asynchronous ? "dDDI on another device" : "hDDI",
                   " does not read; give memory of the host or of the mode's device");
  if constexpr (core::SpaceTraits<Space>::asynchronous) core::synchronize(Space{space.device, nullptr});
  core::copy_bytes(space, source, space, target, bytes);
}

/// The reverse; complete on return.
template <class Space>
void copy_out(Space const& space, void const* source, void* target, std::size_t bytes) {
  auto const where = core::memory_space_mismatch(Host{}, target);
  if (where.empty()) return core::copy_bytes(space, source, Host{}, target, bytes);
  TESSERA_VALIDATE(core::memory_space_mismatch(space, target).empty(), "the array lies ", where,
                   ", which this mode does not write; give memory of the host or of the mode's device");
  if constexpr (core::SpaceTraits<Space>::asynchronous) core::synchronize(Space{space.device, nullptr});
  core::copy_bytes(space, source, space, target, bytes);
  core::synchronize(space);
}

template <class T, class Space>
Array<T, Space> taken(Space const& space, T const* source, std::size_t size) {
  Array<T, Space> result(space, source == nullptr ? 0 : size);
  copy_in(space, source, result.data(), result.size() * sizeof(T));
  return result;
}

template <class Space>
class VectorOn final : public Vector {
 public:
  explicit VectorOn(Space const& space) : space_(space) {}
  void upload(int blocks, int rows, double const* data) override {
    resize(blocks, rows);
    copy_in(space_, data, numbers_.data(), numbers_.size() * sizeof(double));
  }
  void set_zero(int blocks, int rows) override {
    resize(blocks, rows);
    core::fill(space_, numbers_.span(), 0.0);
  }
  void download(double* data) const override {
    copy_out(space_, numbers_.data(), data, numbers_.size() * sizeof(double));
  }
  Span<double const> view() const { return numbers_.view(); }
  Span<double> span() { return numbers_.span(); }

 private:
  void resize(int blocks, int rows) {
    auto const size = static_cast<std::size_t>(blocks) * static_cast<std::size_t>(rows);
    if (size != numbers_.size()) {
      n = block = 0;
      numbers_ = {};
      numbers_ = Array<double, Space>(space_, size);
    }
    n = blocks;
    block = rows;
  }

  Space space_;
  Array<double, Space> numbers_;
};

/// Where the entries of a row of unknowns are. A diagonal block of its own comes first.
struct RowPlace {
  Span<int const> offsets;
  int block;
  bool has_diagonal;
  TESSERA_HD Offset of(Index row) const {
    Index const i = row / block;
    Offset const before = Offset{offsets[i]} + (has_diagonal ? i : 0);
    return before * block * block + Offset{row % block} * length(i);
  }
  TESSERA_HD Offset length(Index i) const {
    return Offset{offsets[i + 1] - offsets[i] + (has_diagonal ? 1 : 0)} * block;
  }
};

/// Row offsets and columns of unknowns from those of blocks.
struct ExpandPattern {
  RowPlace place;
  Span<int const> columns;
  Span<Offset> offsets;
  Span<Index> column;
  TESSERA_HD void operator()(Index row) const {
    int const block = place.block;
    Index const i = row / block;
    auto at = place.of(row);
    offsets[row] = at;
    offsets[row + 1] = at + place.length(i);
    for (int c = 0; place.has_diagonal && c < block; ++c) column[at++] = i * block + c;
    for (int k = place.offsets[i]; k < place.offsets[i + 1]; ++k)
      for (int c = 0; c < block; ++c) column[at++] = columns[k] * block + c;
  }
};

struct ExpandValues {
  RowPlace place;
  Span<double const> values, diagonal;
  Span<double> value;
  TESSERA_HD void operator()(Index row) const {
    int const block = place.block;
    Index const i = row / block;
    Offset const line = Offset{row % block} * block, size = Offset{block} * block;
    auto at = place.of(row);
    for (int c = 0; place.has_diagonal && c < block; ++c) value[at++] = diagonal[i * size + line + c];
    for (int k = place.offsets[i]; k < place.offsets[i + 1]; ++k)
      for (int c = 0; c < block; ++c) value[at++] = values[k * size + line + c];
  }
};

struct ColumnCheck {
  Span<int const> offsets, columns;
  int n;
  TESSERA_HD comm::LocalError operator()(Index i) const {
    for (int k = offsets[i]; k < offsets[i + 1]; ++k)
      if (columns[k] < 0 || columns[k] >= n) return comm::LocalError::range;
    return comm::LocalError::none;
  }
};

template <class Space>
class MatrixOn final : public Matrix {
 public:
  explicit MatrixOn(Space const& space) : space_(space) {}

  void upload(BlockRows const& rows) override {
    clear();
    offsets_ = taken(space_, rows.offsets, static_cast<std::size_t>(rows.n) + 1);
    auto const columns = taken(space_, rows.columns, static_cast<std::size_t>(rows.entries));
    require_pattern(rows, columns.view());
    place_ = {offsets_.view(), rows.block, rows.diagonal != nullptr};
    auto const n_blocks = static_cast<std::size_t>(rows.n), b = static_cast<std::size_t>(rows.block);
    auto const unknowns = n_blocks * b;
    auto const size = (static_cast<std::size_t>(rows.entries) + (place_.has_diagonal ? n_blocks : 0)) * b * b;
    row_offsets_ = Array<Offset, Space>(space_, unknowns + 1);
    column_ = Array<Index, Space>(space_, size);
    value_ = Array<double, Space>(space_, size);
    core::for_each(space_, unknowns,
                   ExpandPattern{place_, columns.view(), row_offsets_.span(), column_.span()});
    take_values(rows);
    comm::LocalRows<Offset> local;
    local.offsets = row_offsets_.view();
    local.column = column_.view();
    local.value = value_.view();
    A_ = comm::from_local(space_, comm::Distribution(comm::Communicator(), static_cast<Index>(unknowns)),
                          local);
    n = rows.n;
    entries = rows.entries;
    block = rows.block;
    has_diagonal = place_.has_diagonal;
    ++pattern;
  }

  void replace(BlockRows const& rows) override {
    try {
      take_values(rows);
      comm::replace_values(space_, A_, value_.view());
    } catch (...) {
      clear();
      throw;
    }
  }

  comm::DistCsr<double, Space> const& matrix() const { return A_; }

 private:
  void clear() {
    n = entries = block = dimension = 0;
    coordinates.clear();
    A_ = {};
  }
  /// Checks the blocks' own arrays, before anything is made of them.
  void require_pattern(BlockRows const& rows, Span<int const> columns) const {
    auto const offsets = offsets_.view();
    auto found = comm::first_error(space_, rows.n, comm::OffsetCheck<int>{offsets, rows.entries});
    if (found.kind == comm::LocalError::none)
      found = comm::first_error(space_, rows.n, ColumnCheck{offsets, columns, rows.n});
    if (found.kind != comm::LocalError::none)
      comm::throw_row_error(space_, comm::LocalRows<int>{offsets, columns, {}, {}, nullptr}, rows.n, found,
                            found.row);
  }
  void take_values(BlockRows const& rows) {
    auto const block = static_cast<std::size_t>(rows.block), size = block * block;
    auto const values = taken(space_, rows.values, static_cast<std::size_t>(rows.entries) * size);
    auto const diagonal = taken(space_, rows.diagonal, static_cast<std::size_t>(rows.n) * size);
    core::for_each(space_, row_offsets_.size() - 1,
                   ExpandValues{place_, values.view(), diagonal.view(), value_.span()});
    ++this->values;
  }

  Space space_;
  Array<int, Space> offsets_;  ///< of blocks
  RowPlace place_{};
  Array<Offset, Space> row_offsets_;
  Array<Index, Space> column_;
  Array<double, Space> value_;
  comm::DistCsr<double, Space> A_;  ///< in these arrays
};

template <class Space>
class SolverOn final : public Solver {
 public:
  SolverOn(Space const& space, Plan plan) : space_(space), plan_(std::move(plan)) {}

  void setup(std::shared_ptr<Matrix const> given) override {
    release();
    auto const A = std::static_pointer_cast<MatrixOn<Space> const>(given);
    auto const settings = settings_for(*A);
    if (plan_.preconditioned) {
      int const equations = settings.multigrid.equations;
      M_ = settings::make_preconditioner<Space>(
          space_, A->matrix(),
          [&] {
            return core::arithmetic_sequence(space_, 0, equations,
                                             static_cast<std::size_t>(A->matrix().local.rows / equations));
          },
          near_nullspace(*A, equations), settings);
    }
    stored_ = comm::DistMatrix<double, Space>(
        space_, A->matrix(),
        {settings.multigrid.format, settings.multigrid.chunk_size, settings.multigrid.sigma});
    core::synchronize(space_);
    pattern_ = A->pattern;
    values_ = A->values;
    A_ = A;
  }

  void resetup(std::shared_ptr<Matrix const> given) override {
    if (given != A_ || given->pattern != pattern_) return setup(std::move(given));
    auto const A = std::exchange(A_, nullptr);  // without a matrix if this fails
    take_values(*A);
    if (M_) {
      if (!M_->in_double() && !fits_float(largest_entry(*A))) return setup(A);
      M_->refresh(A->matrix());
      if (!M_->double_precision_reason().empty()) return setup(A);
    }
    core::synchronize(space_);
    A_ = A;
  }

  Solve solve(Vector const& b, Vector& x, bool from_zero) override {
    TESSERA_VALIDATE(A_ != nullptr, "the solver has no matrix; call AMGX_solver_setup first");
    TESSERA_VALIDATE(A_->pattern == pattern_ && A_->n > 0,
                     "the matrix was uploaded anew after the setup; call AMGX_solver_setup again");
    if (from_zero && x.n == 0) x.set_zero(b.n, b.block);
    for (auto const* const vector : {&b, const_cast<Vector const*>(&x)}) {
      TESSERA_VALIDATE(vector->n == A_->n && vector->block == A_->block, "the ",
                       vector == &b ? "right-hand side" : "solution", " has ", vector->n, " blocks of ",
                       vector->block, " rows, but the matrix has ", A_->n, " of ", A_->block,
                       "; upload a vector of the matrix' size");
    }
    TESSERA_VALIDATE(&b != &x, "right-hand side and solution are one vector; give two");
    if (A_->values != values_) take_values(*A_);
    auto result = iterate(static_cast<VectorOn<Space> const&>(b).view(),
                          static_cast<VectorOn<Space>&>(x).span(), from_zero);
    core::synchronize(space_);
    return result;
  }

  std::vector<std::string> const& warnings() const override {
    static std::vector<std::string> const none;
    return M_ ? M_->warnings() : none;
  }

  std::string grid() override {
    auto const* const report = M_ ? M_->report() : nullptr;
    if (report == nullptr) return "no levels\n";
    std::string text =
        core::formatted("%6s %12s %14s  %s\n", "level", "rows", "nonzeros", "smoother or solver");
    for (std::size_t l = 0; l < report->levels.size(); ++l) {
      auto const& level = report->levels[l];
      text +=
          core::formatted("%6d %12lld %14lld  %s\n", static_cast<int>(l), static_cast<long long>(level.rows),
                          static_cast<long long>(level.nonzeros), level.smoother.c_str());
    }
    return text + core::formatted("operator complexity %.3f, cycle %s\n", report->operator_complexity,
                                  report->cycle.c_str());
  }

 private:
  void release() {
    A_ = nullptr;
    M_ = nullptr;
    stored_ = {};
  }

  /// Products take new values at once, and the preconditioner when it is refreshed.
  void take_values(MatrixOn<Space> const& A) {
    stored_.refresh(space_, A.matrix());
    values_ = A.values;
  }

  double largest_entry(MatrixOn<Space> const& A) const {
    return comm::largest_magnitude(space_, A.matrix().local.value.view());
  }
  /// Whether values, their inverses and residuals stay within float's limits, 1e-38 and 3e38.
  static bool fits_float(double largest) { return largest > 1e-25 && largest < 1e25; }

  settings::Settings settings_for(MatrixOn<Space> const& A) const {
    auto settings = settings_of(plan_, A.block);
    auto const largest = largest_entry(A);
    if (settings.precision != settings::Precision::full && !fits_float(largest)) {
      settings.precision = settings::Precision::full;
      settings.multigrid.warnings.push_back(
          core::message("levels are in double: the largest entry of the matrix is ", largest,
                        ", too far from 1 for float"));
    }
    auto const nodes = A.coordinates.size() / static_cast<std::size_t>(std::max(A.dimension, 1));
    int const equations = settings.multigrid.equations;
    TESSERA_VALIDATE(A.matrix().local.rows % equations == 0, "a matrix of ", A.matrix().local.rows,
                     " rows does not consist of nodes of `number of equations` = ", equations,
                     " rows; correct the number");
    TESSERA_VALIDATE(nodes == 0 || nodes * static_cast<std::size_t>(equations) ==
                                       static_cast<std::size_t>(A.matrix().local.rows),
                     "AMGX_matrix_attach_geometry gave coordinates of ", nodes, " nodes, but the matrix has ",
                     A.matrix().local.rows / equations, " nodes of ", equations,
                     " rows; give coordinates of each node");
    return settings;
  }

  multigrid::NearNullspace near_nullspace(MatrixOn<Space> const& A, int equations) const {
    multigrid::NearNullspace result;
    result.dimension = A.dimension;
    result.coordinates = A.coordinates;
    if (equations > 1 && equations == A.dimension) {
      result.vectors = galerkin::rigid_body_mode_count(equations);
      result.rigid_body = galerkin::rigid_body_frame(comm::Communicator(), A.coordinates, equations);
    }
    return result;
  }

  Solve iterate(Span<double const> b, Span<double> x, bool from_zero) {
    if (plan_.iteration == Iteration::preconditioner) return iterate_preconditioner(b, x, from_zero);
    auto parameters = plan_.krylov;
    parameters.start_from_zero = from_zero;
    auto const result = krylov::solve(space_, stored_, M_ ? M_->functions() : krylov::Preconditioner{}, b, x,
                                      parameters, workspace_);
    Solve solve{status_of(result.stop), result.iterations, result.history, result.reason};
    for (auto& residual : solve.residuals) residual *= result.reference;
    return solve;
  }

  Status status_of(krylov::Stop stop) const {
    switch (stop) {
      case krylov::Stop::converged:
      case krylov::Stop::rounding_level:
        return Status::success;
      case krylov::Stop::max_iterations:
        return plan_.monitored ? Status::not_converged : Status::success;
      case krylov::Stop::stagnated:
        return Status::not_converged;
      case krylov::Stop::not_finite:
        return Status::diverged;
      default:
        return Status::failed;
    }
  }

  /// x <- x + M^-1 (b - A x).
  Solve iterate_preconditioner(Span<double const> b, Span<double> x, bool from_zero) {
    auto const n = x.size();
    auto const& how = plan_.krylov;
    auto const M = M_->functions();
    if (r_.size() != n) {
      r_ = Array<double, Space>(space_, n);
      z_ = Array<double, Space>(space_, n);
    }
    if (from_zero) core::fill(space_, x, 0.0);
    Solve solve{Status::not_converged, 0, {}, ""};
    for (;; ++solve.iterations) {
      auto const residual = residual_norm(b, x);
      solve.residuals.push_back(residual);
      bool const relative = residual <= how.tolerance * solve.residuals.front();
      bool const absolute = residual <= how.absolute_tolerance;
      bool const converged = how.test == krylov::Test::absolute   ? absolute
                             : how.test == krylov::Test::relative ? relative
                                                                  : absolute || relative;
      if (converged) return with_status(std::move(solve), Status::success, "");
      if (!std::isfinite(residual))
        return with_status(std::move(solve), Status::diverged,
                           krylov::not_finite_text("the residual's norm", residual));
      if (solve.iterations == how.max_iterations) break;
      M.apply(r_.view(), z_.span());
      combine(1, x, 1, z_.view(), x);
    }
    return with_status(std::move(solve), status_of(krylov::Stop::max_iterations),
                       core::message("the residual is above the tolerance after ", how.max_iterations,
                                     " iterations; take PCG, or allow more"));
  }

  static Solve with_status(Solve solve, Status status, std::string reason) {
    solve.status = status;
    solve.reason = std::move(reason);
    return solve;
  }

  /// r = b - A x, and its norm.
  double residual_norm(Span<double const> b, Span<double const> x) {
    comm::multiply(space_, stored_, x, r_.span());
    combine(1, b, -1, r_.view(), r_.span());
    double const* const r = r_.data();
    auto const list = sparse::ConstColumnList(&r, 1);
    return std::sqrt(sparse::dots(space_, r_.size(), list, list).front());
  }

  /// y = alpha u + beta v.
  void combine(double alpha, Span<double const> u, double beta, Span<double const> v, Span<double> y) const {
    double const *const from_u = u.data(), *const from_v = v.data();
    double* const to = y.data();
    sparse::combine(space_, y.size(), {&alpha, 1}, {&from_u, 1}, {&beta, 1}, {&from_v, 1}, {&to, 1});
  }

  Space space_;
  Plan plan_;
  std::shared_ptr<MatrixOn<Space> const> A_;  ///< of the last setup; null: none
  int pattern_ = 0, values_ = 0;              ///< the matrix' numbers that were taken
  comm::DistMatrix<double, Space> stored_;
  std::unique_ptr<settings::Preconditioner<Space>> M_;
  krylov::Workspace<Space> workspace_;
  Array<double, Space> r_, z_;
};

template <class Space>
class DeviceOn final : public Device {
 public:
  explicit DeviceOn(Space const& space) : space_(space) {}
  std::shared_ptr<Vector> vector() const override { return std::make_shared<VectorOn<Space>>(space_); }
  std::shared_ptr<Matrix> matrix() const override { return std::make_shared<MatrixOn<Space>>(space_); }
  std::shared_ptr<Solver> solver(Plan const& plan) const override {
    return std::make_shared<SolverOn<Space>>(space_, plan);
  }

 private:
  Space space_;
};

}  // namespace

template <class Space>
std::shared_ptr<Device const> make_device(Space const& space) {
  return std::make_shared<DeviceOn<Space>>(space);
}

template std::shared_ptr<Device const> make_device(InstanceSpace const&);

}  // namespace Tessera::amgx
