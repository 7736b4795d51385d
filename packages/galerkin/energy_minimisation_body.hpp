#pragma once
/// \file
/// How conjugate gradients on the columns of a prolongator are taken.
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "comm/ghost_rows.hpp"
#include "comm/over_ranks.hpp"
#include "core/error.hpp"
#include "core/group.hpp"
#include "core/parallel.hpp"
#include "core/reduce_into.hpp"
#include "galerkin/energy_minimisation.hpp"
#include "galerkin/local_aggregates.hpp"
#include "sparse/engine/row_merge/masked_product.hpp"

namespace Tessera::galerkin {

/// B_coarse by P's local columns, a row of `count` numbers each.
struct CoarseVectors {
  bool ones;  ///< one vector, which is not stored
  double const *own, *ghost;
  Index owned;
  int count;
  TESSERA_HD double operator()(Index column, int c) const {
    if (ones) return 1;
    Offset const j = column;
    return column < owned ? own[j * count + c] : ghost[(j - owned) * count + c];
  }
  /// Whether tentative_prolongator dropped it.
  TESSERA_HD bool is_zero(Index column) const {
    for (int c = 0; c < count; ++c)
      if ((*this)(column, c) != 0) return false;
    return true;
  }
};

/// For a row of P the matrix G with which U_i - (U_i B) G B^T is U_i without its part in B = B_coarse's rows
/// of the pattern: a generalised inverse of B^T B, by elimination without those pivots that depend on others.
struct RowInverseBody {
  static constexpr double dependent = 1e-12;
  Offset const* offsets;  ///< of P
  Index const* column;
  CoarseVectors B;
  int equations;
  double* inverse;  ///< nodes x count x count

  TESSERA_HD void operator()(Index node) const {
    int const m = B.count;
    double* const G = inverse + static_cast<Offset>(node) * m * m;
    for (int k = 0; k < m * m; ++k) G[k] = 0;
    Offset const i = static_cast<Offset>(node) * equations;
    for (Offset s = offsets[i]; s < offsets[i + 1]; ++s) {
      for (int k = 0; k < m * m; ++k) G[k] += B(column[s], k / m) * B(column[s], k % m);
    }
    double largest = 0;
    for (int c = 0; c < m; ++c) largest = G[c * m + c] > largest ? G[c * m + c] : largest;
    for (int p = 0; p < m; ++p) sweep(G, p, dependent * largest);
  }

 private:
  /// Pivot p of Gauss' and Jordan's inversion in place; a small one leaves zeros, as if the vector were not
  /// there.
  TESSERA_HD void sweep(double* G, int p, double least) const {
    int const m = B.count;
    double const pivot = G[p * m + p];
    if (!(pivot > least)) {
      for (int k = 0; k < m; ++k) G[p * m + k] = G[k * m + p] = 0;
      return;
    }
    for (int i = 0; i < m; ++i) {
      if (i == p) continue;
      double const factor = G[i * m + p] / pivot;
      for (int k = 0; k < m; ++k) {
        if (k != p) G[i * m + k] -= factor * G[p * m + k];
      }
      G[i * m + p] = -factor;
    }
    for (int k = 0; k < m; ++k) G[p * m + k] = k == p ? 1 / pivot : G[p * m + k] / pivot;
  }
};

/// Row i of R = sign R without its part in B: R_i - sum over c of ((R_i B) G)_c B_c.
struct ProjectRowBody {
  Offset const* offsets;  ///< of P
  Index const* column;
  CoarseVectors B;
  int equations;
  double const* inverse;
  double sign;
  double* part;  ///< rows x count
  double* R;

  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index i) const {
    Offset const begin = offsets[i], end = offsets[i + 1];
    int const m = B.count;
    if (end - begin <= m) {  // held by P B_coarse = B alone
      for (Offset s = begin + group.lane; s < end; s += Group::size) R[s] = 0;
      return;
    }
    double const* const G = inverse + static_cast<Offset>(i / equations) * m * m;
    if (m == 1) {
      double const share = G[0] * in_column(begin, end, 0);
      group.sync();
      for (Offset s = begin + group.lane; s < end; s += Group::size)
        R[s] = value(s) - share * B(column[s], 0);
      return;
    }
    double* const in_B = part + static_cast<Offset>(i) * m;
    for (int c = group.lane; c < m; c += Group::size) in_B[c] = in_column(begin, end, c);
    group.sync();
    for (Offset s = begin + group.lane; s < end; s += Group::size) R[s] = value(s);
    for (int c = 0; c < m; ++c) {
      double share = 0;
      for (int d = 0; d < m; ++d) share += G[c * m + d] * in_B[d];
      for (Offset s = begin + group.lane; s < end; s += Group::size) R[s] -= share * B(column[s], c);
    }
  }

 private:
  TESSERA_HD double value(Offset s) const { return B.is_zero(column[s]) ? 0.0 : sign * R[s]; }
  TESSERA_HD double in_column(Offset begin, Offset end, int c) const {
    double sum = 0;
    for (Offset s = begin; s < end; ++s) sum += value(s) * B(column[s], c);
    return sum;
  }
};

/// Scalars of the iteration, on the space. What is left of the descent below `rounding` of the first is
/// rounding, and no step is taken.
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

/// Of row i the product of two such matrices' rows, over the diagonal where there is one.
struct RowDotBody {
  Offset const* offsets;
  double const *x, *y;
  double const* diagonal;  ///< may be null
  TESSERA_HD double operator()(Index i) const {
    double sum = 0;
    for (Offset s = offsets[i]; s < offsets[i + 1]; ++s) sum += x[s] * y[s];
    return diagonal == nullptr ? sum : sum / diagonal[i];
  }
};

/// direction = D^-1 R + beta direction
struct TurnBody {
  Offset const* offsets;
  double const *R, *diagonal;
  EnergySteps const* steps;
  double* direction;
  TESSERA_HD void operator()(Index i) const {
    double const beta = steps->beta;
    for (Offset s = offsets[i]; s < offsets[i + 1]; ++s)
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

/// One P, and what its iteration needs.
template <class Space>
class EnergyMinimisation {
 public:
  EnergyMinimisation(Space const& space, comm::DistCsr<double, Space> const& A, Span<double const> diagonal,
                     Tentative<Space> const& T, comm::DistCsr<double, Space>& P)
      : space_(space),
        A_(A),
        P_(P),
        diagonal_(diagonal),
        equations_(T.equations),
        distributed_(!A.rows.on_one_rank_with(P.columns())),
        over_ranks_(space, A.rows.comm(), A.local.rows) {
    auto const m = T.vectors;
    auto const ghosts = static_cast<std::size_t>(P.halo.ghost_count());
    comm::agree_on_errors(A.rows.comm(), [&] {
      if (!T.indicator) ghost_vectors_ = Array<double, Space>(space, ghosts * m);
      inverse_ = Array<double, Space>(space, T.aggregate.size() * m * m);
      part_ = Array<double, Space>(space, static_cast<std::size_t>(A.local.rows) * m);
      for (auto* array : {&R_, &product_}) *array = Array<double, Space>(space, P.local.column.size());
      steps_ = core::to_space(space, std::vector<EnergySteps>(1));
    });
    if (!T.indicator) P.halo.exchange(space, T.coarse_nullspace.view(), ghost_vectors_.span(), m);
    B_ = {T.indicator, T.coarse_nullspace.data(), ghost_vectors_.data(), P.columns().local_size(), m};
    core::for_each(
        space, T.aggregate.size(),
        RowInverseBody{P.local.offsets.data(), P.local.column.data(), B_, equations_, inverse_.data()});
  }

  void run(int steps) {
    auto& direction = direction_.local.value;
    multiply(P_, -1.0, R_);
    if (steps > 0) direction_ = like_P();
    for (int step = 0; step < steps; ++step) {
      reduce(RowDotBody{P_.local.offsets.data(), R_.data(), R_.data(), diagonal_.data()},
             FindBeta{steps_.data()});
      core::for_each(
          space_, static_cast<std::size_t>(P_.local.rows),
          TurnBody{P_.local.offsets.data(), R_.data(), diagonal_.data(), steps_.data(), direction.data()});
      multiply(direction_, 1.0, product_);
      reduce(RowDotBody{P_.local.offsets.data(), direction.data(), product_.data(), nullptr},
             FindAlpha{steps_.data()});
      core::for_each(
          space_, R_.size(),
          StepBody{steps_.data(), direction.data(), product_.data(), P_.local.value.data(), R_.data()});
    }
  }

 private:
  /// Another matrix with P's pattern.
  comm::DistCsr<double, Space> like_P() const {
    comm::DistCsr<double, Space> other;
    other.rows = P_.rows;
    other.halo = P_.halo;
    auto const& local = P_.local;
    auto& made = other.local;
    made.rows = local.rows, made.columns = local.columns;
    made.offsets = Array<Offset, Space>::borrowed(space_, local.offsets.view());
    made.column = Array<Index, Space>::borrowed(space_, local.column.view());
    made.value = Array<double, Space>(space_, local.value.size());
    return other;
  }

  /// Rows of other ranks reach columns that P has no number for here: extended rows have another numbering.
  void multiply(comm::DistCsr<double, Space> const& U, double sign, Array<double, Space>& result) {
    if (distributed_ && !extended_)
      extended_ = comm::extend_rows(space_, U, A_.halo);
    else if (distributed_)
      comm::refresh_extended_rows(space_, U, A_.halo, *extended_);
    auto const rows = distributed_ ? extended_->local.view() : U.local.view();
    auto const& pattern = P_.local;
    sparse::Mask const mask{pattern.rows,
                            pattern.offsets.data(),
                            rows.column.data(),  // P's own rows come first
                            result.size(),
                            {equations_, B_.count}};
    sparse::masked_product(space_, A_.local.view(), mask, rows,
                           order_of(distributed_ ? extended_->columns : P_.halo), result.data());
    core::for_each_group(space_, static_cast<std::size_t>(pattern.rows), result.size(),
                         ProjectRowBody{pattern.offsets.data(), pattern.column.data(), B_, equations_,
                                        inverse_.data(), sign, part_.data(), result.data()});
  }

  template <class Body, class Finish>
  void reduce(Body const& body, Finish const& finish) {
    auto const rows = static_cast<std::size_t>(P_.local.rows);
    over_ranks_.template reduce<double>(core::Plus{}, finish, [&](auto const& end, auto& scratch) {
      core::reduce_into(space_, rows, body, core::Plus{}, 0.0, end, scratch);
    });
  }

  Space space_;
  comm::DistCsr<double, Space> const& A_;
  comm::DistCsr<double, Space>& P_;
  Span<double const> diagonal_;
  int equations_;
  bool distributed_;
  comm::OverRanks<Space> over_ranks_;
  Array<double, Space> ghost_vectors_, inverse_, part_, R_, product_;
  Array<EnergySteps, Space> steps_;
  CoarseVectors B_{};
  comm::DistCsr<double, Space> direction_;
  std::optional<comm::ExtendedRows<double, Space>> extended_;
};

template <class Space>
void minimise_energy(Space const& space, comm::DistCsr<double, Space> const& A, Span<double const> diagonal,
                     Tentative<Space> const& T, int steps, comm::DistCsr<double, Space>& P) {
  if (steps == 0) return;
  EnergyMinimisation<Space>(space, A, diagonal, T, P).run(steps);
}

}  // namespace Tessera::galerkin
