#include "baselines/preconditioner.hpp"

#include <new>

#include "core/error.hpp"
#include "parameters/messages.hpp"

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

}  // namespace Tessera::baselines
