#pragma once
/// \file
/// The hierarchy behind Tessera::SmoothedAggregation.
#include <vector>

#include "ifpack2/matrix_method.hpp"

namespace Tessera::ifpack2 {

class SmoothedAggregationMethod final : public MatrixMethod {
 public:
  SmoothedAggregationMethod() : MatrixMethod(traits()) {}
  bool isSymmetric() const override;
  MultiVectorPointer nearNullspace() const override;
  std::vector<std::pair<std::string, std::string>> facts() const override;

 private:
  static MethodTraits traits();
  void require_mine(parameters::Settings const& settings) const override;
  void imported(tpetra::Map const& rows) override;
  std::unique_ptr<AnyOperator> set_up(Backend const& backend, comm::DistCsr<double, Host> const& A) override;
  std::string table(AnyOperator& M, Teuchos::EVerbosityLevel level) const override;

  std::vector<VertexId> row_ids_;  ///< from the import to the setup
};

}  // namespace Tessera::ifpack2
