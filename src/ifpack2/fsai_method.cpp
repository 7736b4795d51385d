#include "ifpack2/fsai_method.hpp"

#include "fsai/fsai.hpp"
#include "ifpack2/Tessera_Fsai_def.hpp"
#include "ifpack2/fsai_table.hpp"
#include "ifpack2/hierarchy_table.hpp"
#include "ifpack2/place_operator.hpp"

namespace Tessera::ifpack2 {

MethodTraits FsaiMethod::traits() {
  return {parameters::Algorithm::fsai, "Tessera::Fsai", "factor", "refresh (pattern kept)",
          "reuse (factor kept)"};
}

void FsaiMethod::require_mine(parameters::Settings const& settings) const {
  TESSERA_VALIDATE(
      settings.algorithm == parameters::Algorithm::fsai,
      "Tessera::Fsai: \"multigrid algorithm\" is that of a hierarchy; leave it out, set it to fsai, "
      "or create Tessera::SmoothedAggregation, by the name SA-AMG of Tessera::Factory say");
}

std::unique_ptr<AnyOperator> FsaiMethod::set_up(Backend const& backend,
                                                comm::DistCsr<double, Host> const& A) {
  auto const& multigrid = settings().multigrid;
  comm::StorageParameters const storage{multigrid.format, multigrid.chunk_size, multigrid.sigma};
  // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): the analyzer loses what is returned
  return place<fsai::Fsai>(
      backend, settings().precision, A,
      [&](auto precision, auto const& space, auto const& matrix, core::PhaseTimes& /* times */) {
        using T = decltype(precision);
        using Space = std::decay_t<decltype(space)>;
        return fsai::Fsai<T, Space>(space, matrix, settings().fsai, storage);
      });
}

std::string FsaiMethod::table(AnyOperator& M, Teuchos::EVerbosityLevel level) const {
  auto const& report = *M.fsai_report();
  return fsai_table(report) + (level >= Teuchos::VERB_HIGH ? phase_table(report.phases) : "");
}

}  // namespace Tessera::ifpack2

namespace Tessera::Details {

std::unique_ptr<Method<Tpetra::RowMatrix<double, int, long long>>> makeFsai() {
  return std::make_unique<ifpack2::FsaiMethod>();
}

}  // namespace Tessera::Details
