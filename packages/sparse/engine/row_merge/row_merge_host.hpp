#pragma once
/// \file
/// Merges on the host; see row_merge.hpp.
#include <utility>

#include "sparse/engine/row_merge/blocks_host.hpp"
#include "sparse/engine/row_merge/product_plan.hpp"
#include "sparse/engine/row_merge/product_plan_host.hpp"
#include "sparse/engine/row_merge/row_merge.hpp"
#include "sparse/engine/row_merge/rows_host.hpp"

namespace Tessera::sparse {

/// The rows of R; a block of columns of P is one row.
template <int Width>
auto restriction_rows(CsrView<double> R, int width) {
  if constexpr (Width == 1) {
    return CsrFactors{R};
  } else {
    return BlockRowFactors{R, width};
  }
}

/// Not `found` if a row of A B or of C has more blocks than a byte can number, or for 2^31 products. \throws
/// core::OutOfMemory
template <int Width>
ChainPlan<Host> chain_plan(Host const& space, ChainOperands<Host> const& of, PackedRows const& AB,
                           CsrView<double> C) {
  int const w = of.blocks.width;
  auto const n = static_cast<std::size_t>(of.A.rows);
  ChainPlan<Host> plan;
  plan.outer = plan_of(space, restriction_rows<Width>(of.R.matrix.view(), w), AB, CsrSources<Width>{C, w});
  if (!plan.outer.found) return {};
  plan.inner = plan_of(space, CsrFactors{of.A}, CsrSources<Width>{of.B, w}, AB);
  if (!plan.inner.found) return {};
  plan.offsets = Array<Offset, Host>(space, n + 1);
  core::for_each(space, n, [&](Index i) { plan.offsets[i] = Offset{AB.row(i).count} * w; });
  plan.entries = core::exclusive_scan(space, plan.offsets.span().part(0, n), plan.offsets.span());
  plan.found = true;
  return plan;
}

template <int Width>
Csr<double, Host> host_chain(Host const& space, ChainOperands<Host> const& of, ChainPlan<Host>* keep) {
  int const w = of.blocks.width;
  auto const R = restriction_rows<Width>(of.R.matrix.view(), w);
  PackedRows AB(of.A.rows, of.B.columns, w);
  Csr<double, Host> result;
  {
    PackedRows C(of.R.matrix.rows, of.B.columns);
    if constexpr (Width == 1) {
      merge_rows(CsrFactors{of.A}, CsrSources<1>{of.B}, PlainSums{}, false, AB);
      merge_rows(R, AB, PlainSums{}, true, C);
    } else {
      merge_block_rows<Width>(CsrFactors{of.A}, CsrSources<Width>{of.B, w}, PlainSums{}, 1, w, false, AB);
      merge_block_rows<Width>(R, AB, PlainSums{}, w, w, true, C);
    }
    if (keep == nullptr) {
      AB.rows = {};
      AB.chunks.clear();
    }
    result = to_csr(space, C);
  }
  if (keep != nullptr) *keep = chain_plan<Width>(space, of, AB, result.view());
  return result;
}

template <>
struct RowMerge<Host> {
  template <class Left, class Right, class Epilogue>
  static Csr<double, Host> run(Host const& space, Left const& left, Right const& right,
                               Epilogue const& epilogue, int rows) {
    PackedRows C(left.rows(), right.columns());
    if constexpr (Right::fixed_width == 1) {
      merge_rows(left, right, epilogue, true, C);
    } else {
      merge_block_rows<Right::fixed_width>(left, right, epilogue, rows, right.width(), true, C);
    }
    return to_csr(space, C);
  }

  template <class Left, class Right, class Epilogue>
  static ProductPlan<Host> plan(Host const& space, Left const& left, Right const& right, Epilogue const&,
                                int /*rows*/, CsrView<double> C) {
    return plan_of(space, left, right, CsrSources<Right::fixed_width>{C, right.width()});
  }

  template <class Left, class Right, class Epilogue>
  static void refresh(Host const&, Left const& left, Right const& right, Epilogue const& epilogue,
                      ProductPlan<Host> const& plan, CsrView<double> C, double* value) {
    sum_by_scatter<Right::fixed_width>(left, right, epilogue, plan, C, value);
  }

  template <int Width>
  static auto rows_of(CsrView<double> R, int width) {
    return restriction_rows<Width>(R, width);
  }
  template <int Width>
  static Csr<double, Host> chain(Host const& space, ChainOperands<Host> const& operands,
                                 ChainPlan<Host>* plan) {
    return host_chain<Width>(space, operands, plan);
  }
};

}  // namespace Tessera::sparse
