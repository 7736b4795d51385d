#include "Tessera_SolveArrays.hpp"

#include <Tpetra_Import.hpp>
#include <Tpetra_Vector.hpp>
#include <chrono>

#include "belos/krylov_choice.hpp"
#include "belos/operators.hpp"
#include "comm/from_local.hpp"
#include "core/reachable.hpp"
#include "core/transfer_bytes.hpp"
#include "fsai/fsai.hpp"
#include "ifpack2/node_ids.hpp"
#include "ifpack2/range_of_float.hpp"
#include "ifpack2/user_data.hpp"
#include "multigrid/bootstrap.hpp"
#include "multigrid/hierarchy.hpp"
#include "parameters/parse.hpp"
#include "parameters/precision.hpp"
#include "parameters/suggestion.hpp"
#include "sparse/columns.hpp"
#include "tpetra/communicator.hpp"
#include "tpetra/compatibility.hpp"
#include "tpetra/import_matrix.hpp"

namespace Tessera {
namespace {

using tpetra::local_size;
using tpetra::Map;
using Clock = std::chrono::steady_clock;
char const* const caller = "Tessera::solve";

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What a list says.
struct Wanted {
  bool preconditioned = true;
  Teuchos::ParameterList own;
  parameters::Settings settings;
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

/// Ours where it does the same, as belos::LinearSolver has it on a GPU.
belos::KrylovChoice with_our_solver(belos::KrylovChoice choice, bool symmetric) {
  bool const named = parameters::upper_case(choice.solver).rfind("TESSERA ", 0) == 0;
  if (!named && belos::is_one_of_ours(choice))
    choice.solver = symmetric ? "TESSERA CG" : "TESSERA FLEXIBLE CG";
  return choice;
}

/// Not collective. \throws core::InvalidInput
void require_maps(CsrArrays const& A) {
  bool const narrow = A.offsets32 != nullptr, wide = A.offsets64 != nullptr;
  auto const n = local_size(*A.rowMap);
  TESSERA_VALIDATE(!(narrow && wide), caller,
                   ": row offsets of 32 and of 64 bits are given; leave one of them null");
  TESSERA_VALIDATE(n == 0 || narrow || wide, caller,
                   ": there are no row offsets; give offsets32 or offsets64");
  auto const owned = tpetra::local_elements(*A.rowMap), columns = tpetra::local_elements(*A.columnMap);
  bool begins = local_size(*A.columnMap) >= n;
  for (std::size_t i = 0; begins && i < n; ++i) begins = owned[i] == columns[i];
  TESSERA_VALIDATE(begins, caller,
                   ": the column map does not begin with the row map's indices in order (local column i is "
                   "row i of this rank, columns of others follow): order it so, as "
                   "Tpetra::CrsGraph::fillComplete() does");
}

/// The global column of each local one that other ranks own. Collective.
std::vector<GlobalIndex> columns_of_others(CsrArrays const& A, comm::Distribution const& rows) {
  rows.comm().agree();
  using Numbers =
      Tpetra::Vector<tpetra::GlobalOrdinal, tpetra::LocalOrdinal, tpetra::GlobalOrdinal, tpetra::Node>;
  Numbers owned(A.rowMap), wanted(A.columnMap);
  wanted.putScalar(-1);
  {
    auto const view = owned.getLocalViewHost(Tpetra::Access::OverwriteAll);
    for (std::size_t i = 0; i < view.extent(0); ++i) view(i, 0) = rows.begin() + static_cast<GlobalIndex>(i);
  }
  wanted.doImport(owned, tpetra::Import(A.rowMap, A.columnMap), Tpetra::INSERT);
  auto const view = wanted.getLocalViewHost(Tpetra::Access::ReadOnly);
  std::vector<GlobalIndex> others;
  for (auto c = local_size(*A.rowMap); c < view.extent(0); ++c) others.push_back(view(c, 0));
  return others;
}

template <class Position, class Space>
comm::DistCsr<double, Space> read_rows(Space const& space, CsrArrays const& A, Position const* offsets,
                                       comm::Distribution const& rows) {
  auto const n = static_cast<std::size_t>(rows.local_size());
  comm::LocalRows<Position> local;
  local.offsets = {offsets, offsets == nullptr ? 0 : n + 1};
  local.column = {A.columns, A.entries};
  local.value = {A.values, A.entries};
  local.others = columns_of_others(A, rows);
  local.user_row = [map = A.rowMap](Index i) { return GlobalIndex{map->getGlobalElement(i)}; };
  return comm::from_local(space, rows, local);
}

template <class Space>
void require_vector(Space const& space, char const* name, double const* vector, std::size_t rows) {
  TESSERA_VALIDATE(rows == 0 || vector != nullptr, caller, ": ", name, " is a null pointer; give ", rows,
                   " numbers");
  auto const where = core::elsewhere(space, vector);
  TESSERA_VALIDATE(where.empty(), caller, ": ", name, " lies ", where, ", but the system is solved on ",
                   Space::name,
                   ": give memory of that back end's device, or choose the back end that has it");
}

/// One solve on a back end; M and A live as long as it.
template <class Space>
class Solve {
 public:
  Solve(Space const& space, comm::DistCsr<double, Space>& A, Wanted const& wanted, double const* b, double* x)
      : space_(space),
        A_(A),
        wanted_(wanted),
        here_(belos::make_residence(space, A.rows)),
        b_(const_cast<double*>(b)),
        x_(x) {}

  belos::SolveOutcome without_preconditioner() const { return run(Teuchos::null); }

  /// M: made of A, which has an apply().
  template <class Operator>
  belos::SolveOutcome with(Operator& M, double setup_seconds) const {
    krylov::Preconditioner apply;
    apply.apply = [&M](Span<double const> r, Span<double> z) { M.apply(r, z); };
    apply.symmetric = parameters::is_symmetric(wanted_.settings);
    apply.capturable = core::SpaceTraits<Space>::runs_ahead && M.enqueues_only();
    auto outcome =
        run(Teuchos::rcp(new belos::PreconditionerOperator(here_, apply, apply.symmetric, nullptr)));
    outcome.setupSeconds = setup_seconds;
    for (auto const& one : M.warnings()) outcome.warnings.push_back(one);
    return outcome;
  }

 private:
  belos::SolveOutcome run(Teuchos::RCP<ResidentOperator const> const& M) const {
    auto const A = Teuchos::rcp(new belos::MatrixOperator(here_, A_, true, nullptr));
    auto const B = Teuchos::rcp(new ResidentMultiVector(here_, std::vector<double*>{b_}));
    auto const X = Teuchos::rcp(new ResidentMultiVector(here_, std::vector<double*>{x_}));
    auto outcome = belos::iterate<ResidentMultiVector, ResidentOperator>(
        with_our_solver(wanted_.krylov, M.is_null() || M->isSymmetric()), A, M, B, X, false);
    core::synchronize(space_);
    outcome.backend = Space::name;
    return outcome;
  }

  Space space_;
  comm::DistCsr<double, Space>& A_;
  Wanted const& wanted_;
  std::shared_ptr<belos::Residence const> here_;
  double *b_, *x_;  ///< b is only read
};

template <template <class, class> class Levels, class T, class Space>
belos::SolveOutcome solve_by_levels(Space const& space, comm::DistCsr<double, Space> const& A, Map const& map,
                                    Wanted const& wanted, Solve<Space> const& solve) {
  auto const& parameters = wanted.settings.multigrid;
  auto const equations = static_cast<std::size_t>(parameters.equations);
  auto const rows = local_size(map);
  comm::agree_on_errors(A.rows.comm(), [&] {
    TESSERA_VALIDATE(rows % equations == 0, "a rank has ", rows, " rows, which are not whole nodes of ",
                     equations, " rows; distribute the matrix by nodes, or correct `number of equations`");
  });
  auto const start = Clock::now();
  auto const data = ifpack2::user_data(wanted.own);
  auto const nullspace = ifpack2::near_nullspace(A.rows.comm(), data, rows, parameters.equations);
  Levels<T, Space> M(space, A, ifpack2::node_ids(space, tpetra::row_ids(map), parameters.equations),
                     nullspace, parameters);
  core::synchronize(space);
  if constexpr (std::is_same_v<T, float>) {
    if (!M.why_double().empty()) return solve_by_levels<Levels, double>(space, A, map, wanted, solve);
  }
  return solve.with(M, seconds_since(start));
}

template <class T, class Space>
belos::SolveOutcome solve_in(Space const& space, comm::DistCsr<double, Space> const& A, Map const& map,
                             Wanted const& wanted, Solve<Space> const& solve) {
  auto const& levels = wanted.settings.multigrid;
  if (wanted.settings.algorithm == parameters::Algorithm::fsai) {
    auto const start = Clock::now();
    fsai::Fsai<T, Space> M(space, A, wanted.settings.fsai, {levels.format, levels.chunk_size, levels.sigma});
    core::synchronize(space);
    return solve.with(M, seconds_since(start));
  }
  if (levels.bootstrap.components > 1)
    return solve_by_levels<multigrid::Bootstrap, T>(space, A, map, wanted, solve);
  return solve_by_levels<multigrid::Hierarchy, T>(space, A, map, wanted, solve);
}

template <class Space>
belos::SolveOutcome solve_on(Space const& space, CsrArrays const& A, double const* b, double* x,
                             Wanted const& wanted, comm::Communicator const& comm) {
  comm::Distribution const rows(comm, static_cast<Index>(local_size(*A.rowMap)));
  comm::agree_on_errors(comm, [&] {
    require_vector(space, "b", b, local_size(*A.rowMap));
    require_vector(space, "x", x, local_size(*A.rowMap));
    TESSERA_VALIDATE(b != x || b == nullptr, caller, ": b and x share memory; give x memory of its own");
  });
  auto matrix = A.offsets32 != nullptr ? read_rows(space, A, A.offsets32, rows)
                                       : read_rows(space, A, A.offsets64, rows);
  Solve<Space> const solve(space, matrix, wanted, b, x);
  if (!wanted.preconditioned) return solve.without_preconditioner();
  bool const full = wanted.settings.precision == parameters::Precision::full;
  if (!full) {
    auto const largest = sparse::absolute_maxima(space, A.entries, sparse::ConstColumnList(&A.values, 1));
    ifpack2::require_range_of_float(comm.max(largest.front()));
  }
  return full ? solve_in<double>(space, matrix, *A.rowMap, wanted, solve)
              : solve_in<float>(space, matrix, *A.rowMap, wanted, solve);
}

}  // namespace

SolveReport solve(CsrArrays const& A, double const* b, double* x, Teuchos::ParameterList& list) {
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
  auto const backend = ifpack2::choose_backend(wanted.settings, comm);
  ifpack2::choose_overlap(wanted.settings, backend, comm);
  SolveReport report =
      std::visit([&](auto const& space) { return solve_on(space, A, b, x, wanted, comm); }, backend.space);
  auto const moved = core::transferred_bytes() - before;
  report.setupSeconds = comm.max(report.setupSeconds);
  report.solveSeconds = comm.max(report.solveSeconds);
  report.bytesToDevice = static_cast<std::size_t>(comm.sum(static_cast<GlobalIndex>(moved.to_device)));
  report.bytesToHost = static_cast<std::size_t>(comm.sum(static_cast<GlobalIndex>(moved.to_host)));
  return report;
}

}  // namespace Tessera
