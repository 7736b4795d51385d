#pragma once
/// \file
/// Merges on the host; see row_merge.hpp.
#include <utility>

#include "sparse/engine/row_merge/chain_host.hpp"
#include "sparse/engine/row_merge/row_merge.hpp"

namespace Tessera::sparse {

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
    sum_slots<Right::fixed_width>(left, right, epilogue, plan, C, value);
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
