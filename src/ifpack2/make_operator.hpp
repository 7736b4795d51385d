#pragma once
/// \file
/// The operator that a list asks for, on one space.
#include <memory>

#include "core/memory.hpp"
#include "core/timer.hpp"
#include "fsai/fsai.hpp"
#include "ifpack2/any_operator.hpp"
#include "ifpack2/third_party.hpp"
#include "ifpack2/user_data.hpp"
#include "multigrid/reported_levels.hpp"

namespace Tessera::ifpack2 {

/// M^-1 in T by a setup or a load. times: "transfer" gets the time of uploads. Collective.
template <class T, class Space>
std::unique_ptr<comm::TypedOperator<T, Space>> make_operator(Space const& space,
                                                             comm::DistCsr<double, Space> const& A,
                                                             SetupInput const& input,
                                                             core::PhaseTimes& times) {
  auto const& settings = input.settings;
  auto const& levels = settings.multigrid;
  if (settings.algorithm == settings::Algorithm::fsai) {
    comm::StorageParameters const storage{levels.format, levels.chunk_size, levels.sigma};
    using Made = fsai::Fsai<T, Space>;
    return input.saved == nullptr ? std::make_unique<Made>(space, A, settings.fsai, storage)
                                  : std::make_unique<Made>(space, A, settings.fsai, storage, *input.saved);
  }
  require_whole_nodes(A.rows, levels.equations);
  Array<VertexId, Space> ids;
  core::with_memory_context("setup, level 0", [&] {
    core::PhaseTimer<Space> const timer(space, times, "transfer");
    ids = node_ids(space, input.row_ids, levels.equations);
  });
  auto const parameters = with_foreign_parts(settings);
  if (input.saved != nullptr)
    return multigrid::load_levels<T>(space, A, std::move(ids), parameters, *input.saved);
  auto const rows = static_cast<std::size_t>(A.local.rows);
  auto const nullspace = near_nullspace(A.rows.comm(), input.data, rows, levels.equations);
  return multigrid::make_levels<T>(space, A, std::move(ids), nullspace, parameters, input.on_level);
}

}  // namespace Tessera::ifpack2
