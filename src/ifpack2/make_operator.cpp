#include <utility>

#include "core/error.hpp"
#include "ifpack2/foreign_parts.hpp"
#include "ifpack2/node_ids.hpp"
#include "ifpack2/operator_on.hpp"
#include "multigrid/bootstrap.hpp"
#include "tpetra/compatibility.hpp"
#include "tpetra/import_matrix.hpp"

namespace Tessera::ifpack2 {
namespace {

template <template <class, class> class Levels>
std::unique_ptr<AnyOperator> make_levels(SetupInput const& input, multigrid::NearNullspace const& nullspace) {
  return place<Levels>(input, [&](auto number, auto const& space, auto const& A, auto& times) {
    using Space = std::decay_t<decltype(space)>;
    Array<VertexId, Space> ids;
    core::name_out_of_memory([] { return "setup, level 0"; },
                             [&] {
                               core::PhaseTimer<Space> const timer(space, times, "transfer");
                               ids = node_ids(space, input.row_ids, input.settings.multigrid.equations);
                             });
    using Made = Levels<decltype(number), Space>;
    auto const parameters = with_foreign_parts(input.settings);
    return input.saved == nullptr ? Made(space, A, std::move(ids), nullspace, parameters, input.on_level)
                                  : Made(space, A, std::move(ids), parameters, *input.saved);
  });
}

/// The same; in double where float is not enough.
template <template <class, class> class Levels>
std::unique_ptr<AnyOperator> with_precision_fallback(SetupInput const& input,
                                                     multigrid::NearNullspace const& nullspace) {
  auto made = make_levels<Levels>(input, nullspace);
  if (input.saved != nullptr) return made;  // in what it was saved in
  auto const why = made->double_precision_reason();
  if (why.empty()) return made;
  made.reset();
  auto settings = input.settings;
  settings.precision = parameters::Precision::full;
  settings.multigrid.warnings.push_back("levels are in double: " + why);
  return make_levels<Levels>(
      {input.backend, settings, input.A, input.row_ids, input.data, nullptr, input.on_level}, nullspace);
}

}  // namespace

std::unique_ptr<AnyOperator> make_hierarchy(SetupInput const& input) {
  auto const& parameters = input.settings.multigrid;
  auto const& comm = input.A.rows.comm();
  int const equations = parameters.equations;
  auto const rows = static_cast<std::size_t>(input.A.rows.local_size());
  comm::agree_on_errors(comm, [&] {
    TESSERA_VALIDATE(rows % static_cast<std::size_t>(equations) == 0, "rank ", comm.rank(), " has ", rows,
                     " rows, which are not whole nodes of `number of equations` = ", equations,
                     " rows each; distribute the matrix by nodes, or correct the number");
  });
  multigrid::NearNullspace nullspace;
  if (input.saved == nullptr) nullspace = near_nullspace(comm, input.data, rows, equations);
  if (parameters.bootstrap.components > 1)
    return with_precision_fallback<multigrid::Bootstrap>(input, nullspace);
  return with_precision_fallback<multigrid::Hierarchy>(input, nullspace);
}

std::unique_ptr<AnyOperator> make_sparse_inverse(SetupInput const& input) {
  auto const& multigrid = input.settings.multigrid;
  comm::StorageParameters const storage{multigrid.format, multigrid.chunk_size, multigrid.sigma};
  // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): the analyzer loses what is returned
  return place<fsai::Fsai>(input, [&](auto number, auto const& space, auto const& A, auto& /* times */) {
    using Space = std::decay_t<decltype(space)>;
    using Made = fsai::Fsai<decltype(number), Space>;
    auto const& parameters = input.settings.fsai;
    return input.saved == nullptr ? Made(space, A, parameters, storage)
                                  : Made(space, A, parameters, storage, *input.saved);
  });
}

}  // namespace Tessera::ifpack2
