#pragma once
/// \file
/// Conjugate gradients on the columns of a prolongator.
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "comm/ghost_rows.hpp"
#include "comm/global_reduction.hpp"
#include "core/error.hpp"
#include "core/group.hpp"
#include "core/parallel.hpp"
#include "core/reduce_into.hpp"
#include "galerkin/energy_minimisation.hpp"
#include "galerkin/local_aggregates.hpp"
#include "sparse/engine/row_merge/operands.hpp"
#include "sparse/engine/row_merge/row_merge.hpp"

namespace Tessera::galerkin {

/// B_coarse by P's local columns: `count` numbers per row.
struct CoarseVectors {
  bool ones;  ///< one vector of ones, which is not stored
  double const *own, *ghost;
  Index owned;
  int count;
  TESSERA_HD double operator()(Index column, int c) const { return ones ? 1.0 : row(column)[c]; }
  /// Requires that B_coarse is stored.
  TESSERA_HD double const* row(Index column) const {
    Offset const j = column;
    return column < owned ? own + j * count : ghost + (j - owned) * count;
  }
  /// Whether tentative_prolongator has dropped the column.
  TESSERA_HD bool is_zero(Index column) const {
    for (int c = 0; c < count; ++c)
      if ((*this)(column, c) != 0) return false;
    return true;
  }
};

/// For a row of P the matrix G such that U_i - (U_i B) G B^T is U_i without its part in B, where B has the
/// rows of B_coarse in the pattern. G is a generalised inverse of B^T B, by an elimination that skips
/// dependent pivots.
struct RowInverseBody {
  static constexpr double dependent = 1e-12;
  Offset const* offsets;  ///< of P
  Index const* column;
  CoarseVectors B;
  int equations;
  double* inverse;  ///< nodes x count x count

  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index node) const {
    int const m = B.count;
    double* const G = inverse + static_cast<Offset>(node) * m * m;
    Offset const i = static_cast<Offset>(node) * equations;
    for (int k = group.lane; k < m * m; k += Group::size) {
      double sum = 0;
      for (Offset s = offsets[i]; s < offsets[i + 1]; ++s) sum += B(column[s], k / m) * B(column[s], k % m);
      G[k] = sum;
    }
    group.sync();
    double largest = 0;
    for (int c = 0; c < m; ++c) largest = G[c * m + c] > largest ? G[c * m + c] : largest;
    for (int p = 0; p < m; ++p) sweep(group, G, p, dependent * largest);
  }

 private:
  /// Pivot p of the Gauss-Jordan inversion in place. A small pivot leaves zeros, as if the vector were
  /// absent.
  template <class Group>
  TESSERA_HD void sweep(Group const& group, double* G, int p, double least) const {
    int const m = B.count;
    group.sync();
    double const pivot = G[p * m + p];
    if (!(pivot > least)) {
      group.sync();
      for (int k = group.lane; k < m; k += Group::size) G[p * m + k] = G[k * m + p] = 0;
      return;
    }
    for (int i = group.lane; i < m; i += Group::size) {
      if (i == p) continue;
      double const factor = G[i * m + p] / pivot;
      for (int k = 0; k < m; ++k) {
        if (k != p) G[i * m + k] -= factor * G[p * m + k];
      }
      G[i * m + p] = -factor;
    }
    group.sync();
    for (int k = group.lane; k < m; k += Group::size) G[p * m + k] = (k == p ? 1 : G[p * m + k]) / pivot;
  }
};

/// Removes from row R_i = sign R_i its part in B: R_i - sum_c ((R_i B) G)_c B_c.
struct ProjectNodeBody {
  Offset const* offsets;  ///< of P
  Index const* column;
  CoarseVectors B;
  int equations;
  double const* inverse;
  double sign;
  double* part;  ///< nodes x 2 x equations x count: R_i B, (R_i B) G
  double* R;

  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index node) const {
    int const m = B.count;
    Offset const i = static_cast<Offset>(node) * equations, begin = offsets[i], end = offsets[i + equations];
    auto const length = static_cast<int>(offsets[i + 1] - begin);
    double const* const G = inverse + static_cast<Offset>(node) * m * m;
    if (length <= m) {  // P B_coarse = B determines the row
      for (Offset s = begin + group.lane; s < end; s += Group::size) R[s] = 0;
    } else if (m == 1) {
      for (Offset row = begin; row < end; row += length) project_one(group, row, length, G[0]);
    } else {
      project_all(group, begin, length, G, part + 2 * m * i);
    }
  }

 private:
  TESSERA_HD double value(Offset s) const { return B.is_zero(column[s]) ? 0.0 : sign * R[s]; }

  /// One row, for one vector.
  template <class Group>
  TESSERA_HD void project_one(Group const& group, Offset begin, int length, double G) const {
    double in_B = 0;
    for (Offset s = begin; s < begin + length; ++s) in_B += value(s) * B(column[s], 0);
    double const share = G * in_B;
    group.sync();
    for (Offset s = begin + group.lane; s < begin + length; s += Group::size)
      R[s] = value(s) - share * B(column[s], 0);
  }

  /// All rows of the node; they share one pattern.
  template <class Group>
  TESSERA_HD void project_all(Group const& group, Offset begin, int length, double const* G,
                              double* in_B) const {
    int const m = B.count, parts = equations * m;
    for (int s = group.lane; s < equations * length; s += Group::size) R[begin + s] = value(begin + s);
    group.sync();
    for (int p = group.lane; p < parts; p += Group::size) {
      double const* const row = R + begin + p / m * length;
      double sum = 0;
      for (int s = 0; s < length; ++s) sum += row[s] * B.row(column[begin + s])[p % m];
      in_B[p] = sum;
    }
    group.sync();
    double* const share = in_B + parts;
    for (int p = group.lane; p < parts; p += Group::size) {
      double sum = 0;
      for (int d = 0; d < m; ++d) sum += G[p % m * m + d] * in_B[p / m * m + d];
      share[p] = sum;
    }
    group.sync();
    for (int s = group.lane; s < equations * length; s += Group::size) {
      double const* const b = B.row(column[begin + s]);
      double left = R[begin + s];
      for (int c = 0; c < m; ++c) left -= share[s / length * m + c] * b[c];
      R[begin + s] = left;
    }
  }
};

/// Scalars of the iteration, in the memory of the space. If the descent is below `rounding` times the first
/// descent, it is zero to rounding, and later steps change nothing.
struct EnergySteps {
  static constexpr double rounding = 1e-20;
  double first = 0, descent = 0, alpha = 0, beta = 0;
};
struct FindBeta {
  EnergySteps* steps;
  TESSERA_HD void operator()(double descent) const {
    if (steps->first == 0) steps->first = descent;
    double const left = descent > EnergySteps::rounding * steps->first ? descent : 0.0;
    steps->beta = steps->descent > 0 ? left / steps->descent : 0.0;
    steps->descent = left;
  }
};
struct FindAlpha {
  EnergySteps* steps;
  TESSERA_HD void operator()(double curvature) const {
    steps->alpha = curvature > 0 ? steps->descent / curvature : 0.0;
  }
};

/// The product of row i of two such matrices, divided by the diagonal if it is given. Sums in storage order.
struct RowDotBody {
  Offset const* offsets;
  double const *x, *y;
  double const* diagonal;  ///< may be null
  double* dot;
  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index i) const {
    Offset const end = offsets[i + 1];
    double sum = 0;
    for (Offset first = offsets[i]; first < end; first += Group::size) {
      Offset const s = first + group.lane;
      double const product = s < end ? x[s] * y[s] : 0.0;
      for (int q = 0; q < Group::size && first + q < end; ++q) sum += group.broadcast(product, q);
    }
    if (group.lane == 0) dot[i] = diagonal == nullptr ? sum : sum / diagonal[i];
  }
};

/// direction = D^-1 R + beta direction
struct DirectionBody {
  Offset const* offsets;
  double const *R, *diagonal;
  EnergySteps const* steps;
  double* direction;
  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index i) const {
    double const beta = steps->beta;
    for (Offset s = offsets[i] + group.lane; s < offsets[i + 1]; s += Group::size)
      direction[s] = R[s] / diagonal[i] + (beta == 0 ? 0.0 : beta * direction[s]);
  }
};
/// P += alpha direction, R -= alpha product
struct StepBody {
  EnergySteps const* steps;
  double const *direction, *product;
  double *P, *R;
  TESSERA_HD void operator()(Index s) const {
    P[s] += steps->alpha * direction[s];
    R[s] -= steps->alpha * product[s];
  }
};

/// The iteration for one P.
template <class Space>
class EnergyMinimisation {
 public:
  EnergyMinimisation(Space const& space, comm::DistCsr<double, Space> const& A, Span<double const> diagonal,
                     Tentative<Space> const& T, sparse::ProductPlan<Space>& plan,
                     comm::DistCsr<double, Space>& P)
      : space_(space),
        A_(A),
        plan_(plan),
        P_(P),
        diagonal_(diagonal),
        rows_(A.local.rows),
        equations_(T.equations),
        distributed_(!A.rows.on_one_rank_with(P.columns())),
        global_reduction_(space, A.rows.comm(), A.local.rows) {
    auto const m = T.vectors;
    auto const ghosts = static_cast<std::size_t>(P.halo.ghost_count());
    comm::agree_on_errors(A.rows.comm(), [&] {
      if (!T.indicator) ghost_vectors_ = Array<double, Space>(space, ghosts * m);
      inverse_ = Array<double, Space>(space, T.aggregate.size() * m * m);
      part_ = Array<double, Space>(space, static_cast<std::size_t>(A.local.rows) * 2 * m);
      dot_ = Array<double, Space>(space, A.local.rows);
      for (auto* array : {&R_, &product_}) *array = Array<double, Space>(space, P.local.column.size());
      steps_ = core::to_space(space, std::vector<EnergySteps>(1));
    });
    if (!T.indicator) P.halo.exchange(space, T.coarse_nullspace.view(), ghost_vectors_.span(), m);
    B_ = {T.indicator, T.coarse_nullspace.data(), ghost_vectors_.data(), P.columns().local_size(), m};
    core::for_each_group(
        space, T.aggregate.size(), inverse_.size(),
        RowInverseBody{P.local.offsets.data(), P.local.column.data(), B_, equations_, inverse_.data()});
  }

  void run(int steps) {
    auto& direction = direction_.local.value;
    multiply(P_, -1.0, R_);
    if (steps > 0) direction_ = like_P();
    for (int step = 0; step < steps; ++step) {
      reduce(R_, R_, diagonal_.data(), FindBeta{steps_.data()});
      core::for_each_group(space_, rows_, R_.size(),
                           DirectionBody{P_.local.offsets.data(), R_.data(), diagonal_.data(), steps_.data(),
                                         direction.data()});
      multiply(direction_, 1.0, product_);
      reduce(direction, product_, nullptr, FindAlpha{steps_.data()});
      core::for_each(
          space_, R_.size(),
          StepBody{steps_.data(), direction.data(), product_.data(), P_.local.value.data(), R_.data()});
    }
  }

 private:
  /// Another matrix with the pattern of P.
  comm::DistCsr<double, Space> like_P() const {
    comm::DistCsr<double, Space> other;
    other.rows = P_.rows;
    other.halo = P_.halo;
    auto const& local = P_.local;
    auto& copy = other.local;
    copy.rows = local.rows, copy.columns = local.columns;
    copy.offsets = Array<Offset, Space>::borrowed(space_, local.offsets.view());
    copy.column = Array<Index, Space>::borrowed(space_, local.column.view());
    copy.value = Array<double, Space>(space_, local.value.size());
    return other;
  }

  /// The product on the pattern of P. Rows of other ranks reach columns that P lacks, so extended rows have
  /// their own numbering.
  void multiply(comm::DistCsr<double, Space> const& U, double sign, Array<double, Space>& result) {
    if (distributed_ && !extended_)
      extended_ = comm::extend_rows(space_, U, A_.halo);
    else if (distributed_)
      comm::refresh_extended_rows(space_, U, A_.halo, *extended_);
    auto const rows = distributed_ ? extended_->local.view() : U.local.view();
    comm::agree_on_errors(A_.rows.comm(), [&] { multiply_on_pattern(rows, result); });
    auto const& pattern = P_.local;
    core::for_each_group(space_, rows_ / equations_, result.size(),
                         ProjectNodeBody{pattern.offsets.data(), pattern.column.data(), B_, equations_,
                                         inverse_.data(), sign, part_.data(), result.data()});
  }

  /// The entries of A U in the pattern of P. The own rows come first in U.
  void multiply_on_pattern(sparse::CsrView<double> U, Array<double, Space>& result) {
    int const m = B_.count;
    auto const of_columns = order_of(distributed_ ? extended_->columns : P_.halo);
    sparse::Masked<GlobalOrder> const order{{{of_columns.owned / m, of_columns.below / m}}};
    sparse::CsrView<double> const mask{
        P_.local.rows, U.columns, P_.local.offsets.view(), U.column.part(0, result.size()), {}};
    sparse::with_width(m, [&](auto width) {
      sparse::CsrFactors const left{A_.local.view()};
      sparse::CsrSources<decltype(width)::value> const right{U, m};
      if (!plan_.found) plan_ = sparse::product_plan(space_, left, right, order, equations_, mask);
      sparse::refresh_merge(space_, left, right, order, plan_, mask, result.data());
    });
  }

  /// Sums over all ranks.
  template <class Finish>
  void reduce(Array<double, Space> const& x, Array<double, Space> const& y, double const* diagonal,
              Finish const& finish) {
    core::for_each_group(space_, rows_, x.size(),
                         RowDotBody{P_.local.offsets.data(), x.data(), y.data(), diagonal, dot_.data()});
    global_reduction_.template reduce<double>(core::Plus{}, finish, [&](auto const& end, auto& scratch) {
      core::reduce_into(space_, rows_, core::fixed_tree::Load<double>{dot_.data()}, core::Plus{}, 0.0, end,
                        scratch);
    });
  }

  Space space_;
  comm::DistCsr<double, Space> const& A_;
  sparse::ProductPlan<Space>& plan_;
  comm::DistCsr<double, Space>& P_;
  Span<double const> diagonal_;
  std::size_t rows_;
  int equations_;
  bool distributed_;
  comm::GlobalReduction<Space> global_reduction_;
  Array<double, Space> ghost_vectors_, inverse_, part_, dot_, R_, product_;
  Array<EnergySteps, Space> steps_;
  CoarseVectors B_{};
  comm::DistCsr<double, Space> direction_;
  std::optional<comm::ExtendedRows<double, Space>> extended_;
};

template <class Space>
void minimise_energy(Space const& space, comm::DistCsr<double, Space> const& A, Span<double const> diagonal,
                     Tentative<Space> const& T, int steps, sparse::ProductPlan<Space>& plan,
                     comm::DistCsr<double, Space>& P) {
  if (steps == 0) return;
  EnergyMinimisation<Space>(space, A, diagonal, T, plan, P).run(steps);
}

}  // namespace Tessera::galerkin
