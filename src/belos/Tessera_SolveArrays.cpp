#include "Tessera_SolveArrays.hpp"

#include <Tpetra_Map.hpp>
#include <algorithm>
#include <memory>
#include <utility>

#include "belos/linear_solver.hpp"
#include "belos/operators.hpp"
#include "comm/from_local.hpp"
#include "core/array.hpp"
#include "core/device.hpp"
#include "core/parallel.hpp"
#include "core/timer.hpp"
#include "ifpack2/third_party.hpp"
#include "ifpack2/user_data.hpp"
#include "parameters/messages.hpp"
#include "parameters/parse.hpp"
#include "parameters/selection.hpp"
#include "settings/preconditioner.hpp"
#include "tpetra/import_matrix.hpp"
#include "tpetra/local_rows.hpp"
#include "tpetra/types.hpp"

namespace Tessera {
namespace {

using tpetra::local_size;
using tpetra::Map;
char const* const caller = "Tessera::solve";

/// What a list says.
struct Wanted {
  bool preconditioned = true;
  Teuchos::ParameterList own;
  settings::Settings settings;
  belos::KrylovChoice krylov;
};

Wanted checked(Teuchos::ParameterList& list) {
  auto const selection = parameters::selection(Teuchos::rcpFromRef(list));
  auto const& type = selection.preconditioner;
  TESSERA_VALIDATE(type == "Tessera" || type == "None", caller, ": \"Preconditioner Type\" is \"", type,
                   "\"; it must be Tessera or None");
  parameters::validate(selection);
  Wanted wanted;
  wanted.preconditioned = type == "Tessera";
  wanted.krylov = belos::krylov_choice(selection);
  if (wanted.preconditioned) wanted.own = *selection.preconditioner_parameters;
  parameters::choose_precision(wanted.own, wanted.krylov.solver, wanted.krylov.parameters);
  wanted.settings = parameters::parse(wanted.own);
  return wanted;
}

/// Not collective. \throws core::InvalidInput
void require_maps(CsrArrays const& A) {
  bool const narrow = A.offsets32 != nullptr, wide = A.offsets64 != nullptr;
  auto const n = local_size(*A.rowMap);
  TESSERA_VALIDATE(!(narrow && wide), caller,
                   ": row offsets of 32 and of 64 bits are given; leave one of them null");
  TESSERA_VALIDATE(n == 0 || narrow || wide, caller,
                   ": there are no row offsets; give offsets32 or offsets64");
  TESSERA_VALIDATE(tpetra::begins_with_rows(*A.columnMap, *A.rowMap), caller,
                   ": the column map does not begin with the row map's indices in order (local column i is "
                   "row i of this rank, columns of others follow): order it so, as "
                   "Tpetra::CrsGraph::fillComplete() does");
}

template <class Position, class Space>
comm::DistCsr<double, Space> read_rows(Space const& space, CsrArrays const& A, Position const* offsets,
                                       comm::Distribution const& rows) {
  auto const n = static_cast<std::size_t>(rows.local_size());
  comm::LocalRows<Position> local;
  local.offsets = {offsets, offsets == nullptr ? 0 : n + 1};
  local.column = {A.columns, A.entries};
  local.value = {A.values, A.entries};
  local.ghost_columns = tpetra::columns_of_others(*A.rowMap, *A.columnMap, rows);
  local.user_row = [map = A.rowMap](Index i) { return GlobalIndex{map->getGlobalElement(i)}; };
  return comm::from_local(space, rows, local);
}

template <class Space>
void require_vector(Space const& space, char const* name, double const* vector, std::size_t rows) {
  TESSERA_VALIDATE(rows == 0 || vector != nullptr, caller, ": ", name, " is a null pointer; give ", rows,
                   " numbers");
  if (rows == 0) return;  // an empty view of Kokkos may point to host memory
  auto const where = core::memory_space_mismatch(space, vector);
  TESSERA_VALIDATE(where.empty(), caller, ": ", name, " lies ", where, ", but the system is solved on ",
                   Space::name,
                   ": give memory of that back end's device, or choose the back end that has it");
}

/// False for managed memory, which either back end reads, and on ranks without entries.
bool lies_on_host([[maybe_unused]] CsrArrays const& A) {
#if defined(TESSERA_HAVE_CUDA)
  return A.entries > 0 && core::device_of(A.values) < 0 &&
         !core::memory_space_mismatch(Cuda{}, A.values).empty();
#else
  return false;
#endif
}

}  // namespace

class ArraysSolver::State {
 public:
  virtual ~State() = default;
  virtual void refresh(double const* values) = 0;
  virtual belos::SolveOutcome solve(double const* b, double* x) = 0;
  virtual void apply(double const* b, double* x) = 0;

  comm::Communicator comm;
  std::size_t rows = 0;        ///< of this rank
  core::TransferBytes before;  ///< what had crossed the bus at the end of the last solve
};

namespace {

template <class Space>
class System final : public ArraysSolver::State {
 public:
  System(Space const& space, CsrArrays const& A, Wanted wanted, comm::Distribution const& rows)
      : space_(space),
        map_(A.rowMap),
        wanted_(std::move(wanted)),
        A_(A.offsets32 != nullptr ? read_rows(space, A, A.offsets32, rows)
                                  : read_rows(space, A, A.offsets64, rows)),
        here_(belos::make_residence(space, rows)) {
    if (wanted_.preconditioned) make();
  }

  void refresh(double const* values) override {
    comm::replace_values(space_, A_, {values, A_.local.column.size()});
    release_operators();
    if (!wanted_.preconditioned) return;
    auto M = std::exchange(M_, nullptr);  // without a preconditioner if this fails
    if (!M) return make();
    if (!M->in_double()) require_range_of_float();
    core::Stopwatch const watch{};
    M->refresh(A_);
    core::synchronize(space_);
    setup_seconds_ = watch.seconds();
    if (M->double_precision_reason().empty()) {
      M_ = std::move(M);
    } else {
      M.reset();  // before the new one needs the memory
      make();
    }
  }

  belos::SolveOutcome solve(double const* b, double* x) override {
    require_vectors(b, x);
    auto outcome = iterate(const_cast<double*>(b), x);  // b is only read
    core::synchronize(space_);
    outcome.backend = Space::name;
    outcome.setupSeconds = setup_seconds_;
    if (M_) outcome.warnings.insert(outcome.warnings.end(), M_->warnings().begin(), M_->warnings().end());
    return outcome;
  }

  /// Divides b by a power of two if it is outside of float's range, as PreconditionerImpl::apply_in_range().
  void apply(double const* b, double* x) override {
    require_vectors(b, x);
    TESSERA_VALIDATE(wanted_.preconditioned, caller,
                     ": \"Preconditioner Type\" is None; there is nothing to apply");
    require_preconditioner();
    auto const M = M_->functions();
    bool const squares = wanted_.settings.multigrid.cycle == multigrid::CycleType::K;
    double const scale = M_->in_double() && !squares
                             ? 1
                             : ifpack2::scale_for_float(largest({b, here_->local_rows()}), largest_entry_);
    if (scale == 1) {
      M.apply({b, here_->local_rows()}, {x, here_->local_rows()});
    } else {
      ResidentMultiVector const B(here_, {const_cast<double*>(b)});
      ResidentMultiVector scaled(here_, 1), X(here_, {x});
      scaled.combine(1 / scale, B, 0, B);
      M.apply(belos::column(std::as_const(scaled), 0), belos::column(X, 0));
      X.scale({scale});
    }
    core::synchronize(space_);
  }

 private:
  void require_preconditioner() const {
    TESSERA_VALIDATE(M_ != nullptr, caller,
                     ": the last refresh failed, so there is no preconditioner; call refresh() again");
  }

  void require_vectors(double const* b, double const* x) const {
    auto const rows = here_->local_rows();
    comm::agree_on_errors(A_.rows.comm(), [&] {
      require_vector(space_, "b", b, rows);
      require_vector(space_, "x", x, rows);
      TESSERA_VALIDATE(b != x || rows == 0, caller, ": b and x share memory; give x memory of its own");
    });
  }

  belos::SolveOutcome iterate(double* b, double* x) {
    if (wanted_.preconditioned) require_preconditioner();
    auto const B = Teuchos::rcp(new ResidentMultiVector(here_, std::vector<double*>{b}));
    auto const X = Teuchos::rcp(new ResidentMultiVector(here_, std::vector<double*>{x}));
    if (matrix_.is_null()) make_operators();
    auto const& M = preconditioner_;
    return belos::iterate<ResidentMultiVector, ResidentOperator>(
        belos::with_our_solver(wanted_.krylov, !M.is_null() && !M->isSymmetric()), matrix_, M, B, X, false,
        kept_);
  }

  void make_operators() {
    matrix_ = Teuchos::rcp(new belos::MatrixOperator(here_, A_, true, nullptr));
    if (!M_) return;
    auto const functions = M_->functions();
    preconditioner_ =
        Teuchos::rcp(new belos::PreconditionerOperator(here_, functions, functions.symmetric, nullptr));
  }

  void release_operators() {
    matrix_ = preconditioner_ = Teuchos::null;
    kept_ = {};
  }

  /// The largest magnitude on all ranks.
  double largest(Span<double const> values) const {
    return A_.rows.comm().max(comm::largest_magnitude(space_, values));
  }

  void require_range_of_float() {
    largest_entry_ = largest(A_.local.value.view());
    ifpack2::require_range_of_float(largest_entry_);
  }

  void make() {
    core::Stopwatch const watch{};
    M_.reset();  // before the new one needs the memory
    if (wanted_.settings.precision != settings::Precision::full) require_range_of_float();
    auto settings = wanted_.settings;
    settings.multigrid = ifpack2::with_foreign_parts(settings);
    multigrid::NearNullspace nullspace;
    int const equations = settings.multigrid.equations;
    if (settings::method_for(settings.algorithm).has_levels) {
      auto const rows = static_cast<std::size_t>(A_.local.rows);
      ifpack2::require_whole_nodes(A_.rows, equations);
      nullspace =
          ifpack2::near_nullspace(space_, A_.rows.comm(), ifpack2::user_data(wanted_.own), rows, equations);
    }
    M_ = settings::make_preconditioner<Space>(
        space_, A_, [&] { return ifpack2::node_ids(space_, tpetra::row_ids(*map_), equations); }, nullspace,
        settings);
    core::synchronize(space_);
    setup_seconds_ = watch.seconds();
  }

  Space space_;
  Teuchos::RCP<Map const> map_;
  Wanted wanted_;
  comm::DistCsr<double, Space> A_;
  std::shared_ptr<belos::Residence const> here_;
  std::unique_ptr<settings::Preconditioner<Space>> M_;            ///< of A_; none where the list names none
  Teuchos::RCP<ResidentOperator const> matrix_, preconditioner_;  ///< of the solves since the last refresh
  belos::KeptResident kept_;
  double setup_seconds_ = 0;
  double largest_entry_ = 1;  ///< of A_, if levels are in float
};

}  // namespace

ArraysSolver::ArraysSolver(CsrArrays const& A, Teuchos::ParameterList& list) {
  TESSERA_VALIDATE(!A.rowMap.is_null() && !A.columnMap.is_null(), caller,
                   ": the row map or the column map is a null pointer; give both on every rank");
  auto const comm = tpetra::communicator(*A.rowMap->getComm());
  Wanted wanted;
  comm::agree_on_errors(comm, [&] {
    wanted = checked(list);
    require_maps(A);
  });
  auto said = belos::said(wanted.krylov);
  for (auto& one : parameters::parsed_values(wanted.own))
    if (one.first != "backend: device") said.push_back(std::move(one));
  parameters::require_same_on_all_ranks(*A.rowMap->getComm(), said);
  auto const before = core::transferred_bytes();
  if (wanted.settings.backend == settings::Backend::automatic && comm.any(lies_on_host(A)))
    wanted.settings.backend = settings::Backend::host;
  if (wanted.settings.device < 0 && A.entries > 0) wanted.settings.device = core::device_of(A.values);
  auto const backend = ifpack2::choose_backend(wanted.settings, comm);
  ifpack2::choose_overlap(wanted.settings, backend, comm);
  comm::Distribution const rows(comm, static_cast<Index>(local_size(*A.rowMap)));
  state_ = std::visit(
      [&](auto const& space) -> std::unique_ptr<State> {
        return std::make_unique<System<std::decay_t<decltype(space)>>>(space, A, std::move(wanted), rows);
      },
      backend.space);
  state_->comm = comm;
  state_->rows = static_cast<std::size_t>(rows.local_size());
  state_->before = before;
}

ArraysSolver::~ArraysSolver() = default;

void ArraysSolver::refresh(double const* values) {
  state_->refresh(values);
}

SolveReport ArraysSolver::solve(double const* b, double* x) {
  SolveReport report = state_->solve(b, x);
  auto const& comm = state_->comm;
  auto const now = core::transferred_bytes();
  auto const moved = now - std::exchange(state_->before, now);
  report.setupSeconds = comm.max(report.setupSeconds);
  report.solveSeconds = comm.max(report.solveSeconds);
  report.bytesToDevice = static_cast<std::size_t>(comm.sum(static_cast<GlobalIndex>(moved.to_device)));
  report.bytesToHost = static_cast<std::size_t>(comm.sum(static_cast<GlobalIndex>(moved.to_host)));
  return report;
}

void ArraysSolver::apply(double const* b, double* x) {
  state_->apply(b, x);
}

void ArraysSolver::requireLengths(std::size_t b, std::size_t x) const {
  comm::agree_on_errors(state_->comm, [&] {
    TESSERA_VALIDATE(b == state_->rows && x == state_->rows, caller, ": rank ", state_->comm.rank(), " has ",
                     state_->rows, " rows, b has ", b, " numbers there and x has ", x,
                     "; give vectors on the matrix' row map");
  });
}

SolveReport solve(CsrArrays const& A, double const* b, double* x, Teuchos::ParameterList& list) {
  return ArraysSolver(A, list).solve(b, x);
}

}  // namespace Tessera
