#pragma once
/// \file
/// A x = b in one call, for arrays in the memory of the back end that solves: a GPU or the host.
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_RCP.hpp>
#include <Tpetra_Map.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "Tessera_Solve.hpp"

namespace Tessera {

/// The rows of this rank in compressed sparse rows; owns nothing. All arrays lie in the memory of the list's
/// back end, and are read in place. One of the two offset arrays is null.
struct CsrArrays {
  Teuchos::RCP<Tpetra::Map<> const> rowMap;
  /// Its first indices are the row map's, in order; those of other ranks follow in any order.
  Teuchos::RCP<Tpetra::Map<> const> columnMap;
  std::int32_t const* offsets32 = nullptr;  ///< rows of this rank + 1 numbers
  std::int64_t const* offsets64 = nullptr;
  std::int32_t const* columns = nullptr;  ///< local indices of the column map, distinct within a row
  double const* values = nullptr;
  std::size_t entries = 0;  ///< length of columns and of values
};

/// A and its preconditioner on the back end of the arrays, for a sequence of solves. The list is one for
/// solve(). If the values of a rank lie in host memory, `backend: type` = auto is the host; on a GPU, the
/// default of `backend: device` is the device of the values. Transfers over the bus do not grow with the
/// matrix, except `Nullspace` and `Coordinates`, and 8 bytes per node for a row map that is not contiguous.
/// On a GPU, writes to an array must be complete before a call that reads it (cudaDeviceSynchronize). All
/// members except the destructor are collective.
class ArraysSolver {
 public:
  /// Sets up the preconditioner. The arrays must exist, with the same pattern, as long as this object.
  /// \throws core::InvalidInput on every rank, before any work, for maps that are null or do not fit, for
  /// arrays that are null, on another back end, of contradictory lengths, or rejected by comm::from_local();
  /// core::Unavailable for a missing GPU; exceptions of SmoothedAggregation::compute()
  ArraysSolver(CsrArrays const& A, Teuchos::ParameterList& list);
  ~ArraysSolver();

  /// Takes new values of A, in the same array or another one, which are read in place. Refreshes the
  /// preconditioner with the same aggregates and patterns. \throws core::InvalidInput on every rank, before
  /// any change, for values that are null, on another back end or not finite; exceptions of the constructor.
  /// After these solve() and apply() throw core::InvalidInput, and the next refresh() is a setup
  void refresh(double const* values);

  /// One right-hand side: b and x have the row map's local length, lie in the memory of A's back end, and do
  /// not overlap. x: initial guess and solution, complete on return. In the report, setupSeconds is the time
  /// of the last setup or refresh; bytes are the transfers since the previous solve.
  SolveReport solve(double const* b, double* x);

  /// x = M^-1 b, the preconditioner alone, for a Krylov method of the application. Vectors as in solve(); x
  /// is not read. \throws core::InvalidInput on every rank if the list names no preconditioner
  void apply(double const* b, double* x);

  /// Lengths of b and x on this rank. \throws core::InvalidInput on every rank if one does not fit A
  void requireLengths(std::size_t b, std::size_t x) const;

  class State;

 private:
  std::unique_ptr<State> state_;
};

/// One setup and one solve.
SolveReport solve(CsrArrays const& A, double const* b, double* x, Teuchos::ParameterList& list);

}  // namespace Tessera
