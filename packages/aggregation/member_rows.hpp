#pragma once
/// \file
/// Rows and vertex data of aggregates that have members on other ranks.
#include <algorithm>
#include <optional>
#include <vector>

#include "aggregation/aggregates.hpp"
#include "aggregation/ghosts.hpp"
#include "comm/ghost_columns_body.hpp"
#include "comm/ghost_rows.hpp"
#include "comm/packed_buffers.hpp"
#include "core/bisection.hpp"
#include "core/parallel.hpp"

namespace Tessera::aggregation {

/// Rows: owned vertices first, then some vertices of other ranks. Columns have their own numbering.
/// Aggregates: owned first, then ghosts; -1: any other.
struct MemberRowsView {
  Offset const* offsets;
  Index const* neighbour;
  float const* weight;
  Index const *of_row, *of_column;  ///< aggregates
  VertexId const *id_of_row, *id_of_column;
};

struct LocalNumberBody {
  GlobalIndex const* number;
  GlobalIndex begin, end;           ///< of this rank's aggregates
  Span<GlobalIndex const> foreign;  ///< ascending
  Index* local;
  TESSERA_HD void operator()(Index i) const {
    GlobalIndex const a = number[i];
    if (begin <= a && a < end) {
      local[i] = static_cast<Index>(a - begin);
      return;
    }
    auto const ghost = core::lower_bound(foreign, a);
    bool const known = ghost < foreign.size() && foreign[ghost] == a;
    local[i] = known ? static_cast<Index>(end - begin) + static_cast<Index>(ghost) : -1;
  }
};

template <class Space>
class MemberRows {
 public:
  /// others: vertices of other ranks whose rows to fetch, ascending. Collective.
  MemberRows(Space const& space, StrengthGraph<Space> const& graph, Span<GlobalIndex const> number,
             Span<VertexId const> ids, std::vector<GlobalIndex> others) {
    auto const& vertices = graph.halo.distribution();
    if (vertices.comm().size() == 1) {
      view_ = {graph.offsets.data(),
               graph.neighbour.data(),
               graph.weight.data(),
               nullptr,
               nullptr,
               ids.data(),
               ids.data()};
      number_of_row_ = number_of_column_ = number;
      return;
    }
    wanted_.emplace(space, vertices, std::move(others));
    comm::DistCsr<float, Space> A;
    A.rows = vertices;
    A.halo = graph.halo;
    A.local = {graph.nodes(), graph.nodes() + graph.halo.ghost_count(),
               Array<Offset, Space>::borrowed(space, graph.offsets.view()),
               Array<Index, Space>::borrowed(space, graph.neighbour.view()),
               Array<float, Space>::borrowed(space, graph.weight.view())};
    rows_ = comm::extend_rows(space, A, *wanted_);
    comm::HaloPlan<Space> const* const halos[] = {&*wanted_, &rows_.columns};
    for (int k = 0; k < 2; ++k) {
      auto const size = number.size() + halos[k]->ghost_count();
      numbers_[k] = Array<GlobalIndex, Space>(space, size);
      ids_[k] = Array<VertexId, Space>(space, size);
      core::copy(space, number, space, numbers_[k].span());
      core::copy(space, ids, space, ids_[k].span());
    }
    vertices.comm().agree();
    for (int k = 0; k < 2; ++k) {
      fetch_ghosts_agreed(space, *halos[k], numbers_[k]);
      fetch_ghosts_agreed(space, *halos[k], ids_[k]);
    }
    number_of_row_ = numbers_[0].view();
    number_of_column_ = numbers_[1].view();
    view_ = {rows_.local.offsets.data(),
             rows_.local.column.data(),
             rows_.local.value.data(),
             nullptr,
             nullptr,
             ids_[0].data(),
             ids_[1].data()};
  }

  /// Gives local numbers to the owned aggregates and to `foreign`.
  void number_aggregates(Space const& space, comm::Distribution const& coarse,
                         std::vector<GlobalIndex> const& foreign) {
    auto const ghosts = core::to_space(space, foreign);
    auto const local = [&](Span<GlobalIndex const> number, Array<Index, Space>& of) {
      of = Array<Index, Space>(space, number.size());
      core::for_each(space, number.size(),
                     LocalNumberBody{number.data(), coarse.begin(), coarse.end(), ghosts.view(), of.data()});
    };
    local(number_of_row_, locals_[0]);
    local(number_of_column_, locals_[1]);
    view_.of_row = locals_[0].data();
    view_.of_column = locals_[1].data();
  }

  MemberRowsView const& view() const { return view_; }
  std::size_t rows() const { return number_of_row_.size(); }
  std::size_t entries() const { return wanted_ ? rows_.local.column.size() : 0; }
  Span<GlobalIndex const> number_of_column() const { return number_of_column_; }
  /// Halo over the vertices whose ghosts are the rows of other ranks. Null on one rank.
  comm::HaloPlan<Space> const* others() const { return wanted_ ? &*wanted_ : nullptr; }

 private:
  std::optional<comm::HaloPlan<Space>> wanted_;
  comm::ExtendedRows<float, Space> rows_;
  Array<GlobalIndex, Space> numbers_[2];
  Array<VertexId, Space> ids_[2];
  Array<Index, Space> locals_[2];
  Span<GlobalIndex const> number_of_row_, number_of_column_;
  MemberRowsView view_;
};

}  // namespace Tessera::aggregation
