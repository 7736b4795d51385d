#pragma once
/// \file
/// The hierarchy behind Tessera::SmoothedAggregation.
#include <optional>
#include <variant>

#include "ifpack2/Tessera_Details_Method.hpp"
#include "ifpack2/user_data.hpp"
#include "multigrid/hierarchy.hpp"
#include "parameters/settings.hpp"
#include "tpetra/import_matrix.hpp"

namespace Tessera::ifpack2 {

class SmoothedAggregationMethod : public Details::Method<tpetra::RowMatrix> {
 public:
  void setParameters(Teuchos::ParameterList const& list) override;
  Teuchos::RCP<Teuchos::ParameterList const> getValidParameters() const override;
  void setNearNullspace(MultiVectorPointer const& vectors) override;
  void setCoordinates(MultiVectorPointer const& coordinates) override;
  void reset() override;
  bool adopt(tpetra::RowMatrix const& A) override;
  void initialize(tpetra::RowMatrix const& A) override;
  void compute(tpetra::RowMatrix const& A, bool just_read) override;
  void apply(tpetra::MultiVector const& X, tpetra::MultiVector& Y) override;
  bool isSymmetric() const override;
  bool timeApply() const override { return settings_.timer_for_apply; }
  std::vector<std::pair<std::string, std::string>> facts() const override;
  multigrid::HierarchyReport const* hierarchyReport() override;
  std::string report(Teuchos::EVerbosityLevel level) override;

 private:
  using Hierarchy =
      std::variant<std::monostate, multigrid::Hierarchy<float, Host>, multigrid::Hierarchy<double, Host>>;

  /// What of an earlier setup compute() used.
  enum class Done { nothing, setup, refresh, reuse };

  /// Brings imported_ up to A's values; a changed pattern resets everything.
  void take_values(tpetra::RowMatrix const& A);
  void set_up();
  bool has_hierarchy() const { return hierarchy_.index() != 0; }
  UserData data() const;
  void announce(int rank);

  Teuchos::ParameterList list_;  ///< the last one set
  parameters::Settings settings_;
  UserData from_list_, from_setters_;
  std::optional<tpetra::ImportedMatrix>
      imported_;  ///< nothing after a setup without `reuse: prepare refresh`
  Teuchos::RCP<tpetra::Map const> row_map_, column_map_;  ///< of what was imported
  Hierarchy hierarchy_;
  bool setup_is_stale_ = false;  ///< parameters or user data have changed since the setup
  bool keep_as_is_ = false;      ///< `reuse: type` = full, and the matrix was exchanged
  Done done_ = Done::nothing;
};

}  // namespace Tessera::ifpack2
