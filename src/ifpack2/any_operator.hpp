#pragma once
/// \file
/// M^-1 in either precision on either back end, and the way to it for what runs where it lies.
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "fsai/fsai.hpp"
#include "ifpack2/backend.hpp"
#include "ifpack2/user_data.hpp"
#include "krylov/conjugate_gradients.hpp"
#include "multigrid/hierarchy.hpp"
#include "tpetra/import_matrix.hpp"

namespace Tessera::ifpack2 {

/// M^-1 and its matrix where they lie: what a Krylov method needs that runs there too. Good until the
/// preconditioner is computed anew, changed or destroyed.
template <class Space>
struct Resident {
  Space space;                                 ///< all work is ordered by its stream
  comm::DistCsr<double, Space> const& matrix;  ///< row i is local row i of the Tpetra matrix
  krylov::Preconditioner M;                    ///< not synchronised; without a version
};

/// What PreconditionerImpl sees of multigrid::Hierarchy and its sisters. Collective, all but the constant
/// members and resident.
class AnyOperator {
 public:
  virtual ~AnyOperator() = default;

  virtual void refresh(comm::DistCsr<double, Host> const& A) = 0;
  /// New values for those who iterate where the matrix lies; M^-1 stays as it is.
  virtual void replace_values(comm::DistCsr<double, Host> const& A) = 0;
  /// What a SetupInput with `saved` makes it of. Not collective.
  virtual void save(core::Archive& file) = 0;
  /// Y = M^-1 X, up to eight columns at once.
  virtual void apply(tpetra::MultiVector const& X, tpetra::MultiVector& Y) = 0;
  /// Null for what is no hierarchy.
  virtual multigrid::HierarchyReport const* hierarchy_report() = 0;
  /// Null for what is a hierarchy.
  virtual fsai::Report const* fsai_report() = 0;
  virtual std::vector<std::string> const& warnings() const = 0;
  /// Why float is not enough for it; empty where it is, or is not used. The same on all ranks.
  virtual std::string double_precision_reason() const = 0;
  virtual bool in_double() const = 0;
  /// Name of the GPU; empty on the host.
  virtual std::string device() const = 0;
  /// Bytes that cross between host and device for each column of an apply(), on this rank.
  virtual std::size_t staged_bytes() const = 0;
  /// Seconds that such transfers have taken on this rank, of matrices and vectors.
  virtual double transfer_seconds() const = 0;
  virtual OnAnySpace<Resident> resident() = 0;
  /// How often it has been applied since its setup, as far as that was an iteration. The same on all ranks.
  virtual std::int64_t applications() const = 0;
  /// Levels of the hierarchy's report on the host, and factors of the other one (fsai::Fsai::factor). Empty
  /// for what has none. Not collective.
  virtual multigrid::LevelMatrices fetch_matrices(std::size_t level) const = 0;
  virtual multigrid::LevelAggregates fetch_aggregates(std::size_t level) const = 0;
  virtual comm::HostMatrix fetch_factor(std::size_t k) const = 0;
};

/// What a setup is told.
struct SetupInput {
  Backend const& backend;
  parameters::Settings const& settings;
  comm::DistCsr<double, Host> const& A;  ///< lives as long as the operator
  tpetra::RowIds row_ids;                ///< none where there are no levels
  UserData const& data;
  core::Archive* saved = nullptr;  ///< of which it is made; null: it is a setup
  multigrid::LevelObserver on_level = nullptr;
};

/// The setups. Collective.
std::unique_ptr<AnyOperator> make_hierarchy(SetupInput const& input);
std::unique_ptr<AnyOperator> make_sparse_inverse(SetupInput const& input);

}  // namespace Tessera::ifpack2
