#include "ifpack2/smoothed_aggregation_method.hpp"

#include <algorithm>
#include <utility>

#include "core/out_of_memory.hpp"
#include "ifpack2/Tessera_SmoothedAggregation_def.hpp"
#include "ifpack2/hierarchy_table.hpp"
#include "ifpack2/place_operator.hpp"
#include "tpetra/communicator.hpp"
#include "tpetra/compatibility.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::ifpack2 {
namespace {

/// A name for each node: that of its first row.
std::vector<VertexId> node_ids(std::vector<VertexId> row_ids, int equations) {
  if (equations == 1) return row_ids;
  std::vector<VertexId> ids(row_ids.size() / equations);
  for (std::size_t node = 0; node < ids.size(); ++node) ids[node] = row_ids[node * equations];
  return ids;
}

}  // namespace

MethodTraits SmoothedAggregationMethod::traits() {
  return {parameters::Algorithm::smoothed, "Tessera::SmoothedAggregation", "hierarchy",
          "refresh (aggregates and patterns kept)", "reuse (hierarchy kept)"};
}

void SmoothedAggregationMethod::require_mine(parameters::Settings const& settings) const {
  TESSERA_VALIDATE(settings.algorithm != parameters::Algorithm::fsai,
                   "Tessera::SmoothedAggregation: \"multigrid algorithm\" is fsai, which is Tessera::Fsai; "
                   "create that, by the name FSAI of Tessera::Factory say");
}

void SmoothedAggregationMethod::imported(tpetra::Map const& rows) {
  row_ids_ = tpetra::row_ids(rows);
}

std::unique_ptr<AnyOperator> SmoothedAggregationMethod::set_up(Backend const& backend,
                                                               comm::DistCsr<double, Host> const& A) {
  auto const& comm = A.rows.comm();
  int const equations = settings().multigrid.equations;
  auto const rows = static_cast<std::size_t>(A.rows.local_size());
  comm::agree_on_errors(comm, [&] {
    TESSERA_VALIDATE(rows % static_cast<std::size_t>(equations) == 0, "rank ", comm.rank(), " has ", rows,
                     " rows, which are not whole nodes of `number of equations` = ", equations,
                     " rows each; distribute the matrix by nodes, or correct the number");
  });
  auto const nullspace = near_nullspace(comm, data(), rows, equations);
  if (row_ids_.empty()) row_ids_ = tpetra::row_ids(*row_map());  // the setup before this one took them
  auto const names = node_ids(std::exchange(row_ids_, {}), equations);
  return place<multigrid::Hierarchy>(
      backend, settings().precision, A,
      [&](auto precision, auto const& space, auto const& matrix, core::PhaseTimes& times) {
        using T = decltype(precision);
        using Space = std::decay_t<decltype(space)>;
        Array<VertexId, Space> ids;
        core::name_out_of_memory([] { return "setup, level 0"; },
                                 [&] {
                                   core::PhaseTimer<Space> const timer(space, times, "transfer");
                                   ids = core::to_space(space, names);
                                 });
        return multigrid::Hierarchy<T, Space>(space, matrix, std::move(ids), nullspace, settings().multigrid);
      });
}

MultiVectorPointer SmoothedAggregationMethod::nearNullspace() const {
  auto const rows = tpetra::local_size(*row_map());
  int const equations = settings().multigrid.equations;
  auto const given = near_nullspace(tpetra::communicator(*row_map()->getComm()), data(), rows, equations);
  auto const count = static_cast<std::size_t>(given.vectors > 0 ? given.vectors : equations);
  auto const vectors = Teuchos::rcp(new tpetra::MultiVector(row_map(), count));
  tpetra::WriteColumns const columns(*vectors);
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t i = 0; i < rows; ++i)
      columns[j][i] = given.vectors > 0 ? given.values[i * count + j] : i % count == j ? 1.0 : 0.0;
  }
  return vectors;
}

bool SmoothedAggregationMethod::isSymmetric() const {
  using multigrid::CycleType;
  auto const when = settings().multigrid.smoother.pre_or_post;
  auto const cycle = settings().multigrid.cycle;
  return (when == multigrid::PreOrPost::both || when == multigrid::PreOrPost::none) &&
         (cycle == CycleType::V || cycle == CycleType::W);
}

std::vector<std::pair<std::string, std::string>> SmoothedAggregationMethod::facts() const {
  auto all = MatrixMethod::facts();
  if (settings().multigrid.cycle != multigrid::CycleType::K) return all;
  std::string const meant = "Meant for";
  all.erase(std::remove_if(all.begin(), all.end(), [&](auto const& fact) { return fact.first == meant; }),
            all.end());
  all.emplace_back(meant,
                   "\"flexible solvers, such as TESSERA FLEXIBLE CG, since a K-cycle is not linear; plain CG "
                   "works in practice, plain GMRES stops too early\"");
  return all;
}

std::string SmoothedAggregationMethod::table(AnyOperator& M, Teuchos::EVerbosityLevel level) const {
  auto const& report = *M.hierarchy_report();
  return hierarchy_table(report) + (level >= Teuchos::VERB_HIGH ? phase_table(report.phases) : "");
}

}  // namespace Tessera::ifpack2

namespace Tessera::Details {

std::unique_ptr<Method<Tpetra::RowMatrix<double, int, long long>>> makeSmoothedAggregation() {
  return std::make_unique<ifpack2::SmoothedAggregationMethod>();
}

}  // namespace Tessera::Details
