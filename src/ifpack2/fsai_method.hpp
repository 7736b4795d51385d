#pragma once
/// \file
/// The factored sparse approximate inverse behind Tessera::Fsai.
#include "ifpack2/matrix_method.hpp"

namespace Tessera::ifpack2 {

class FsaiMethod final : public MatrixMethod {
 public:
  FsaiMethod() : MatrixMethod(traits()) {}
  /// There are no coarse levels to be told of near-nullspaces: these change nothing.
  void setNearNullspace(MultiVectorPointer const& /* vectors */) override {}
  void setCoordinates(MultiVectorPointer const& /* coordinates */) override {}
  bool isSymmetric() const override { return true; }

 private:
  static MethodTraits traits();
  void require_mine(parameters::Settings const& settings) const override;
  std::unique_ptr<AnyOperator> set_up(Backend const& backend, comm::DistCsr<double, Host> const& A) override;
  std::string table(AnyOperator& M, Teuchos::EVerbosityLevel level) const override;
};

}  // namespace Tessera::ifpack2
