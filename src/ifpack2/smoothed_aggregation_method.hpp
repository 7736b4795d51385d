#pragma once
/// \file
/// The hierarchy behind Tessera::SmoothedAggregation.
#include <memory>
#include <optional>

#include "ifpack2/Tessera_Details_Method.hpp"
#include "ifpack2/any_hierarchy.hpp"
#include "ifpack2/user_data.hpp"
#include "tpetra/import_matrix.hpp"

namespace Tessera::ifpack2 {

class SmoothedAggregationMethod : public Details::Method<tpetra::RowMatrix> {
 public:
  void setParameters(Teuchos::ParameterList const& list) override;
  Teuchos::RCP<Teuchos::ParameterList const> getValidParameters() const override;
  void setNearNullspace(MultiVectorPointer const& vectors) override;
  void setCoordinates(MultiVectorPointer const& coordinates) override;
  void keepMatrix(bool keep) override;
  void reset() override;
  bool adopt(tpetra::RowMatrix const& A) override;
  void initialize(tpetra::RowMatrix const& A) override;
  void compute(tpetra::RowMatrix const& A, bool just_read) override;
  void apply(tpetra::MultiVector const& X, tpetra::MultiVector& Y) override;
  bool isSymmetric() const override;
  bool timeApply() const override { return settings_.timer_for_apply; }
  std::vector<std::pair<std::string, std::string>> facts() const override;
  multigrid::HierarchyReport const* hierarchyReport() override;
  AnyHierarchy* hierarchy() override { return hierarchy_.get(); }
  std::string report(Teuchos::EVerbosityLevel level) override;

 private:
  /// What of an earlier setup compute() used.
  enum class Done { nothing, setup, refresh, reuse };

  /// Brings imported_ up to A's values; a changed pattern resets everything.
  void take_values(tpetra::RowMatrix const& A);
  void set_up();
  bool matrix_is_kept() const { return keep_matrix_ || settings_.multigrid.keep_for_refresh; }
  UserData data() const;
  void announce(int rank);
  void say_staging(int rank) const;

  Teuchos::ParameterList list_;  ///< the last one set
  parameters::Settings settings_;
  UserData from_list_, from_setters_;
  std::optional<tpetra::ImportedMatrix>
      imported_;  ///< nothing after a setup without `reuse: prepare refresh`
  Teuchos::RCP<tpetra::Map const> row_map_, column_map_;  ///< of what was imported
  std::vector<VertexId> row_ids_;                         ///< from the import to the setup
  double largest_ = 0;                                    ///< entry of what was imported, in magnitude
  std::optional<Backend> backend_;  ///< chosen at the first setup, anew for other parameters
  std::unique_ptr<AnyHierarchy> hierarchy_;
  bool keep_matrix_ = false;     ///< even without `reuse: prepare refresh`
  bool setup_is_stale_ = false;  ///< parameters or user data have changed since the setup
  bool keep_as_is_ = false;      ///< `reuse: type` = full, and the matrix was exchanged
  Done done_ = Done::nothing;
};

}  // namespace Tessera::ifpack2
