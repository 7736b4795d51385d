#pragma once
/// \file
/// A x = b in one call, for systems whose arrays lie where they are solved: in the memory of a GPU, or of the
/// host.
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_RCP.hpp>
#include <Tpetra_Map.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "Tessera_Solve.hpp"

namespace Tessera {

/// The rows of this rank in compressed sparse rows; owns nothing. All arrays lie in the memory of the back
/// end that the list names, and are read there. One of the two kinds of offsets is given, the other null.
struct CsrArrays {
  Teuchos::RCP<Tpetra::Map<> const> rowMap;
  /// Its first indices are the row map's, in order; those of other ranks follow in any order.
  Teuchos::RCP<Tpetra::Map<> const> columnMap;
  std::int32_t const* offsets32 = nullptr;  ///< one more than rows of this rank
  std::int64_t const* offsets64 = nullptr;
  std::int32_t const* columns = nullptr;  ///< local indices of the column map, distinct within a row
  double const* values = nullptr;
  std::size_t entries = 0;  ///< of this rank: of columns, and of values
};

/// A and its preconditioner where the arrays lie, for solves that follow each other. The list is one of
/// solve(); on a GPU without `backend: device` the device is the one that has the values. What crosses the
/// bus does not grow with the matrix, but for `Nullspace` and `Coordinates`, and 8 bytes a node where the row
/// map is not contiguous. On a GPU what has written an array is to be done before the call that reads it
/// (cudaDeviceSynchronize). All members are collective, but the destructor.
class ArraysSolver {
 public:
  /// Setup. The arrays live, on the same pattern, as long as this.
  /// \throws core::InvalidInput on every rank, before any work, for maps that are null or do not fit, arrays
  ///         that are null, elsewhere, do not fit together or hold what comm::from_local() refuses;
  ///         core::Unavailable where the list asks for a GPU that there is not; what
  ///         SmoothedAggregation::compute() throws
  ArraysSolver(CsrArrays const& A, Teuchos::ParameterList& list);
  ~ArraysSolver();

  /// Values of A from now on, which are read in place: others, or those of before, written anew. The
  /// preconditioner is refreshed: aggregates and patterns stay. \throws core::InvalidInput on every rank,
  /// before anything changes, for values that are null, elsewhere or not finite
  void refresh(double const* values);

  /// One right-hand side: b and x have the row map's local length, lie where A does, and share no memory; x
  /// is the start and the solution, which is there on return. Of the report, setupSeconds are the last
  /// setup's or refresh's, bytes are what has crossed the bus since the solve before.
  SolveReport solve(double const* b, double* x);

  /// \throws core::InvalidInput on every rank where b or x, of so many numbers on this rank, does not fit A
  void requireLengths(std::size_t b, std::size_t x) const;

  class State;

 private:
  std::unique_ptr<State> state_;
};

/// One setup and one solve of it, of which nothing stays.
SolveReport solve(CsrArrays const& A, double const* b, double* x, Teuchos::ParameterList& list);

}  // namespace Tessera
