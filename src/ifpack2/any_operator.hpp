#pragma once
/// \file
/// M^-1 in either precision on either back end, and access for solvers on the same space.
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "fsai/report.hpp"
#include "ifpack2/backend.hpp"
#include "ifpack2/system_matrix.hpp"
#include "ifpack2/user_data.hpp"
#include "krylov/conjugate_gradients.hpp"
#include "multigrid/reported_levels.hpp"
#include "tpetra/import_matrix.hpp"

namespace Tessera::ifpack2 {

/// M^-1 and its matrix on their space, for a Krylov method on that space. Valid until the preconditioner is
/// computed again, changed or destroyed.
template <class Space>
struct Resident {
  Space space;                                 ///< its stream orders all work
  comm::DistCsr<double, Space> const& matrix;  ///< row i is local row i of the Tpetra matrix
  krylov::Preconditioner M;                    ///< not synchronised; version 0
};

/// A comm::Operator and its matrix on a space, applied to vectors of Tpetra.
/// Functions are collective, except const ones, save() and resident().
class AnyOperator {
 public:
  virtual ~AnyOperator() = default;

  virtual void refresh(SystemMatrix const& A) = 0;
  /// New values of the matrix for solvers on this space. M^-1 does not change.
  virtual void replace_values(SystemMatrix const& A) = 0;
  /// Writes the archive for SetupInput::saved. Not collective.
  virtual void save(core::Archive& file) = 0;
  /// Y = M^-1 X, up to eight columns at once.
  virtual void apply(tpetra::MultiVector const& X, tpetra::MultiVector& Y) = 0;
  /// Null without levels.
  virtual multigrid::ReportedLevels* levels() const = 0;
  multigrid::HierarchyReport const* hierarchy_report() const {
    return levels() == nullptr ? nullptr : &levels()->report();
  }
  /// Null for a hierarchy.
  virtual fsai::Report const* fsai_report() = 0;
  virtual std::vector<std::string> const& warnings() const = 0;
  /// Why float does not suffice; empty if it does, or is not used. The same on all ranks.
  virtual std::string double_precision_reason() const = 0;
  virtual bool in_double() const = 0;
  /// The name of the GPU; empty on the host.
  virtual std::string device() const = 0;
  /// Bytes copied between host and device per column of an apply(), on this rank.
  virtual std::size_t staged_bytes() const = 0;
  /// Seconds spent on this rank to copy matrices and vectors between host and device.
  virtual double transfer_seconds() const = 0;
  virtual OnAnySpace<Resident> resident() = 0;
  /// Applications since the setup that were iterations. The same on all ranks.
  virtual std::int64_t applications() const = 0;
  /// A copy of fsai::Fsai::factor(k) on the host. Only for an FSAI. Not collective.
  virtual comm::HostMatrix fetch_factor(std::size_t k) const = 0;
};

/// The input of a setup besides its space and matrix.
struct SetupInput {
  settings::Settings const& settings;
  tpetra::RowIds const& row_ids;  ///< empty without levels
  UserData const& data;
  core::Archive* saved = nullptr;  ///< archive to load; null: a setup
  multigrid::LevelObserver on_level = nullptr;
};

/// Makes an operator by a setup or a load; a hierarchy in double if float does not suffice. Collective.
/// A must live as long as the operator.
std::unique_ptr<AnyOperator> make_operator(Backend const& backend, SystemMatrix const& A,
                                           SetupInput const& input);

}  // namespace Tessera::ifpack2
