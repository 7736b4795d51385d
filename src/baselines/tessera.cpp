#include <sstream>

#include "Tessera_Factory.hpp"
#include "baselines/make.hpp"
#include "ifpack2/any_operator.hpp"
#include "multigrid/hierarchy.hpp"

namespace Tessera::baselines {
namespace {

using RowMatrix = Tpetra::RowMatrix<>;
using Ours = Details::Preconditioner<RowMatrix>;

Info describe(Ours const& M) {
  Info info;
  auto const* report = M.hierarchyReport();
  for (auto const& level : report->levels)
    info.levels.push_back({level.rows, level.nonzeros, level.aggregates, level.checksum});
  info.operator_complexity = report->operator_complexity;
  info.grid_complexity = report->grid_complexity;
  info.phases = report->phases;
  info.backend = report->backend;
  info.device = M.inPlace()->device();
  info.warnings = report->warnings;
  std::ostringstream text;
  auto const out = Teuchos::getFancyOStream(Teuchos::rcpFromRef(text));
  out->setTabIndentStr("");
  M.describe(*out, Teuchos::VERB_LOW);
  info.description = text.str();
  return info;
}

}  // namespace

Preconditioner make_tessera(Teuchos::ParameterList const& list, ProblemData const& data) {
  Teuchos::ParameterList mine(list);
  if (!mine.isParameter("number of equations")) mine.set("number of equations", data.equations);
  auto const M =
      Factory::create<RowMatrix>("SA-AMG", Teuchos::rcp_implicit_cast<RowMatrix const>(data.matrix));
  auto const ours = Teuchos::rcp_dynamic_cast<Ours>(M, true);
  ours->setNearNullspace(data.nullspace);
  ours->setCoordinates(data.coordinates);
  ours->setParameters(mine);
  ours->compute();  // initializes, and then need not read the values twice
  // What it takes to have the matrix where the setup is done: nothing but on a GPU.
  auto const upload = [ours] {
    if (ours->inPlace()->on_cuda() == nullptr) return 0.0;
    return ours->getInitializeTime() + ours->inPlace()->transfer_seconds();
  };
  return {"SA-AMG", M, upload(), 0, [ours] { return describe(*ours); }, upload};
}

}  // namespace Tessera::baselines
