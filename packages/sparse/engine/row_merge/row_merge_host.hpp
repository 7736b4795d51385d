#pragma once
/// \file
/// Merges on the host; see row_merge.hpp.
#include <utility>

#include "sparse/engine/row_merge/chain_host.hpp"
#include "sparse/engine/row_merge/row_merge.hpp"
#include "sparse/engine/row_merge/with_width.hpp"

namespace Tessera::sparse {

template <>
struct RowMerge<Host> {
  template <class Left, class Right, class Epilogue>
  static Csr<double, Host> run(Host const& space, Left const& left, Right const& right,
                               Epilogue const& epilogue, MergeShape const& shape) {
    PackedRows C(left.rows(), right.columns());
    if (shape.in_blocks()) {
      merge_block_rows<Right::fixed_width>(left, right, epilogue, shape.rows, shape.width, true, C);
    } else {
      merge_rows(left, right, epilogue, true, C);
    }
    return to_csr(space, C);
  }

  template <class Left, class Right, class Epilogue>
  static ProductPlan<Host> plan(Host const& space, Left const& left, Right const& right, Epilogue const&,
                                MergeShape const& shape, CsrView<double> C) {
    return plan_of(space, left, right, CsrSources<Right::fixed_width>{C, shape.width});
  }

  template <class Left, class Right, class Epilogue>
  static void refresh(Host const&, Left const& left, Right const& right, Epilogue const& epilogue,
                      ProductPlan<Host> const& plan, CsrView<double> C, double* value) {
    sum_slots<Right::fixed_width>(left, right, epilogue, plan, C, value);
  }

  static Csr<double, Host> chain(Host const& space, ChainOperands<Host> const& operands,
                                 ChainPlan<Host>* plan) {
    return with_width(operands.blocks.width,
                      [&](auto width) { return host_chain<decltype(width)::value>(space, operands, plan); });
  }
  static void refresh_chain(Host const& space, ChainOperands<Host> const& operands,
                            ChainPlan<Host> const& plan, Csr<double, Host>& C) {
    with_width(operands.blocks.width,
               [&](auto width) { refresh_host_chain<decltype(width)::value>(space, operands, plan, C); });
  }
};

}  // namespace Tessera::sparse
