#pragma once
/// \file
/// Tpetra matrices and vectors whose node keeps them in the memory of a GPU (Kokkos::Cuda): their arrays, as
/// Tessera::ArraysSolver takes them. With a node of the host it is the same in the host's memory.
///
///     Tessera::ArraysSolver solver(Tessera::arraysOf(A), list);   // `backend: type` = cuda
///     auto const report = Tessera::solve(solver, b, x);
///     ...                                                         // A has new values on the same pattern
///     solver.refresh(Tessera::arraysOf(A).values);
///
/// No view outlives a call, since Tpetra counts them: from the matrix only pointers are kept, which are good
/// until resumeFill().
#include <Tpetra_Access.hpp>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include "Tessera_SolveArrays.hpp"

namespace Tessera {

/// A: a Tpetra::CrsMatrix<double>, of any node, or what has its members: isFillComplete(), getRowMap(),
/// getColMap(), getLocalMatrixDevice(), execution_space. Waits for what writes the matrix. Not collective.
/// \throws std::invalid_argument where A is not fill-complete
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

/// b, x: Tpetra::MultiVector<double> of the matrix' row map with one column, or what has its members:
/// getNumVectors(), getLocalLength(), getLocalViewDevice(), execution_space. x is the start and the solution.
/// Collective. \throws std::invalid_argument for several columns; what ArraysSolver::solve() throws
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
