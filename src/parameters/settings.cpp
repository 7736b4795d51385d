#include "parameters/settings.hpp"

#include <Teuchos_ParameterList.hpp>
#include <Teuchos_XMLParameterListCoreHelpers.hpp>
#include <algorithm>

#include "parameters/messages.hpp"
#include "parameters/table.hpp"

namespace Tessera::parameters {
namespace {

using Teuchos::ParameterList;

template <class T>
T given(ParameterList const& list, std::initializer_list<char const*> names, T const& standard) {
  for (auto const* name : names)
    if (list.isType<T>(name)) return list.get<T>(name);
  return standard;
}

bool is_one_of(std::string const& word, std::initializer_list<char const*> all) {
  return std::find(all.begin(), all.end(), word) != all.end();
}

bool symmetric_sweeps(ParameterList const& list) {
  auto const type = given<std::string>(list, {"relaxation: type"}, "Jacobi");
  return is_one_of(upper_case(type), {"JACOBI", "RICHARDSON", "SYMMETRIC GAUSS-SEIDEL"}) &&
         given(list, {"partitioner: overlap"}, 0) == 0;
}

bool symmetric_in_ifpack2(std::string const& type, ParameterList const& parameters);

bool symmetric_schwarz(ParameterList const& list) {
  auto const inner = given<std::string>(list,
                                        {"schwarz: inner preconditioner name", "inner preconditioner name",
                                         "schwarz: subdomain solver name", "subdomain solver name"},
                                        "ILUT");
  ParameterList const none;
  auto const* parameters = &none;
  for (auto const* name : {"subdomain solver parameters", "schwarz: subdomain solver parameters",
                           "inner preconditioner parameters", "schwarz: inner preconditioner parameters"})
    if (list.isSublist(name)) parameters = &list.sublist(name);
  auto const combined = upper_case(given<std::string>(list, {"schwarz: combine mode"}, "ZERO"));
  return (given(list, {"schwarz: overlap level"}, 0) == 0 || combined == "ADD") &&
         !given(list, {"schwarz: filter singletons"}, false) && symmetric_in_ifpack2(inner, *parameters);
}

/// Whether a preconditioner of Ifpack2 with these parameters is known to be symmetric if A is: no triangular
/// sweeps in one direction, no thresholds, no overlap whose values come from one rank alone.
bool symmetric_in_ifpack2(std::string const& type, ParameterList const& parameters) {
  auto const name = upper_case(type);
  if (is_one_of(name, {"CHEBYSHEV", "DENSE", "DIAGONAL", "IDENTITY", "RILUK"})) return true;
  if (name == "SCHWARZ") return symmetric_schwarz(parameters);
  auto const end = name.rfind("RELAXATION");
  return end != std::string::npos && symmetric_sweeps(parameters);
}

}  // namespace

Settings settings_of(Draft const& draft) {
  Settings settings = draft.settings;
  auto& multigrid = settings.multigrid;
  if (settings.algorithm == Algorithm::unsmoothed)
    multigrid.coarsening = multigrid::CoarseningType::unsmoothed;
  if (settings.algorithm == Algorithm::root_nodes) {
    multigrid.coarsening = multigrid::CoarseningType::root_nodes;
    TESSERA_VALIDATE(
        multigrid.aggregation.scheme == aggregation::AggregationScheme::mis2,
        "`multigrid algorithm` = rootnode needs aggregates around roots; leave `aggregation: type` "
        "out, or take mis2");
  }
  if (settings.algorithm == Algorithm::classical) {
    multigrid.coarsening = multigrid::CoarseningType::classical;
    TESSERA_VALIDATE(
        multigrid.equations == 1, "`multigrid algorithm` = classical interpolates one unknown a ",
        "node, but `number of equations` is ", multigrid.equations, "; take rootnode or sa for systems");
  }
  multigrid.strength.equations = multigrid.equations;
  TESSERA_VALIDATE(multigrid.strength.row_sum_tolerance <= 0 || multigrid.equations == 1,
                   "`aggregation: row sum drop tol` would judge rows of ", multigrid.equations,
                   " equations a node, whose sums are no measure of a mass; leave it out");
  bool const l1 = draft.use_l1 || draft.relaxation == RelaxationType::l1_jacobi;
  multigrid.smoother.type = draft.smoother == SmootherFamily::chebyshev ? multigrid::SmootherType::chebyshev
                            : draft.smoother == SmootherFamily::fsai    ? multigrid::SmootherType::fsai
                            : draft.smoother == SmootherFamily::ifpack2 ? multigrid::SmootherType::foreign
                            : l1                                        ? multigrid::SmootherType::l1_jacobi
                                                                        : multigrid::SmootherType::jacobi;
  if (draft.smoother == SmootherFamily::ifpack2) {
    Teuchos::ParameterList list;
    if (!draft.ifpack2_list.empty()) list = *Teuchos::getParametersFromXmlString(draft.ifpack2_list);
    multigrid.smoother.foreign = {
        draft.ifpack2_type, draft.ifpack2_list, symmetric_in_ifpack2(draft.ifpack2_type, list), {}};
  }
  settings.fsai.workspace = static_cast<std::size_t>(draft.workspace) << 20;
  if (draft.smoother == SmootherFamily::fsai) multigrid.smoother.fsai = settings.fsai;
  TESSERA_VALIDATE(settings.algorithm != Algorithm::fsai ||
                       multigrid.prepare_refresh != multigrid::RefreshPreparation::first,
                   "`reuse: prepare refresh` = first would have no effect: all refreshes of fsai are the "
                   "same; leave it out");
  int const C = multigrid.chunk_size;
  TESSERA_VALIDATE((C & (C - 1)) == 0, "`matrix format: chunk size` is ", C,
                   ", which is no power of two; take 32, for example");
  TESSERA_VALIDATE(multigrid.sigma == 1 || multigrid.sigma % C == 0, "`matrix format: sigma` is ",
                   multigrid.sigma, ", which is neither 1 nor a multiple of `matrix format: chunk size`, ", C,
                   "; take ", 8 * C, ", for example");
  return settings;
}

bool has_foreign_smoother(Settings const& settings) {
  auto const& multigrid = settings.multigrid;
  auto const foreign = [](auto const& one) { return one.type == multigrid::SmootherType::foreign; };
  return settings.algorithm != Algorithm::fsai &&
         (foreign(multigrid.smoother) ||
          std::any_of(multigrid.level_smoothers.begin(), multigrid.level_smoothers.end(),
                      [&](auto const& level) { return foreign(level.second); }));
}

bool is_symmetric(Settings const& settings) {
  using multigrid::CycleType;
  using multigrid::PreOrPost;
  if (settings.algorithm == Algorithm::fsai) return true;
  auto const& multigrid = settings.multigrid;
  auto const symmetric = [](multigrid::SmootherParameters const& one) {
    return one.type != multigrid::SmootherType::foreign || one.foreign.symmetric;
  };
  bool const smoothers = symmetric(multigrid.smoother) &&
                         std::all_of(multigrid.level_smoothers.begin(), multigrid.level_smoothers.end(),
                                     [&](auto const& level) { return symmetric(level.second); });
  auto const when = multigrid.smoother.pre_or_post;
  return smoothers && (when == PreOrPost::both || when == PreOrPost::none) &&
         (multigrid.cycle == CycleType::V || multigrid.cycle == CycleType::W);
}

}  // namespace Tessera::parameters
