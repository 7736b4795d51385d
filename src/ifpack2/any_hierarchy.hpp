#pragma once
/// \file
/// A hierarchy of either precision on either back end, and the way to it for what runs where it lies.
#include <memory>
#include <string>
#include <vector>

#include "ifpack2/backend.hpp"
#include "multigrid/hierarchy.hpp"
#include "parameters/settings.hpp"
#include "tpetra/types.hpp"

namespace Tessera::ifpack2 {

/// The cycle and its matrix where they lie: what a Krylov method needs that runs there too. Good until the
/// preconditioner is computed anew, changed or destroyed.
template <class Space>
class Resident {
 public:
  /// All work is ordered by this space's stream.
  virtual Space const& space() const = 0;
  /// A in double. Row i is local row i of the Tpetra matrix.
  /// \throws core::Unavailable where it was not kept: `reuse: prepare refresh` is false, and nobody has
  /// called keepMatrix() before the setup
  virtual comm::DistCsr<double, Space> const& matrix() const = 0;
  /// x = M^-1 b, owned entries in the memory of the space; collective, not synchronised.
  virtual void apply(Span<double const> b, Span<double> x) = 0;

 protected:
  ~Resident() = default;
};

inline constexpr char const* matrix_not_kept =
    "the matrix was not kept where the hierarchy lies; call keepMatrix(true) before compute()";

/// What SmoothedAggregationMethod sees of multigrid::Hierarchy. Collective, all but warnings and on_*.
class AnyHierarchy {
 public:
  virtual ~AnyHierarchy() = default;

  virtual void refresh(comm::DistCsr<double, Host> const& A) = 0;
  /// Y = M^-1 X, column by column.
  virtual void apply(tpetra::MultiVector const& X, tpetra::MultiVector& Y) = 0;
  virtual multigrid::HierarchyReport const& report() = 0;
  virtual std::vector<std::string> const& warnings() const = 0;
  /// Name of the GPU; empty on the host.
  virtual std::string device() const { return {}; }
  /// Bytes that cross between host and device for each column of an apply(), on this rank.
  virtual std::size_t staged_bytes() const { return 0; }
  /// Seconds that such transfers have taken on this rank, of matrices and vectors.
  virtual double transfer_seconds() const { return 0; }

  /// Null when it lies elsewhere.
  virtual Resident<Host>* on_host() { return nullptr; }
  virtual Resident<Cuda>* on_cuda() { return nullptr; }
};

/// What a setup is made of. A must live as long as the hierarchy where it is kept.
struct SetupInput {
  comm::DistCsr<double, Host> const& A;
  std::vector<VertexId> const& ids;
  multigrid::NearNullspace const& nullspace;
  parameters::Settings const& settings;
  bool keep_matrix;
};

/// The setup. Collective. \throws as multigrid::Hierarchy does
std::unique_ptr<AnyHierarchy> set_up(Backend const& backend, SetupInput const& input);

}  // namespace Tessera::ifpack2
