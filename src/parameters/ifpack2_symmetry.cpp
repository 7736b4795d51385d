#include "parameters/ifpack2_symmetry.hpp"

#include <algorithm>

#include "parameters/settings.hpp"
#include "parameters/suggestion.hpp"

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

}  // namespace

bool symmetric_in_ifpack2(std::string const& type, ParameterList const& parameters) {
  auto const name = upper_case(type);
  if (is_one_of(name, {"CHEBYSHEV", "DENSE", "DIAGONAL", "IDENTITY", "RILUK"})) return true;
  if (name == "SCHWARZ") return symmetric_schwarz(parameters);
  auto const end = name.rfind("RELAXATION");
  return end != std::string::npos && symmetric_sweeps(parameters);
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
