#include "settings/settings.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "settings/table.hpp"

namespace Tessera::settings {
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
    multigrid.smoother.foreign = {draft.ifpack2_type, draft.ifpack2_list, draft.ifpack2_symmetric, {}};
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

}  // namespace Tessera::settings
