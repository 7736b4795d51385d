#include <sstream>

#include "Tessera_Details_Preconditioner.hpp"
#include "baselines/preconditioner.hpp"
#include "ifpack2/any_operator.hpp"
#include "parameters/parse.hpp"

namespace Tessera::baselines {
namespace {

using Ours = Details::Preconditioner;

template <class Report>
void take(Report const& report, Info& info) {
  info.phases = report.phases;
  info.backend = report.backend;
  info.warnings = report.warnings;
}

Info describe(Ours const& M) {
  Info info;
  auto& placed_operator = *M.inPlace();
  if (auto const* report = placed_operator.hierarchy_report()) {
    take(*report, info);
    for (auto const& level : report->levels)
      info.levels.push_back(
          {level.rows, level.nonzeros, level.aggregates, level.format, level.checksum, level.bytes});
    info.operator_complexity = report->operator_complexity;
    info.grid_complexity = report->grid_complexity;
  }
  if (auto const* report = placed_operator.fsai_report()) {
    take(*report, info);
    info.fsai = *report;
  }
  info.device = placed_operator.device();
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
  auto const& method = parameters::method_of(list);
  bool const is_set = mine.isParameter("number of equations") || mine.isParameter("PDE equations") ||
                      parameters::parse(list).problem != parameters::ProblemType::unknown;
  if (method.has_levels && !is_set) mine.set("number of equations", data.equations);
  auto const ours = Details::create(mine, data.matrix);
  ours->setNearNullspace(data.nullspace);
  ours->setCoordinates(data.coordinates);
  ours->setMaterial(data.material);
  ours->setLevelObserver(data.on_level);
  if (data.saved.empty()) {
    ours->compute();  // also initializes, and reads the values once
  } else {
    ours->load(data.saved);
  }
  // Time to bring the matrix to the GPU of the setup; zero on the host.
  auto const transfer = [ours] { return ours->inPlace()->transfer_seconds(); };
  double const reading = ours->inPlace()->device().empty() ? 0.0 : ours->getInitializeTime();
  return {method.keys.front(),
          ours,
          reading + transfer(),
          0,
          [ours] { return describe(*ours); },
          transfer,
          ours,
          reading};
}

}  // namespace Tessera::baselines
