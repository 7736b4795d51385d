#pragma once
/// \file
/// Coarse unknowns that no fine row reaches.
#include "core/parallel.hpp"
#include "sparse/engine/for_each_entry.hpp"
#include "sparse/formats/csr.hpp"

namespace Tessera::galerkin {

/// Where each row's diagonal entry is.
struct DiagonalPlaceBody {
  sparse::CsrView<double> A;
  Offset* diagonal;
  TESSERA_HD Offset begin(Index row) const { return A.offsets[row]; }
  TESSERA_HD Offset end(Index row) const { return A.offsets[row + 1]; }
  TESSERA_HD void operator()(Index row, Offset k) const {
    if (A.column[k] == row) diagonal[row] = k;
  }
};

/// Gives the zero rows of one aggregate's unknowns the largest diagonal among them, and lists diagonals.
struct DecoupleBody {
  sparse::CsrView<double> A;
  Span<Offset const> diagonal;  ///< where it is, -1 for nowhere
  int vectors;
  Span<double> value;
  double* listed;  ///< null: nobody asks

  TESSERA_HD bool is_zero(Index row) const {
    for (Offset k = A.offsets[row]; k < A.offsets[row + 1]; ++k) {
      if (A.value[k] != 0) return false;
    }
    return true;
  }
  TESSERA_HD void operator()(Index aggregate) const {
    double largest = 0;
    int dropped = 0;
    for (Index row = aggregate * vectors; row < (aggregate + 1) * vectors; ++row) {
      double const d = diagonal[row] < 0 ? 0.0 : A.value[diagonal[row]];
      if (d > largest) largest = d;
      if (d == 0) ++dropped;
      if (listed != nullptr) listed[row] = d;
    }
    if (dropped == 0) return;
    for (Index row = aggregate * vectors; row < (aggregate + 1) * vectors; ++row) {
      auto const k = diagonal[row];
      if (k < 0 || A.value[k] != 0 || !is_zero(row)) continue;
      value[k] = largest > 0 ? largest : 1.0;
      if (listed != nullptr) listed[row] = value[k];
    }
  }
};

/// Decouples the zero rows of coarse matrices of one pattern: their diagonal becomes the largest one of their
/// aggregate's unknowns, 1 when all are zero, so that the next level sees a positive definite matrix of one
/// scale. Such a row's near-nullspace is zero, so no further level sees it.
template <class Space>
class Decoupling {
 public:
  /// vectors: unknowns an aggregate, which follow each other. listed: gets the diagonal; null: nobody asks.
  void run(Space const& space, sparse::Csr<double, Space>& coarse, int vectors, double* listed = nullptr) {
    auto const C = coarse.view();
    if (diagonal_.empty()) {
      diagonal_ = Array<Offset, Space>(space, C.rows);
      core::fill(space, diagonal_.span(), -1);
      sparse::for_each_entry(space, C.rows, C.column.size(), DiagonalPlaceBody{C, diagonal_.data()});
    }
    core::for_each(space, C.rows / vectors,
                   DecoupleBody{C, diagonal_.view(), vectors, coarse.value.span(), listed});
  }
  std::size_t bytes() const { return diagonal_.bytes(); }

 private:
  Array<Offset, Space> diagonal_;  ///< where the coarse matrix has it
};

}  // namespace Tessera::galerkin
