// What stands beside the rows of the table.
#include <Teuchos_XMLParameterListCoreHelpers.hpp>

#include "core/error.hpp"
#include "parameters/ifpack2_symmetry.hpp"
#include "parameters/table.hpp"

namespace Tessera::parameters {

std::vector<std::pair<std::string, std::string>> const& sublists() {
  static std::vector<std::pair<std::string, std::string>> const lists{
      {"smoother: params", "Parameters of the smoother, as in MueLu's lists."},
      {"smoother: pre params",
       "With `smoother: pre type`: parameters of the smoother before the coarse correction. "
       "The smoother after it has the same unless set."},
      {"smoother: post params",
       "Parameters of the smoother after the coarse correction. They must have the same "
       "effect, otherwise no cycle is symmetric."},
      {"level N",
       "Smoother of level N (0 is the finest), where it differs: `smoother: type` and its "
       "parameters."},
      {"coarse: params", "Parameters of the coarse solver, as in MueLu's lists."},
      {"user data", "Multivectors `Nullspace`, `Coordinates` and `Material`, set by a program."},
      {"VerboseObject", "Written by Stratimikos; no effect."}};
  return lists;
}

Settings finished(Draft const& draft) {
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
                   " equations a node, whose sums say nothing of a mass; leave it out");
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
  TESSERA_VALIDATE(
      settings.algorithm != Algorithm::fsai ||
          multigrid.prepare_refresh != multigrid::RefreshPreparation::first,
      "`reuse: prepare refresh` = first would have no effect: every refresh of fsai is alike; leave it out");
  int const C = multigrid.chunk_size;
  TESSERA_VALIDATE((C & (C - 1)) == 0, "`matrix format: chunk size` is ", C,
                   ", which is no power of two; take 32, say");
  TESSERA_VALIDATE(multigrid.sigma == 1 || multigrid.sigma % C == 0, "`matrix format: sigma` is ",
                   multigrid.sigma, ", which is neither 1 nor a multiple of `matrix format: chunk size`, ", C,
                   "; take ", 8 * C, ", say");
  return settings;
}

bool differs_by_level(Parameter const& row) {
  if (row.section == "Smoother") return row.name != "smoother: pre or post";
  return row.sublist == "smoother: params" && row.name.rfind("fsai: ", 0) == 0;
}

}  // namespace Tessera::parameters
