#pragma once
/// \file
/// The arrays of Tpetra's matrices and vectors, for Tessera::ArraysSolver: in the memory of the GPU with the
/// node Kokkos::Cuda, else in the host's.
///
///     Tessera::ArraysSolver solver(Tessera::arraysOf(A), list);   // `backend: type` = cuda
///     auto const report = Tessera::solve(solver, b, x);
///     ...                                                         // A has new values in the same pattern
///     solver.refresh(Tessera::arraysOf(A).values);
///
/// No view outlives a call, because Tpetra counts them. The solver keeps pointers into the matrix, which are
/// valid until resumeFill().
#include <Tpetra_Access.hpp>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include "Tessera_SolveArrays.hpp"

namespace Tessera {

/// A: a Tpetra::CrsMatrix<double> of any node, or a class with its members isFillComplete(), getRowMap(),
/// getColMap(), getLocalMatrixDevice() and execution_space. Waits for pending writes to the matrix. Not
/// collective. \throws std::invalid_argument if A is not fill-complete
template <class Matrix>
CsrArrays arraysOf(Matrix const& A) {
  if (!A.isFillComplete())
    throw std::invalid_argument(
        "Tessera::arraysOf: the matrix is not fill-complete; call fillComplete() before");
  auto const local = A.getLocalMatrixDevice();
  typename Matrix::execution_space().fence();
  auto const* const offsets = local.graph.row_map.data();
  using Position = std::remove_const_t<std::remove_pointer_t<decltype(offsets)>>;
  static_assert(std::is_integral_v<Position> && (sizeof(Position) == 4 || sizeof(Position) == 8));
  CsrArrays arrays;
  arrays.rowMap = A.getRowMap();
  arrays.columnMap = A.getColMap();
  if constexpr (sizeof(Position) == 8) arrays.offsets64 = reinterpret_cast<std::int64_t const*>(offsets);
  if constexpr (sizeof(Position) == 4) arrays.offsets32 = reinterpret_cast<std::int32_t const*>(offsets);
  arrays.columns = local.graph.entries.data();
  arrays.values = local.values.data();
  arrays.entries = local.values.extent(0);
  return arrays;
}

/// b, x: a Tpetra::MultiVector<double> with one column on the matrix' row map, or a class with its members
/// getNumVectors(), getLocalLength(), getLocalViewDevice() and execution_space. x: initial guess and
/// solution. Collective. \throws std::invalid_argument for several columns; exceptions of
/// ArraysSolver::solve()
template <class MultiVector>
SolveReport solve(ArraysSolver& solver, MultiVector const& b, MultiVector& x) {
  if (b.getNumVectors() != 1 || x.getNumVectors() != 1)
    throw std::invalid_argument(
        "Tessera::solve: an ArraysSolver takes one right-hand side at a time; give getVector(j) of each");
  solver.requireLengths(b.getLocalLength(), x.getLocalLength());
  auto const from = b.getLocalViewDevice(Tpetra::Access::ReadOnly);
  auto const to = x.getLocalViewDevice(Tpetra::Access::ReadWrite);
  typename MultiVector::execution_space().fence();
  return solver.solve(from.data(), to.data());
}

}  // namespace Tessera
