#pragma once
/// \file
/// See row_exchange.hpp.
#include "comm/row_exchange.hpp"
#include "core/parallel.hpp"

namespace Tessera::comm {

/// What of one, then of the other.
struct BordersBody {
  Span<Index const> row;
  Index ones;
  Span<Offset const> one, other;
  Span<Offset> border;
  TESSERA_HD void operator()(Index i) const { border[i] = i < ones ? one[row[i]] : other[row[i]]; }
};

template <class Space>
void RowExchange<Space>::lay_out(Space const& space, RowStretches const& given,
                                 RowStretches const& arriving) {
  std::vector<Index> row;
  auto const list = [&](RowStretches const& some) {
    if (!some.rows.empty()) row.push_back(0);
    for (auto const& stretch : some.rows) row.push_back(static_cast<Index>(stretch.end));
  };
  list(given);
  auto const ones = static_cast<Index>(row.size());
  list(arriving);
  auto const on_space = core::to_space(space, row);
  Array<Offset, Space> found(space, row.size());
  core::for_each(space, row.size(),
                 BordersBody{on_space.view(), ones, given.first, arriving.first, found.span()});
  auto const border = core::to_vector(space, found.view());
  auto const entries = [](RowStretches const& some, Offset const* at) {
    std::vector<Neighbour> stretches;
    for (std::size_t k = 0; k < some.rows.size(); ++k)
      stretches.push_back({some.rows[k].rank, at[k] - at[0], at[k + 1] - at[0]});
    return stretches;
  };
  first_given_ = given.rows.empty() ? 0 : border[0];
  lay_out(entries(given, border.data()), entries(arriving, border.data() + ones));
}

}  // namespace Tessera::comm
