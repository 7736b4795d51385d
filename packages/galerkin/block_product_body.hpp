#pragma once
/// \file
/// How the product in blocks is made.
#include "core/parallel.hpp"
#include "galerkin/block_product.hpp"
#include "galerkin/with_width.hpp"

namespace Tessera::galerkin {

/// A pattern of blocks.
struct BlockPattern {
  Span<Offset const> offsets;
  Span<Index const> block;
};

struct BlockRowsBody {
  sparse::CsrView<double> P;
  int width;
  Span<Offset> offsets;
  Span<Index> block;
  Span<unsigned char> same;

  TESSERA_HD bool same_as_before(Index row) const {
    if (row == 0) return false;
    auto const begin = P.offsets[row], end = P.offsets[row + 1], before = P.offsets[row - 1];
    if (end - begin != begin - before) return false;
    for (Offset k = begin; k < end; k += width) {
      if (P.column[k] != P.column[before + k - begin]) return false;
    }
    return true;
  }
  TESSERA_HD void operator()(Index row) const {
    auto const begin = P.offsets[row] / width, end = P.offsets[row + 1] / width;
    if (row == 0) offsets[0] = 0;
    offsets[row + 1] = end;
    for (Offset k = begin; k < end; ++k) block[k] = P.column[k * width] / width;
    same[row] = same_as_before(row) ? 1 : 0;
  }
};

/// Every width-th row of R: all rows of an aggregate have one pattern.
struct FirstRowsBody {
  sparse::CsrView<double> R;
  int width;
  Span<Offset const> offsets;
  Span<Index> row;
  TESSERA_HD void operator()(Index aggregate) const {
    auto const from = R.offsets[static_cast<Offset>(aggregate) * width];
    for (Offset k = offsets[aggregate]; k < offsets[aggregate + 1]; ++k) {
      row[k] = R.column[from + k - offsets[aggregate]];
    }
  }
};

struct FirstRowLengthBody {
  Span<Offset const> offsets;
  int width;
  Span<Index> length;
  TESSERA_HD void operator()(Index aggregate) const {
    auto const row = static_cast<Offset>(aggregate) * width;
    length[aggregate] = static_cast<Index>(offsets[row + 1] - offsets[row]);
  }
};

/// The scalar pattern of blocks of width x width.
struct ExpandBody {
  BlockPattern blocks;
  Index block_rows;
  int width;
  Span<Offset> offsets;
  Span<Index> column;
  TESSERA_HD void operator()(Index row) const {
    auto const begin = blocks.offsets[row];
    auto const length = (blocks.offsets[row + 1] - begin) * width;
    auto const start = begin * width * width;
    for (int r = 0; r < width; ++r) {
      auto const at = start + r * length;
      offsets[static_cast<Offset>(row) * width + r] = at;
      for (Offset k = 0; k < length; ++k) {
        column[at + k] = blocks.block[begin + k / width] * width + static_cast<Index>(k % width);
      }
    }
    if (row + 1 == block_rows) offsets[static_cast<Offset>(row + 1) * width] = start + length * width;
  }
};

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

template <class Space>
BlockProduct<Space>::BlockProduct(Space const& space, sparse::CsrView<double> A, sparse::CsrView<double> P,
                                  sparse::CsrView<double> R, int width, sparse::Csr<double, Space>& partial)
    : width_(width),
      P_offsets_(space, static_cast<std::size_t>(P.rows) + 1),
      P_block_(space, P.column.size() / width),
      same_(space, P.rows) {
  core::fill(space, P_offsets_.span().part(0, 1), 0);
  core::for_each(space, P.rows, BlockRowsBody{P, width, P_offsets_.span(), P_block_.span(), same_.span()});
  Index const blocks = P.columns / width;
  auto AP = sparse::spgemm_symbolic<double>(
      space, A, {P.rows, blocks, P_offsets_.view(), P_block_.view(), {}}, sparse::SpgemmMethod::hash);
  AP_offsets_ = std::move(AP.offsets);
  AP_block_ = std::move(AP.column);
  AP.value = {};

  Index const aggregates = R.rows / width;
  Array<Offset, Space> R_offsets(space, static_cast<std::size_t>(aggregates) + 1);
  Array<Index, Space> length(space, aggregates);
  core::for_each(space, aggregates, FirstRowLengthBody{R.offsets, width, length.span()});
  Array<Index, Space> R_row(space, core::exclusive_scan(space, length.span(), R_offsets.span()));
  core::for_each(space, aggregates, FirstRowsBody{R, width, R_offsets.view(), R_row.span()});
  auto const C = sparse::spgemm_symbolic<double>(
      space, {aggregates, R.columns, R_offsets.view(), R_row.view(), {}},
      {A.rows, blocks, AP_offsets_.view(), AP_block_.view(), {}}, sparse::SpgemmMethod::hash);

  auto const entries = C.column.size() * width * width;
  partial = {R.rows, P.columns, Array<Offset, Space>(space, static_cast<std::size_t>(R.rows) + 1),
             Array<Index, Space>(space, entries), Array<double, Space>(space, entries)};
  core::fill(space, partial.offsets.span().part(0, 1), 0);
  core::for_each(space, aggregates,
                 ExpandBody{{C.offsets.view(), C.column.view()},
                            aggregates,
                            width,
                            partial.offsets.span(),
                            partial.column.span()});
}

template <class Space>
void BlockProduct<Space>::multiply(Space const& space, sparse::CsrView<double> A, Span<double const> P_values,
                                   sparse::Transposed<double, Space> const& R, Span<double const> own_values,
                                   sparse::Csr<double, Space>& partial) const {
  BlockPattern const P{P_offsets_.view(), P_block_.view()};
  BlockPattern const AP{AP_offsets_.view(), AP_block_.view()};
  Array<double, Space> AP_value(space, AP_block_.size() * width_);
  with_width(width_, [&](auto width) {
    core::for_each(
        space, A.rows,
        BlockTimesBody<decltype(width)::value>{A, P, same_.view(), P_values, AP, width_, AP_value.span()});
    core::for_each_heavy(space, partial.rows / width_,
                         BlockRestrictBody<decltype(width)::value>{
                             R.matrix.view(), R.source.view(), own_values, AP, AP_value.view(),
                             partial.view(), width_, partial.value.span()});
  });
}

}  // namespace Tessera::galerkin
