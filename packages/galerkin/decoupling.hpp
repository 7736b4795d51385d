#pragma once
/// \file
/// Scales of the diagonals of coarse matrices, and decoupling of coarse unknowns that no fine row reaches or
/// that are in the nullspace.
#include <cfloat>
#include <cmath>

#include "comm/halo_plan.hpp"
#include "core/parallel.hpp"
#include "galerkin/aggregate_map.hpp"
#include "sparse/csr.hpp"
#include "sparse/engine/for_each_entry.hpp"
#include "sparse/engine/row_reduce.hpp"

namespace Tessera::galerkin {

/// The scale of a finest row is its diagonal entry; that of a coarse row is s_I = sum over i of P_iI^2 s_i.
/// Relative errors of the finest matrix's entries cause errors in the coarse diagonal of a few times these
/// errors times s_I, because |a_ij|^2 <= a_ii a_jj for a semidefinite A. If a diagonal entry is no larger
/// than such an error, the finest matrix may as well be singular in this vertex. This holds on any number of
/// levels.
template <class Space>
struct Scales {
  double const* fine = nullptr;  ///< of the fine rows
  Array<double, Space>* coarse =
      nullptr;                  ///< set to the scales of the coarse rows; null on all ranks: no scales
  double* nullspace = nullptr;  ///< of the coarse rows, as in CoarseUnknowns

  double const* known() const { return coarse == nullptr ? nullptr : coarse->data(); }
};

struct ScaleOfColumn {
  double const* scale;
  TESSERA_HD double operator()(Index, Offset, double p, Index i) const { return p * p * scale[i]; }
};

struct ScaleOfAggregate {
  Index const *first, *member;
  double const *T, *scale;  ///< T: null for ones
  double* sum;
  TESSERA_HD void operator()(Index a) const {
    double total = 0;
    for (Index k = first[a]; k < first[a + 1]; ++k) {
      Index const i = member[k];
      total += T == nullptr ? scale[i] : T[i] * T[i] * scale[i];
    }
    sum[a] = total;
  }
};

/// The contributions of this rank; ghosts follow the owned rows. R: P^T.
template <class Space>
void sum_scale(Space const& space, sparse::CsrView<double> R, Scales<Space> const& scales) {
  if (scales.coarse == nullptr) return;
  *scales.coarse = Array<double, Space>(space, R.rows);
  sparse::row_reduce(space, R, ScaleOfColumn{scales.fine},
                     sparse::StoreProduct<double>{scales.coarse->data()});
}
/// The same for one column per aggregate. map: of T.
template <class Space>
void sum_scale(Space const& space, Tentative<Space> const& T, AggregateMap<Space> const& map,
               Scales<Space> const& scales) {
  if (scales.coarse == nullptr) return;
  *scales.coarse = Array<double, Space>(space, map.aggregates());
  core::for_each(space, scales.coarse->size(),
                 ScaleOfAggregate{map.first.data(), map.member.data(), T.indicator ? nullptr : T.value.data(),
                                  scales.fine, scales.coarse->data()});
}

/// Sums the contributions of all ranks to the coarse rows of this rank. halo: of the coarse rows.
/// Collective.
template <class Space>
void add_up_scale(Space const& space, comm::HaloPlan<Space> const& halo, Scales<Space> const& scales) {
  if (scales.coarse == nullptr) return;
  auto& sums = *scales.coarse;
  auto const ghosts = static_cast<std::size_t>(halo.ghost_count()), own = sums.size() - ghosts;
  halo.template add_from_ghosts<double>(space, sums.view().part(own, ghosts), sums.span().part(0, own));
  sums.shorten(own);
}

/// A coarse diagonal entry of at most this share of its scale (Scales) is zero to rounding. Assembled
/// matrices have errors of a few units in the last place, and sums of thousands of terms add a few more.
constexpr double rounding_share = 64 * DBL_EPSILON;

/// The bound on the off-diagonal entries of such a row, as a share of the scale: |a_ij|^2 <= a_ii a_jj for a
/// semidefinite matrix. Larger entries mean an indefinite matrix.
constexpr double rounding_share_off_diagonal = 1e-7;

/// Position of each row's diagonal entry.
struct DiagonalPositionBody {
  sparse::CsrView<double> A;
  Offset* diagonal;
  TESSERA_HD Offset begin(Index row) const { return A.offsets[row]; }
  TESSERA_HD Offset end(Index row) const { return A.offsets[row + 1]; }
  TESSERA_HD void operator()(Index row, Offset k) const {
    if (A.column[k] == row) diagonal[row] = k;
  }
};

/// Finds the rows that are zero, or with a scale those that are zero to rounding.
struct FindZeroRowsBody {
  sparse::CsrView<double> A;
  Offset const* diagonal;  ///< position; -1: not stored
  double const* scale;     ///< null: unknown
  unsigned char* is_zero;

  TESSERA_HD void operator()(Index row) const {
    Offset const position = diagonal[row];
    double const s = scale == nullptr ? 0.0 : scale[row];
    double const d = position < 0 ? 0.0 : A.value[position];
    bool zero = position >= 0 && fabs(d) <= rounding_share * s;
    for (Offset k = A.offsets[row]; zero && k < A.offsets[row + 1]; ++k)
      zero = k == position || fabs(A.value[k]) <= rounding_share_off_diagonal * s;
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
  TESSERA_HD void decouple_row(Index row, double d) const {
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
      decouple_row(row, d);
      if (listed != nullptr) listed[row] = d;
    }
  }
};

/// Data of the rows of a coarse matrix for decoupling.
struct CoarseUnknowns {
  double const* scale = nullptr;  ///< see Scales; null: unknown, only exact zeros count
  double* nullspace = nullptr;    ///< rows x unknowns an aggregate; null: unchanged
  double* diagonal = nullptr;     ///< set to the diagonal; null: not wanted
};

/// Decouples the zero rows of coarse matrices with one pattern. These are rows of zero columns of P and rows
/// in the nullspace. Examples are the last unknown of a disconnected component and a rigid-body mode of a
/// floating body. The diagonal entry becomes the row's scale; for a zero column it becomes the largest
/// diagonal entry of the aggregate's unknowns, or 1 if all are zero. So the next level has a positive
/// definite matrix of one scale. The near-nullspace of such a row becomes zero, so coarser levels omit the
/// row. A row that is zero on one rank may leave rounding errors in rows of other ranks.
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
      sparse::for_each_entry(space, C.rows, C.column.size(), DiagonalPositionBody{C, diagonal_.data()});
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
