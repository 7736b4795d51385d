#pragma once
/// \file
/// How the product in blocks is made.
#include "core/parallel.hpp"
#include "galerkin/block_pattern_body.hpp"
#include "galerkin/block_product.hpp"
#include "galerkin/with_width.hpp"

namespace Tessera::galerkin {

/// Row i of A P. Columns of A whose rows of P follow each other with one pattern (the unknowns of a node) are
/// taken together.
template <int Width>
struct BlockTimesBody {
  sparse::CsrView<double> A;
  BlockPattern P;
  Span<unsigned char const> same;
  Span<double const> P_value;
  BlockPattern AP;
  int width;
  Span<double> value;

  TESSERA_HD void operator()(Index i) const {
    int const m = Width > 0 ? Width : width;
    auto const begin = AP.offsets[i], end = AP.offsets[i + 1];
    for (Offset k = begin * m; k < end * m; ++k) value[k] = 0;
    Offset slot = begin;
    Offset run;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; k += run) {
      Index const j = A.column[k];
      run = 1;
      while (k + run < A.offsets[i + 1] && A.column[k + run] == j + run && same[j + run] != 0) ++run;
      auto const first = P.offsets[j], length = P.offsets[j + 1] - first;
      for (Offset s = first; s < first + length; ++s) {
        // Rows of P go by global index, rows of A P by local: nearly always ahead.
        if (AP.block[slot] > P.block[s]) slot = begin;
        while (AP.block[slot] != P.block[s]) ++slot;
        add(m, k, run, P_value.data() + s * m, length * m, value.data() + slot * m);
      }
    }
  }

  /// sum += a_k p_0 + a_k+1 p_1 ..., one after the other.
  TESSERA_HD void add(int m, Offset k, Offset run, double const* p, Offset stride, double* sum) const {
    if (Width > 0) {
      double local[Width > 0 ? Width : 1];
      for (int c = 0; c < Width; ++c) local[c] = sum[c];
      for (Offset t = 0; t < run; ++t, p += stride) {
        for (int c = 0; c < Width; ++c) local[c] += A.value[k + t] * p[c];
      }
      for (int c = 0; c < Width; ++c) sum[c] = local[c];
    } else {
      for (Offset t = 0; t < run; ++t, p += stride) {
        for (int c = 0; c < m; ++c) sum[c] += A.value[k + t] * p[c];
      }
    }
  }
};

/// The rows of one aggregate in R (A P).
template <int Width>
struct BlockRestrictBody {
  sparse::CsrView<double> R;
  Span<Index const> source;  ///< of R's entries in own
  Span<double const> own;    ///< values of this rank's rows of P
  BlockPattern AP;
  Span<double const> AP_value;
  sparse::CsrView<double> C;
  int width;
  Span<double> value;

  TESSERA_HD void operator()(Index aggregate) const {
    int const m = Width > 0 ? Width : width;
    auto const row = static_cast<Offset>(aggregate) * m;
    auto const begin = C.offsets[row];
    auto const length = C.offsets[row + 1] - begin;
    Index const* column = C.column.data() + begin;
    double* const sum = value.data() + begin;
    for (Offset k = 0; k < length * m; ++k) sum[k] = 0;
    for (Offset k = R.offsets[row]; k < R.offsets[row + 1]; ++k) {
      Index const i = R.column[k];
      double const* const p = own.data() + source[k];
      Offset slot = 0;
      for (Offset b = AP.offsets[i]; b < AP.offsets[i + 1]; ++b) {
        Index const first = AP.block[b] * m;
        while (column[slot] != first) slot += m;
        double const* const ap = AP_value.data() + b * m;
        for (int r = 0; r < m; ++r) {
          double* const target = sum + r * length + slot;
          for (int c = 0; c < m; ++c) target[c] += p[r] * ap[c];
        }
      }
    }
  }
};

/// For all rows; groups: where rows of one pattern begin, and the end; largest: blocks of the result in a
/// group. Like the next, CUDA has its own.
template <class Space, int Width>
void multiply_rows(Space const& space, Span<Index const> /*groups*/, Index /*largest*/,
                   BlockTimesBody<Width> const& body) {
  core::for_each(space, body.A.rows, body);
}

template <class Space, int Width>
void restrict_rows(Space const& space, Index aggregates, Index /*longest*/,
                   BlockRestrictBody<Width> const& body) {
  core::for_each_heavy(space, aggregates, body);
}

template <class Space>
BlockProduct<Space>::BlockProduct(Space const& space, sparse::CsrView<double> A, sparse::CsrView<double> P,
                                  sparse::CsrView<double> R, int width, sparse::Csr<double, Space>& partial)
    : width_(width),
      P_offsets_(space, static_cast<std::size_t>(P.rows) + 1),
      P_block_(space, P.column.size() / width),
      same_(space, P.rows) {
  core::fill(space, P_offsets_.span().part(0, 1), 0);
  core::for_each(space, P.rows, BlockRowsBody{P, width, P_offsets_.span(), P_block_.span()});
  core::for_each_group(space, P.rows, P_block_.size(),
                       RepeatsBody{P_offsets_.view(), P_block_.view(), same_.span()});
  Array<unsigned char, Space> A_repeats(space, A.rows);
  core::for_each_group(space, A.rows, A.column.size(), RepeatsBody{A.offsets, A.column, A_repeats.span()});
  Index const blocks = P.columns / width;
  LeadersBody const leaders{A, A_repeats.view(), same_.view()};
  auto const n = static_cast<std::size_t>(A.rows);
  {
    Array<Offset, Space> offsets;
    Array<Index, Space> column;
    sparse::row_select(space, A.rows, A.column.size(), leaders, offsets, column);
    auto const found = sparse::spgemm_symbolic<double>(
        space, {A.rows, A.columns, offsets.view(), column.view(), {}},
        {P.rows, blocks, P_offsets_.view(), P_block_.view(), {}}, sparse::SpgemmMethod::hash);
    AP_offsets_ = Array<Offset, Space>(space, n + 1);
    FollowersBody followers{leaders, {found.offsets.view(), found.column.view()}, AP_offsets_.data(), {}, {}};
    core::for_each(space, n, followers);
    AP_block_ = Array<Index, Space>(
        space, core::exclusive_scan(space, AP_offsets_.span().part(0, n), AP_offsets_.span()));
    followers.offsets = AP_offsets_.view();
    followers.block = AP_block_.span();
    sparse::for_each_entry(space, A.rows, AP_block_.size(), followers);
  }

  {
    Array<Index, Space> chosen(space, n);
    auto const count = core::select(space, n, LeadsPredicate{leaders}, chosen.span());
    groups_ = Array<Index, Space>(space, count + 1);
    core::copy(space, chosen.view().part(0, count), space, groups_.span().part(0, count));
    core::fill(space, groups_.span().part(count, 1), A.rows);
    largest_group_ =
        core::reduce(space, count, GroupBlocks{groups_.view(), {AP_offsets_.view()}}, core::Max{}, Index{0});
  }

  Index const aggregates = R.rows / width;
  Array<Offset, Space> R_offsets;
  Array<Index, Space> R_row;
  sparse::row_select(space, aggregates, R.column.size(), FirstRowsBody{R, width, leaders}, R_offsets, R_row);
  auto const C = sparse::spgemm_symbolic<double>(
      space, {aggregates, R.columns, R_offsets.view(), R_row.view(), {}},
      {A.rows, blocks, AP_offsets_.view(), AP_block_.view(), {}}, sparse::SpgemmMethod::hash);
  longest_ = core::reduce(space, aggregates, RowBlocks{C.offsets.view()}, core::Max{}, Index{0});

  auto const entries = C.column.size() * width * width;
  partial = {R.rows, P.columns, Array<Offset, Space>(space, static_cast<std::size_t>(R.rows) + 1),
             Array<Index, Space>(space, entries), Array<double, Space>(space, entries)};
  core::fill(space, partial.offsets.span().part(0, 1), 0);
  ExpandBody const expand{
      {C.offsets.view(), C.column.view()}, width, partial.offsets.span(), partial.column.span()};
  core::for_each(space, R.rows, expand);
  sparse::for_each_entry(space, R.rows, C.column.size() * width, expand);
}

template <class Space>
void BlockProduct<Space>::multiply(Space const& space, sparse::CsrView<double> A, Span<double const> P_values,
                                   sparse::Transposed<double, Space> const& R, Span<double const> own_values,
                                   sparse::Csr<double, Space>& partial) const {
  BlockPattern const P{P_offsets_.view(), P_block_.view()};
  BlockPattern const AP{AP_offsets_.view(), AP_block_.view()};
  Array<double, Space> AP_value(space, AP_block_.size() * width_);
  with_width(width_, [&](auto width) {
    constexpr int m = decltype(width)::value;
    multiply_rows(space, groups_.view(), largest_group_,
                  BlockTimesBody<m>{A, P, same_.view(), P_values, AP, width_, AP_value.span()});
    restrict_rows(space, partial.rows / width_, longest_,
                  BlockRestrictBody<m>{R.matrix.view(), R.source.view(), own_values, AP, AP_value.view(),
                                       partial.view(), width_, partial.value.span()});
  });
}

}  // namespace Tessera::galerkin
