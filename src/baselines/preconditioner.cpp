#include "baselines/preconditioner.hpp"

#include <new>
#include <sstream>

#include "Tessera_Details_Preconditioner.hpp"
#include "core/error.hpp"
#include "ifpack2/any_operator.hpp"
#include "ifpack2/third_party.hpp"
#include "parameters/messages.hpp"
#include "parameters/parse.hpp"

namespace Tessera::baselines {
namespace {

struct PreconditionerType {
  char const* type;
  Preconditioner (*make)(Teuchos::ParameterList const&, ProblemData const&);
  char const* absent;  ///< why this build lacks it; null if the build has it
};

constexpr char const* not_found =
    "the Trilinos that Tessera was configured with lacks the package, or TESSERA_TRILINOS_PACKAGES excludes "
    "it; "
    "install libtrilinos-ml-dev and libtrilinos-muelu-dev, or a Trilinos with the package, and configure "
    "again";

PreconditionerType const known[] = {
    {"Tessera", make_tessera, nullptr},
    {"Ifpack2", make_ifpack2, nullptr},
#if defined(TESSERA_HAVE_ML)
    {"ML", make_ml, nullptr},
#else
    {"ML", nullptr, not_found},
#endif
#if defined(TESSERA_HAVE_MUELU)
    {"MueLu", make_muelu, nullptr},
#else
    {"MueLu", nullptr, not_found},
#endif
};

PreconditionerType const& find(std::string const& type) {
  for (auto const& one : known)
    if (type == one.type) return one;
  throw core::InvalidInput("Preconditioner Type \"" + type +
                           "\" is not known; choose \"Tessera\", \"ML\", \"MueLu\", \"Ifpack2\" or \"None\"");
}

/// Rejects numbers of sweeps and degrees that no solve would finish, in all lists that reach Ifpack2.
void check_passes(Teuchos::ParameterList const& list) {
  constexpr int most = 100000;
  for (auto const& entry : list) {
    if (entry.second.isList()) check_passes(list.sublist(entry.first));
    bool const passes = entry.first == "relaxation: sweeps" || entry.first == "chebyshev: degree";
    if (!passes || !entry.second.isType<int>()) continue;
    int const value = Teuchos::getValue<int>(entry.second);
    TESSERA_VALIDATE(value <= most, parameters::where(list, entry.first), " is ", value,
                     " (an application would take hours); give at most ", most);
  }
}

}  // namespace

bool is_available(std::string const& type, std::string* reason) {
  if (type == "None") return true;
  auto const& one = find(type);
  if (reason && one.absent) *reason = one.absent;
  return one.absent == nullptr;
}

Preconditioner make_preconditioner(std::string const& type, Teuchos::ParameterList const& list,
                                   ProblemData const& data) {
  if (type == "None") return {"none", Teuchos::null, 0.0, 0, [] { return Info{}; }};
  auto const& one = find(type);
  if (one.absent)
    throw core::Unavailable("preconditioner " + type + " is not in this build (" + one.absent + ")");
  if (type == "Tessera") return one.make(list, data);
  check_passes(list);
  try {
    return one.make(list, data);
  } catch (core::InvalidInput const&) {
    throw;
  } catch (std::bad_alloc const&) {
    throw;
  } catch (std::exception const& error) {  // other packages throw any type for a wrong list
    throw core::InvalidInput("Preconditioner Types -> " + type + ": " + parameters::plain_text(error.what()));
  }
}

void complete(Info& info) {
  if (info.levels.empty() || info.levels[0].rows == 0 || info.levels[0].nonzeros == 0) return;
  double rows = 0, nonzeros = 0;
  for (auto const& level : info.levels) {
    rows += static_cast<double>(level.rows);
    nonzeros += static_cast<double>(level.nonzeros);
  }
  info.grid_complexity = rows / static_cast<double>(info.levels[0].rows);
  info.operator_complexity = nonzeros / static_cast<double>(info.levels[0].nonzeros);
}

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
      info.levels.push_back({level.rows, level.nonzeros, level.aggregates, level.format, level.precision,
                             level.checksum, level.bytes, level.entry_bytes});
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
                      parameters::parse(list).problem != settings::ProblemType::unknown;
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
  // Time to transfer the matrix to the GPU of the setup; zero on the host.
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

Preconditioner make_ifpack2(Teuchos::ParameterList const& list, ProblemData const& data) {
  Teuchos::ParameterList valid("Ifpack2");
  valid.set("Prec Type", "CHEBYSHEV");
  valid.set("Overlap", 0);
  valid.sublist("Ifpack2 Settings").disableRecursiveValidation();
  list.validateParameters(valid, 0);
  auto const type = list.isParameter("Prec Type") ? list.get<std::string>("Prec Type") : "CHEBYSHEV";
  auto const overlap = list.isParameter("Overlap") ? list.get<int>("Overlap") : 0;
  Teuchos::ParameterList const none;
  auto const& settings = list.isSublist("Ifpack2 Settings") ? list.sublist("Ifpack2 Settings") : none;
  std::string const path = "Preconditioner Types -> Ifpack2 -> ";
  auto const op = ifpack2::ifpack2_by_name(type, overlap, settings, data.matrix, path + "Prec Type",
                                           path + "Ifpack2 Settings");
  op->initialize();
  op->compute();
  return {"Ifpack2 " + type, op, 0.0, 0, [op] {
            Info info;
            info.description = op->description();
            return info;
          }};
}

}  // namespace Tessera::baselines
