#pragma once
/// \file
/// Lists of vertices on the host.
#include <omp.h>

#include <algorithm>
#include <vector>

#include "core/array.hpp"
#include "core/parallel.hpp"

namespace Tessera::aggregation {

/// See vertex_list.hpp; in one pass, in place, and without a branch: nobody foresees who stays. Each thread
/// keeps a stretch, then stretches move together.
template <class Visit, class Predicate>
std::size_t visit_and_keep(Host const&, std::size_t size, Visit const& visit, Predicate const& predicate,
                           Array<Index, Host>& list, Array<Index, Host>&, Array<Index, Host>&) {
  auto const stretches = size < core::serial_below ? 1 : omp_get_max_threads();
  auto const begin_of = [&](int t) { return size * static_cast<std::size_t>(t) / stretches; };
  std::vector<std::size_t> kept(stretches);
#pragma omp parallel for schedule(static, 1) if (stretches > 1)
  for (int t = 0; t < stretches; ++t) {
    auto const go = visit;
    auto const stays = predicate;
    Index* const entry = list.data();
    auto const end = begin_of(t + 1);
    auto to = begin_of(t);
    for (auto k = to; k < end; ++k) {
      Index const v = entry[k];
      go(static_cast<Index>(k));
      entry[to] = v;
      to += stays(v) ? 1 : 0;
    }
    kept[t] = to - begin_of(t);
  }
  auto total = kept[0];
  for (int t = 1; t < stretches; ++t) {
    std::copy_n(list.data() + begin_of(t), kept[t], list.data() + total);
    total += kept[t];
  }
  return total;
}

}  // namespace Tessera::aggregation
