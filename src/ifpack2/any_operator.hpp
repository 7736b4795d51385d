#pragma once
/// \file
/// M^-1 in either precision on either back end, and the way to it for what runs where it lies.
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "fsai/fsai.hpp"
#include "ifpack2/backend.hpp"
#include "multigrid/hierarchy.hpp"
#include "tpetra/types.hpp"

namespace Tessera::ifpack2 {

/// M^-1 and its matrix where they lie: what a Krylov method needs that runs there too. Good until the
/// preconditioner is computed anew, changed or destroyed.
template <class Space>
class Resident {
 public:
  /// All work is ordered by this space's stream.
  virtual Space const& space() const = 0;
  /// A in double. Row i is local row i of the Tpetra matrix.
  virtual comm::DistCsr<double, Space> const& matrix() const = 0;
  /// x = M^-1 b, owned entries in the memory of the space; collective, not synchronised.
  virtual void apply(Span<double const> b, Span<double> x) = 0;
  /// Whether apply does nothing but enqueue work (core/graph.hpp).
  virtual bool enqueues_only() const = 0;

  /// The same from and to the operator's own vectors, for callers whose passes convert anyway; empty where it
  /// has none in single precision.
  virtual Span<float> single_input() { return {}; }
  virtual Span<float const> single_output() { return {}; }
  virtual void apply_single() {}

 protected:
  ~Resident() = default;
};

/// What MatrixMethod sees of multigrid::Hierarchy and its sisters. Collective, all but warnings and on_*.
class AnyOperator {
 public:
  virtual ~AnyOperator() = default;

  virtual void refresh(comm::DistCsr<double, Host> const& A) = 0;
  /// New values for those who iterate where the matrix lies; M^-1 stays as it is.
  virtual void replace_values(comm::DistCsr<double, Host> const& /* A */) {}
  /// Y = M^-1 X, column by column.
  virtual void apply(tpetra::MultiVector const& X, tpetra::MultiVector& Y) = 0;
  /// Null for what is no hierarchy.
  virtual multigrid::HierarchyReport const* hierarchy_report() = 0;
  /// Null for what is a hierarchy.
  virtual fsai::Report const* fsai_report() = 0;
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

/// The operator's report if it is of this kind, else null.
template <class Report, class Operator>
Report const* report_of(Operator& M) {
  if constexpr (std::is_same_v<decltype(M.report()), Report const&>) {
    return &M.report();
  } else {
    return nullptr;
  }
}

/// Whether the operator says so itself.
template <class Operator, class = void>
struct SaysWhetherItEnqueues : std::false_type {};
template <class Operator>
struct SaysWhetherItEnqueues<Operator, std::void_t<decltype(std::declval<Operator>().enqueues_only())>>
    : std::true_type {};

/// Whether its apply does nothing but enqueue work; those that do not say so do on one rank.
template <class Operator>
bool only_enqueues(Operator const& M, comm::Communicator const& comm) {
  if constexpr (SaysWhetherItEnqueues<Operator const&>::value) {
    return M.enqueues_only();
  } else {
    return comm.size() == 1;
  }
}

}  // namespace Tessera::ifpack2
