#pragma once
/// \file
/// The tentative prolongator.
#include <cmath>
#include <limits>

#include "core/counting_sort.hpp"
#include "core/group.hpp"
#include "galerkin/off_rank_members.hpp"
#include "galerkin/tentative.hpp"

namespace Tessera::galerkin {

/// Initialises T: B where there is an aggregate, else zero.
struct InitialiseBody {
  Span<GlobalIndex const> source_aggregate;
  Span<double const> nullspace;
  Span<GlobalIndex> aggregate;
  Span<double> value;
  int width;  ///< numbers per vertex
  TESSERA_HD void operator()(Index v) const {
    auto const at = static_cast<Offset>(v) * width;
    auto const a = source_aggregate[v];
    aggregate[v] = a;
    for (int c = 0; c < width; ++c) value[at + c] = a < 0 ? 0.0 : nullspace[at + c];
  }
};

/// The rows of vertices that may be members, by global number: off-rank members from lower ranks, owned
/// vertices, off-rank members from higher ranks.
struct Candidates {
  Span<GlobalIndex const> own;  ///< aggregates of the owned vertices
  Span<Index const> off_rank;   ///< aggregates of the off-rank members, relative to this rank's first
  Index lower;                  ///< off-rank members from lower ranks
  GlobalIndex begin, end;       ///< the aggregates of this rank
  Span<double> own_rows, off_rank_rows;
  int width;  ///< numbers per vertex

  TESSERA_HD std::size_t size() const { return own.size() + off_rank.size(); }
  /// The aggregate's number on this rank; -1: none.
  TESSERA_HD Index operator()(Index candidate) const {
    auto const vertices = static_cast<Index>(own.size());
    Index const v = candidate - lower;
    if (v < 0) return off_rank[candidate];
    if (v >= vertices) return off_rank[candidate - vertices];
    return begin <= own[v] && own[v] < end ? static_cast<Index>(own[v] - begin) : -1;
  }
  /// The first row of a candidate; its other rows are consecutive.
  TESSERA_HD double* rows_of(Index candidate) const {
    auto const vertices = static_cast<Index>(own.size());
    Index const v = candidate - lower;
    if (v < 0) return off_rank_rows.data() + static_cast<Offset>(candidate) * width;
    if (v >= vertices) return off_rank_rows.data() + static_cast<Offset>(candidate - vertices) * width;
    return own_rows.data() + static_cast<Offset>(v) * width;
  }
};

/// B_a = Q R for the rows of one aggregate, in place, by modified Gram-Schmidt. The second round reduces
/// |Q^T Q - I| to rounding errors even for almost dependent columns; its factor is multiplied into R. Every
/// thread of a group computes all sums, over the members by global number. Threads share the rows for
/// updates and norms.
struct OrthonormaliseBody {
  static constexpr double dependent = 1e-10;  ///< share of a column's norm below which the column is dropped
  static constexpr int chunk = 8;             ///< columns projected in one pass over the rows

  Span<Index const> offsets;
  Span<Index const> member;
  Candidates candidates;
  int equations, vectors;
  Span<double> factor;  ///< R of each aggregate, vectors x vectors

  template <class Group>
  TESSERA_HD double norm(Group const& group, Index a, int column) const {
    Offset const end = Offset{offsets[a + 1]} * equations;
    double sum = 0;
    for (Offset from = Offset{offsets[a]} * equations; from < end; from += Group::size) {
      auto const k = from + group.lane;
      double const* const row = k < end ? candidates.rows_of(member[k / equations]) : nullptr;
      double const mine = k < end ? row[k % equations * vectors + column] : 0;
      int const count = end - from < Group::size ? static_cast<int>(end - from) : Group::size;
      for (int l = 0; l < count; ++l) sum += group.broadcast(mine * mine, l);
    }
    return std::sqrt(sum);
  }

  template <class Group>
  TESSERA_HD void scale(Group const& group, Index a, int column, double by) const {
    group.sync();
    for (Index p = offsets[a] + group.lane; p < offsets[a + 1]; p += Group::size) {
      double* row = candidates.rows_of(member[p]) + column;
      for (int e = 0; e < equations; ++e, row += vectors) *row *= by;
    }
    group.sync();
  }

  /// Projects the unit column l out of the columns k0 <= k < k1 (at most chunk). dot[k - k0]: the
  /// coefficients.
  template <class Group>
  TESSERA_HD void project(Group const& group, Index a, int l, int k0, int k1, double* dot) const {
    double sum[chunk] = {};  // of constant size, so that it stays in registers
    for (Index p = offsets[a]; p < offsets[a + 1]; ++p) {
      double const* row = candidates.rows_of(member[p]);
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
      double* row = candidates.rows_of(member[p]);
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
    for (int k = 0; k < m; ++k) {
      double const whole = norm(group, a, k);
      if (group.lane == 0) R[k * m + k] = whole;
    }
    group.sync();
    for (int l = 0; l < m; ++l) {
      double const before = R[l * m + l];
      double const left = l == 0 ? before : norm(group, a, l);
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

  /// Q R = Q2 R2 R. Row l of R2 R needs the rows of R from l on only, so R is overwritten from the top.
  template <class Group>
  TESSERA_HD void second_round(Group const& group, Index a, double* R) const {
    int const m = vectors;
    for (int l = 0; l < m; ++l) {
      if (R[l * m + l] == 0) continue;
      double const left = norm(group, a, l);
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
  TESSERA_HD void operator()(Group const& group, Index a) const {
    double* R = factor.data() + static_cast<Offset>(a) * vectors * vectors;
    first_round(group, a, R);
    second_round(group, a, R);
  }
};

template <class Space>
Tentative<Space> tentative_prolongator(Space const& space, aggregation::Aggregates<Space> const& aggregates,
                                       Span<double const> nullspace, int equations, int vectors) {
  auto const& coarse = aggregates.coarse;
  auto const vertices = aggregates.aggregate.size();
  int const width = equations * vectors;
  TESSERA_EXPECT(nullspace.size() == vertices * width);

  auto members = receive_members(space, aggregates, nullspace, width);
  Tentative<Space> T;
  T.equations = equations;
  T.vectors = vectors;
  comm::agree_on_errors(coarse.comm(), [&] {
    auto const columns = static_cast<Offset>(coarse.local_size()) * vectors;
    TESSERA_VALIDATE(columns <= std::numeric_limits<Index>::max(), columns,
                     " coarse unknowns on one rank (local indices have 32 bits); use more ranks or fewer "
                     "near-nullspace vectors");
    T.coarse_rows = coarse.multiplied(vectors);
    T.aggregate = Array<GlobalIndex, Space>(space, vertices);
    T.value = Array<double, Space>(space, vertices * width);
    T.coarse_nullspace = Array<double, Space>(space, columns * vectors);
    core::for_each(
        space, vertices,
        InitialiseBody{aggregates.aggregate.view(), nullspace, T.aggregate.span(), T.value.span(), width});
    Candidates const candidates{aggregates.aggregate.view(),
                                members.aggregate.view(),
                                members.lower,
                                coarse.begin(),
                                coarse.end(),
                                T.value.span(),
                                members.value.span(),
                                width};
    Array<Index, Space> offsets(space, static_cast<std::size_t>(coarse.local_size()) + 1);
    auto const sorted = core::counting_sort(space, candidates.size(), candidates, offsets.span());
    OrthonormaliseBody const body{offsets.view(), sorted.view(), candidates,
                                  equations,      vectors,       T.coarse_nullspace.span()};
    if (vectors == 1) {
      core::for_each_group(space, coarse.local_size(), sorted.size() * equations, body);
    } else {
      core::for_each_group(space, coarse.local_size(), core::GroupShape<32, 128>{}, body);
    }
  });
  return_members(space, aggregates, members, width, T.value.span());
  return T;
}

}  // namespace Tessera::galerkin
