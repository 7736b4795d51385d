#include "gallery/mesh.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <map>
#include <utility>

#include "core/error.hpp"
#include "core/hash.hpp"

namespace Tessera::gallery {

namespace {

/// The midpoints of edges, numbered as they are first asked for: a hash table with linear probing.
class Midpoints {
 public:
  Midpoints(Mesh const& coarse, Mesh& fine) : coarse_(coarse), fine_(fine) {
    // No conforming mesh has more edges than this: three a triangle, six a tetrahedron.
    auto const bound = coarse.elements.size() / (coarse.dimensions + 1) * (coarse.dimensions == 2 ? 3 : 6);
    std::size_t size = 64;
    while (size < bound + bound / 2) size *= 2;
    keys_.assign(size, empty);
    numbers_.resize(size);
  }

  Index operator()(Index a, Index b) {
    if (b < a) std::swap(a, b);
    auto const key = static_cast<std::int64_t>(a) << 32 | b;
    auto slot = core::mix64(static_cast<std::uint64_t>(key)) & (keys_.size() - 1);
    while (keys_[slot] != key && keys_[slot] != empty) slot = (slot + 1) & (keys_.size() - 1);
    if (keys_[slot] == empty) {
      keys_[slot] = key;
      numbers_[slot] = add(a, b);
    }
    return numbers_[slot];
  }

 private:
  static std::int64_t constexpr empty = -1;

  Index add(Index a, Index b) {
    auto const number = fine_.vertices();
    TESSERA_VALIDATE(number < std::numeric_limits<Index>::max(),
                     "the refined mesh has 2^31 vertices or more: refine less often");
    auto const d = static_cast<std::size_t>(coarse_.dimensions);
    for (std::size_t k = 0; k < d; ++k)
      fine_.at.push_back((coarse_.at[a * d + k] + coarse_.at[b * d + k]) / 2);
    return static_cast<Index>(number);
  }

  Mesh const& coarse_;
  Mesh& fine_;
  std::vector<std::int64_t> keys_;
  std::vector<Index> numbers_;
};

void append(std::vector<Index>& target, std::initializer_list<Index> vertices) {
  target.insert(target.end(), vertices);
}

void refine_edge(Index const* v, Midpoints& middle, std::vector<Index>& target) {
  auto const m = middle(v[0], v[1]);
  append(target, {v[0], m, m, v[1]});
}

void refine_triangle(Index const* v, Midpoints& middle, std::vector<Index>& target) {
  auto const m01 = middle(v[0], v[1]), m02 = middle(v[0], v[2]), m12 = middle(v[1], v[2]);
  append(target, {v[0], m01, m02, m01, v[1], m12, m02, m12, v[2], m01, m12, m02});
}

void refine_tetrahedron(Index const* v, Midpoints& middle, std::vector<Index>& target) {
  auto const m01 = middle(v[0], v[1]), m02 = middle(v[0], v[2]), m03 = middle(v[0], v[3]);
  auto const m12 = middle(v[1], v[2]), m13 = middle(v[1], v[3]), m23 = middle(v[2], v[3]);
  append(target, {v[0], m01, m02, m03, m01, v[1], m12, m13, m02, m12, v[2], m23, m03, m13, m23, v[3],
                  m01,  m02, m03, m13, m01, m02,  m12, m13, m02, m03, m13,  m23, m02, m12, m13, m23});
}

}  // namespace

void find_boundary(Mesh& mesh) {
  int const corners = mesh.dimensions + 1;
  std::map<std::vector<Index>, int> count;
  auto const each_facet = [&](auto const& work) {
    for (std::size_t e = 0; e < mesh.elements.size(); e += corners) {
      for (int without = 0; without < corners; ++without) {
        std::vector<Index> facet;
        for (int c = 0; c < corners; ++c) {
          if (c != without) facet.push_back(mesh.elements[e + c]);
        }
        std::sort(facet.begin(), facet.end());
        work(facet);
      }
    }
  };
  each_facet([&](auto const& facet) { ++count[facet]; });
  mesh.facets.clear();
  each_facet([&](auto const& facet) {
    if (count[facet] == 1) mesh.facets.insert(mesh.facets.end(), facet.begin(), facet.end());
  });
}

Mesh refined(Mesh const& mesh) {
  auto const d = static_cast<std::size_t>(mesh.dimensions);
  Mesh fine;
  fine.dimensions = mesh.dimensions;
  fine.at = mesh.at;
  fine.elements.reserve(mesh.elements.size() << d);
  fine.facets.reserve(mesh.facets.size() << (d - 1));
  Midpoints middle(mesh, fine);
  for (std::size_t e = 0; e < mesh.elements.size(); e += d + 1) {
    (d == 2 ? refine_triangle : refine_tetrahedron)(&mesh.elements[e], middle, fine.elements);
  }
  for (std::size_t f = 0; f < mesh.facets.size(); f += d) {
    (d == 2 ? refine_edge : refine_triangle)(&mesh.facets[f], middle, fine.facets);
  }
  return fine;
}

std::vector<bool> on_boundary(Mesh const& mesh) {
  std::vector<bool> result(mesh.vertices(), false);
  for (auto const vertex : mesh.facets) result[vertex] = true;
  return result;
}

}  // namespace Tessera::gallery
