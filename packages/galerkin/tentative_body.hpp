#pragma once
/// \file
/// How the tentative prolongator is made.
#include <cmath>
#include <limits>

#include "galerkin/members.hpp"
#include "galerkin/tentative.hpp"

namespace Tessera::galerkin {

/// T starts as B where there is an aggregate and as zero elsewhere.
struct StartBody {
  Span<GlobalIndex const> source_aggregate;
  Span<double const> nullspace;
  Span<GlobalIndex> aggregate;
  Span<double> value;
  int width;  ///< numbers a vertex
  TESSERA_HD void operator()(Index v) const {
    auto const at = static_cast<Offset>(v) * width;
    auto const a = source_aggregate[v];
    aggregate[v] = a;
    for (int c = 0; c < width; ++c) value[at + c] = a < 0 ? 0.0 : nullspace[at + c];
  }
};

/// Threads that work on one aggregate: one of one. On CUDA a warp does.
struct Alone {
  static constexpr int size = 1, lane = 0;
  TESSERA_HD void sync() const {}
};

/// B_a = Q R for the rows of one aggregate, in place, by modified Gram-Schmidt. The second round brings
/// |Q^T Q - I| to rounding errors however close to dependent the columns were; its factor is multiplied into
/// R. Sums run over the members in the order of their global numbers: every thread of a group forms them all,
/// while rows are shared out where they are changed.
struct OrthonormaliseBody {
  static constexpr double dependent = 1e-10;  ///< what is left of a column's norm at which it is dropped
  static constexpr int chunk = 8;             ///< columns projected in one pass over the rows

  Span<Index const> offsets;
  Span<Index const> member;
  Index lower, vertices;  ///< visitors from lower ranks; own vertices
  int equations, vectors;
  Span<double> own;      ///< rows of the own vertices
  Span<double> visitor;  ///< rows of the visitors
  Span<double> factor;   ///< R of each aggregate, vectors x vectors

  /// The first row of a member; its other rows follow.
  TESSERA_HD double* rows_of(Index candidate) const {
    auto const width = static_cast<Offset>(equations) * vectors;
    Index const v = candidate - lower;
    if (v < 0) return visitor.data() + candidate * width;
    if (v >= vertices) return visitor.data() + (candidate - vertices) * width;
    return own.data() + v * width;
  }

  TESSERA_HD double norm(Index a, int column) const {
    double sum = 0;
    for (Index p = offsets[a]; p < offsets[a + 1]; ++p) {
      double const* row = rows_of(member[p]) + column;
      for (int e = 0; e < equations; ++e, row += vectors) sum += *row * *row;
    }
    return std::sqrt(sum);
  }

  template <class Group>
  TESSERA_HD void scale(Group const& group, Index a, int column, double by) const {
    group.sync();
    for (Index p = offsets[a] + group.lane; p < offsets[a + 1]; p += Group::size) {
      double* row = rows_of(member[p]) + column;
      for (int e = 0; e < equations; ++e, row += vectors) *row *= by;
    }
    group.sync();
  }

  /// Takes the unit column l out of the columns k0 <= k < k1 (at most chunk); dot[k - k0] is how much.
  template <class Group>
  TESSERA_HD void project(Group const& group, Index a, int l, int k0, int k1, double* dot) const {
    double sum[chunk] = {};  // of constant size, so that it stays in registers
    for (Index p = offsets[a]; p < offsets[a + 1]; ++p) {
      double const* row = rows_of(member[p]);
      for (int e = 0; e < equations; ++e, row += vectors) {
        double const unit = row[l];
        for (int k = 0; k < chunk; ++k) {
          if (k0 + k < k1) sum[k] += unit * row[k0 + k];
        }
      }
    }
    for (int k = 0; k < chunk; ++k) dot[k] = sum[k];
    group.sync();
    for (Index p = offsets[a] + group.lane; p < offsets[a + 1]; p += Group::size) {
      double* row = rows_of(member[p]);
      for (int e = 0; e < equations; ++e, row += vectors) {
        double const unit = row[l];
        for (int k = 0; k < chunk; ++k) {
          if (k0 + k < k1) row[k0 + k] -= sum[k] * unit;
        }
      }
    }
    group.sync();
  }

  template <class Group>
  TESSERA_HD void first_round(Group const& group, Index a, double* R) const {
    int const m = vectors;
    for (int k = group.lane; k < m * m; k += Group::size) R[k] = 0;
    group.sync();
    for (int k = group.lane; k < m; k += Group::size) R[k * m + k] = norm(a, k);
    group.sync();
    for (int l = 0; l < m; ++l) {
      double const before = R[l * m + l];
      double const left = l == 0 ? before : norm(a, l);
      bool const drop = left <= dependent * before;
      scale(group, a, l, drop ? 0.0 : 1 / left);
      if (group.lane == 0) R[l * m + l] = drop ? 0.0 : left;
      double dot[chunk];
      for (int k0 = l + 1; k0 < m && !drop; k0 += chunk) {
        int const k1 = k0 + chunk < m ? k0 + chunk : m;
        project(group, a, l, k0, k1, dot);
        for (int k = k0; k < k1 && group.lane == 0; ++k) R[l * m + k] = dot[k - k0];
      }
    }
    group.sync();
  }

  /// Q R = Q2 R2 R: row l of R2 R needs the rows of R from l on only, so R is overwritten from above.
  template <class Group>
  TESSERA_HD void second_round(Group const& group, Index a, double* R) const {
    int const m = vectors;
    for (int l = 0; l < m; ++l) {
      if (R[l * m + l] == 0) continue;
      double const left = norm(a, l);
      scale(group, a, l, 1 / left);
      for (int c = group.lane; c < m; c += Group::size) R[l * m + c] *= c < l ? 1.0 : left;
      double dot[chunk];
      for (int k0 = l + 1; k0 < m; k0 += chunk) {
        int const k1 = k0 + chunk < m ? k0 + chunk : m;
        project(group, a, l, k0, k1, dot);
        for (int c = group.lane; c < m; c += Group::size) {
          for (int k = k0; k < k1 && k <= c; ++k) R[l * m + c] += dot[k - k0] * R[k * m + c];
        }
      }
    }
  }

  template <class Group>
  TESSERA_HD void work(Group const& group, Index a) const {
    double* R = factor.data() + static_cast<Offset>(a) * vectors * vectors;
    first_round(group, a, R);
    second_round(group, a, R);
  }
  TESSERA_HD void operator()(Index a) const { work(Alone{}, a); }
};

/// All aggregates. CUDA has its own.
template <class Space>
void orthonormalise(Space const& space, Index aggregates, OrthonormaliseBody const& body) {
  core::for_each_heavy(space, aggregates, body);
}

template <class Space>
Tentative<Space> tentative_prolongator(Space const& space, aggregation::Aggregates<Space> const& aggregates,
                                       Span<double const> nullspace, int equations, int vectors) {
  auto const& coarse = aggregates.coarse;
  auto const vertices = aggregates.aggregate.size();
  int const width = equations * vectors;
  TESSERA_EXPECT(nullspace.size() == vertices * width);

  auto visitors = receive_visitors(space, aggregates, nullspace, width);
  Tentative<Space> T;
  T.equations = equations;
  T.vectors = vectors;
  comm::together(coarse.comm(), [&] {
    auto const columns = static_cast<Offset>(coarse.local_size()) * vectors;
    TESSERA_VALIDATE(columns <= std::numeric_limits<Index>::max(), columns,
                     " coarse unknowns on one rank (local indices have 32 bits); use more ranks or fewer "
                     "near-nullspace vectors");
    T.aggregate = Array<GlobalIndex, Space>(space, vertices);
    T.value = Array<double, Space>(space, vertices * width);
    T.coarse_nullspace = Array<double, Space>(space, columns * vectors);
    core::for_each(
        space, vertices,
        StartBody{aggregates.aggregate.view(), nullspace, T.aggregate.span(), T.value.span(), width});
    auto const members =
        members_of(space, CandidateAggregate{aggregates.aggregate.view(), visitors.aggregate.view(),
                                             visitors.lower, coarse.begin(), coarse.end()});
    orthonormalise(space, coarse.local_size(),
                   OrthonormaliseBody{members.offsets.view(), members.member.view(), visitors.lower,
                                      static_cast<Index>(vertices), equations, vectors, T.value.span(),
                                      visitors.value.span(), T.coarse_nullspace.span()});
  });
  T.coarse_rows = comm::Distribution(coarse.comm(), coarse.local_size() * vectors);
  send_home(space, coarse.comm(), visitors, width, T.value.span());
  return T;
}

}  // namespace Tessera::galerkin
