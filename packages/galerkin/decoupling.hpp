#pragma once
/// \file
/// Decoupling of coarse unknowns that no fine row reaches or that have no energy.
#include <cfloat>
#include <cmath>

#include "core/parallel.hpp"
#include "sparse/csr.hpp"
#include "sparse/engine/for_each_entry.hpp"

namespace Tessera::galerkin {

/// A coarse diagonal entry of at most this share of its scale (coarse_scale.hpp) is zero to rounding.
/// Assembled matrices have errors of a few units in the last place, and sums of thousands of terms add a few
/// more.
constexpr double rounding_share = 64 * DBL_EPSILON;

/// The bound on the other entries of such a row: |a_ij|^2 <= a_ii a_jj for a semidefinite matrix. Larger
/// entries mean an indefinite matrix.
constexpr double rounding_share_of_others = 1e-7;

/// Position of each row's diagonal entry.
struct DiagonalPlaceBody {
  sparse::CsrView<double> A;
  Offset* diagonal;
  TESSERA_HD Offset begin(Index row) const { return A.offsets[row]; }
  TESSERA_HD Offset end(Index row) const { return A.offsets[row + 1]; }
  TESSERA_HD void operator()(Index row, Offset k) const {
    if (A.column[k] == row) diagonal[row] = k;
  }
};

/// Finds the rows that are zero; with a scale, zero to rounding.
struct FindZeroRowsBody {
  sparse::CsrView<double> A;
  Offset const* diagonal;  ///< position; -1: not stored
  double const* scale;     ///< null: unknown
  unsigned char* is_zero;

  TESSERA_HD void operator()(Index row) const {
    Offset const place = diagonal[row];
    double const s = scale == nullptr ? 0.0 : scale[row];
    double const d = place < 0 ? 0.0 : A.value[place];
    bool zero = place >= 0 && fabs(d) <= rounding_share * s;
    for (Offset k = A.offsets[row]; zero && k < A.offsets[row + 1]; ++k)
      zero = k == place || fabs(A.value[k]) <= rounding_share_of_others * s;
    is_zero[row] = zero ? 1 : 0;
  }
};

/// Decouples the zero rows of one aggregate's unknowns, sets their diagonal, and lists diagonals.
struct DecoupleBody {
  sparse::CsrView<double> A;
  Offset const* diagonal;
  unsigned char const* is_zero;
  int vectors;
  double const* scale;  ///< null: unknown
  double* value;
  double* listed;     ///< null: not wanted
  double* nullspace;  ///< rows x vectors; null: unchanged

  /// Sets the entry of a row and a column to zero if this rank has both.
  TESSERA_HD void clear(Index row, Index column) const {
    for (Offset k = A.offsets[row]; k < A.offsets[row + 1]; ++k) {
      if (A.column[k] == column) value[k] = 0;
    }
  }
  TESSERA_HD void cut_off(Index row, double d) const {
    for (Offset k = A.offsets[row]; k < A.offsets[row + 1]; ++k) {
      Index const j = A.column[k];
      value[k] = j == row ? d : 0.0;
      if (j != row && j < A.rows && is_zero[j] == 0) clear(j, row);
    }
    for (int c = 0; c < vectors && nullspace != nullptr; ++c)
      nullspace[static_cast<Offset>(row) * vectors + c] = 0;
  }
  TESSERA_HD void operator()(Index aggregate) const {
    Index const first = aggregate * vectors;
    double largest = 0;
    for (Index row = first; row < first + vectors; ++row) {
      double const d = diagonal[row] < 0 ? 0.0 : A.value[diagonal[row]];
      double const s = is_zero[row] == 0 ? d : scale == nullptr ? 0.0 : scale[row];
      if (s > largest) largest = s;
      if (listed != nullptr) listed[row] = d;
    }
    for (Index row = first; row < first + vectors; ++row) {
      if (is_zero[row] == 0) continue;
      double const s = scale == nullptr ? 0.0 : scale[row];
      double const d = s > 0 ? s : largest > 0 ? largest : 1.0;
      cut_off(row, d);
      if (listed != nullptr) listed[row] = d;
    }
  }
};

/// Data of the rows of a coarse matrix for decoupling.
struct CoarseUnknowns {
  double const* scale = nullptr;  ///< coarse_scale.hpp; null: unknown, only exact zeros count
  double* nullspace = nullptr;    ///< rows x unknowns an aggregate; null: unchanged
  double* diagonal = nullptr;     ///< set to the diagonal; null: not wanted
};

/// Decouples the zero rows of coarse matrices with one pattern. These are rows of zero columns of P and rows
/// without energy, such as the last unknown of a disconnected component or a rigid-body mode of a floating
/// body. The diagonal entry becomes the row's scale; for a zero column it becomes the largest diagonal entry
/// of the aggregate's unknowns, or 1 if all are zero. So the next level sees a positive definite matrix of
/// one scale. The near-nullspace of such a row becomes zero, so coarser levels omit it. A row that is zero
/// on one rank may leave rounding errors in rows of other ranks.
template <class Space>
class Decoupling {
 public:
  /// vectors: unknowns of an aggregate; they are consecutive.
  void run(Space const& space, sparse::Csr<double, Space>& coarse, int vectors,
           CoarseUnknowns const& unknowns = {}) {
    auto const C = coarse.view();
    if (diagonal_.empty()) {
      diagonal_ = Array<Offset, Space>(space, C.rows);
      core::fill(space, diagonal_.span(), -1);
      sparse::for_each_entry(space, C.rows, C.column.size(), DiagonalPlaceBody{C, diagonal_.data()});
    }
    Array<unsigned char, Space> is_zero(space, C.rows);
    core::for_each(space, C.rows, FindZeroRowsBody{C, diagonal_.data(), unknowns.scale, is_zero.data()});
    core::for_each(space, C.rows / vectors,
                   DecoupleBody{C, diagonal_.data(), is_zero.data(), vectors, unknowns.scale,
                                coarse.value.data(), unknowns.diagonal, unknowns.nullspace});
  }
  std::size_t bytes() const { return diagonal_.bytes(); }

 private:
  Array<Offset, Space> diagonal_;  ///< positions in the coarse matrix
};

}  // namespace Tessera::galerkin
