#pragma once
/// \file
/// Lists of vertices on the host, in order and in place. See frontier.hpp.
#include <omp.h>

#include <array>
#include <vector>

#include "core/parallel.hpp"
#include "sparse/engine/frontier.hpp"

namespace Tessera::sparse {

template <int Count>
class VertexLists<Host, Count> {
 public:
  template <class Begin>
  VertexLists(Host const& space, GraphSize const& graph, VertexSubset const& subset, Begin const& begin) {
    auto const n = subset.most(graph);
    std::array<Index*, Count> to;
    for (int l = 0; l < Count; ++l) {
      list_[l] = Array<Index, Host>(space, n);
      to[l] = list_[l].data();
    }
    size_ = subset.all() ? partitioned([](std::size_t k) { return static_cast<Index>(k); }, n, to, begin)
                         : partitioned([list = subset.list](std::size_t k) { return list[k]; }, n, to, begin);
  }

  template <int List, class Body>
  void visit(Host const& space, Body const& body) {
    core::for_each(space, size_[List], Listed<Body>{list_[List].data(), body});
  }
  template <int List, class Body>
  void keep(Host const&, Body const& body) {
    Index* const list = list_[List].data();
    size_[List] =
        partitioned([=](std::size_t k) { return list[k]; }, size_[List], std::array<Index*, 1>{list},
                    [=](Index v) { return detail::call(body, core::SingleThread{}, v); })[0];
  }
  std::size_t size(int list) const { return size_[list]; }
  std::size_t most(int list) const { return size_[list]; }
  void announce() {}
  std::size_t announced() const { return size_[0]; }
  VertexSubset subset(int list) const { return list_[list].view().part(0, size_[list]); }

 private:
  template <class Body>
  struct Listed {
    Index const* list;
    Body body;
    void operator()(Index k) const { detail::call(body, core::SingleThread{}, list[k]); }
  };

  /// vertex_at(k) goes to the back of those lists that the bits of choose(v) say. Without a branch, since who
  /// stays is hard to predict. Each thread fills a stretch, then stretches move up to each other.
  template <class VertexAt, std::size_t Lists, class Choose>
  static std::array<std::size_t, Lists> partitioned(VertexAt const& vertex_at, std::size_t n,
                                                    std::array<Index*, Lists> const& to,
                                                    Choose const& choose) {
    auto const stretches = n < core::serial_below<Choose> ? 1 : omp_get_max_threads();
    auto const begin_of = [=](int t) { return n * static_cast<std::size_t>(t) / stretches; };
    std::vector<std::array<std::size_t, Lists>> ends(stretches);
#pragma omp parallel for schedule(static, 1) if (stretches > 1)
    for (int t = 0; t < stretches; ++t) {
      auto const at = vertex_at;
      auto const chosen = choose;
      auto const list = to;
      std::array<std::size_t, Lists> end;
      end.fill(begin_of(t));
      for (auto k = begin_of(t); k < begin_of(t + 1); ++k) {
        Index const v = at(k);
        auto const bits = static_cast<unsigned>(chosen(v));
        for (std::size_t l = 0; l < Lists; ++l) {
          list[l][end[l]] = v;
          end[l] += bits >> l & 1U;
        }
      }
      ends[t] = end;
    }
    auto total = ends[0];
    for (int t = 1; t < stretches; ++t) {
      for (std::size_t l = 0; l < Lists; ++l) {
        auto const count = ends[t][l] - begin_of(t);
        std::copy_n(to[l] + begin_of(t), count, to[l] + total[l]);
        total[l] += count;
      }
    }
    return total;
  }

  std::array<Array<Index, Host>, Count> list_;
  std::array<std::size_t, Count> size_;
};

template <>
struct Frontier<Host> {
  template <class Begin, class... Steps>
  static FrontierRun run(Host const& space, GraphSize const& graph, VertexSubset const& subset,
                         FrontierRanks const* ranks, Begin const& begin, Steps const&... steps) {
    return detail::run_step_by_step(space, graph, subset, ranks, begin, steps...);
  }
};

}  // namespace Tessera::sparse
