#pragma once
/// \file
/// What the methods behind Tessera's classes have in common: parameters, import, refresh, staging, reports.
#include <memory>
#include <optional>

#include "core/timer.hpp"
#include "ifpack2/Tessera_Details_Method.hpp"
#include "ifpack2/any_operator.hpp"
#include "ifpack2/user_data.hpp"
#include "parameters/agreement.hpp"
#include "tpetra/import_matrix.hpp"

namespace Tessera::ifpack2 {

/// What tells methods apart, and what they say of themselves.
struct MethodTraits {
  parameters::Algorithm algorithm;  ///< of lists that do not say it
  char const* name;                 ///< such as Tessera::SmoothedAggregation
  char const* thing;                ///< what it makes, such as: hierarchy
  char const* refresh;              ///< and what it kept when it made that again
  char const* reuse;
};

/// Holds the imported matrix and the operator made of it. A method says how that is done.
class MatrixMethod : public Details::Method<tpetra::RowMatrix> {
 public:
  void setParameters(Teuchos::ParameterList const& list) override;
  Teuchos::RCP<Teuchos::ParameterList const> getValidParameters() const override;
  void setNearNullspace(MultiVectorPointer const& vectors) override;
  void setCoordinates(MultiVectorPointer const& coordinates) override;
  void reset() override;
  bool adopt(tpetra::RowMatrix const& A) override;
  void initialize(tpetra::RowMatrix const& A) override;
  void compute(tpetra::RowMatrix const& A, bool just_read) override;
  void requireRows(tpetra::MultiVector const& X, tpetra::MultiVector const& Y) override;
  void apply(tpetra::MultiVector const& X, tpetra::MultiVector& Y) override;
  bool timeApply() const override { return settings_.timer_for_apply; }
  std::vector<std::pair<std::string, std::string>> facts() const override;
  multigrid::HierarchyReport const* hierarchyReport() override;
  AnyOperator* inPlace() override { return operator_.get(); }
  MultiVectorPointer nearNullspace() const override { return Teuchos::null; }
  std::string lastCompute() const override;
  double readingSeconds() const override;
  std::string report(Teuchos::EVerbosityLevel level) override;

 protected:
  explicit MatrixMethod(MethodTraits const& traits);

  parameters::Settings const& settings() const { return settings_; }
  /// Of the matrix that was imported.
  Teuchos::RCP<tpetra::Map const> const& row_map() const { return row_map_; }
  UserData data() const;

  /// Whether such settings are for this method. \throws core::InvalidInput where they are for another
  virtual void require_mine(parameters::Settings const& settings) const = 0;
  /// Takes what set_up() will need of the matrix' map; right after an import.
  virtual void imported(tpetra::Map const& /* rows */) {}
  /// The setup. Collective. A lives until reset().
  virtual std::unique_ptr<AnyOperator> set_up(Backend const& backend,
                                              comm::DistCsr<double, Host> const& A) = 0;
  /// What describe() says of M at this level. Collective.
  virtual std::string table(AnyOperator& M, Teuchos::EVerbosityLevel level) const = 0;

 private:
  /// What of an earlier setup compute() used.
  enum class Done { nothing, setup, refresh, reuse };

  /// What all ranks are to say alike. Which GPU is each rank's own affair.
  parameters::Said said(Teuchos::ParameterList const& list, UserData const& data) const;
  /// \throws core::InvalidInput on all ranks where they do not
  void require_same_on_all_ranks(tpetra::RowMatrix const& A) const;
  /// Brings imported_ up to A's values; a changed pattern resets everything.
  void take_values(tpetra::RowMatrix const& A);
  /// The same pattern. \throws tpetra::PatternChanged
  void read_values(tpetra::RowMatrix const& A);
  void compute_imported();
  void make();
  void apply_in_float(tpetra::MultiVector const& X, tpetra::MultiVector& Y);
  void announce(int rank);
  void say_staging(int rank) const;

  MethodTraits traits_;
  Teuchos::ParameterList list_;  ///< the last one set
  parameters::Settings settings_;
  UserData from_list_, from_setters_;
  parameters::Said said_;  ///< of list_ and data()
  std::optional<tpetra::ImportedMatrix> imported_;
  comm::Communicator comm_;  ///< of what was imported, and its maps
  Teuchos::RCP<tpetra::Map const> row_map_, column_map_;
  Teuchos::RCP<tpetra::Map const> map_of_X_, map_of_Y_;  ///< that requireRows() has accepted last
  double largest_ = 0;                                   ///< entry of what was imported, in magnitude
  std::optional<Backend> backend_;  ///< chosen by initialize(), anew for other parameters
  std::unique_ptr<AnyOperator> operator_;
  bool setup_is_stale_ = false;  ///< parameters or user data have changed since the setup
  bool keep_as_is_ = false;      ///< `reuse: type` = full, and the matrix was exchanged
  Done done_ = Done::nothing;
  core::PhaseTimes times_;
};

}  // namespace Tessera::ifpack2
