#pragma once
/// \file
/// The inside of a Workspace.
#include <array>
#include <cstdint>

#include "comm/over_ranks.hpp"
#include "core/graph.hpp"
#include "krylov/scalars.hpp"

namespace Tessera::krylov {

/// What a recorded iteration refers to; another key, another recording.
using GraphKey = std::array<std::uintptr_t, 13>;

/// What up to eight columns iterate with, side by side (block_steps.hpp).
template <class Space>
struct BlockMemory {
  static constexpr int most = 8;
  struct Records {
    HostRecords of[most];
  };
  std::size_t rows = 0;
  int columns = 0;
  Array<double, Space> r, z, w, p, s, x;
  Array<Scalars, Space> scalars;
  core::Pinned<Records, Space> records;
  core::ReduceScratch<Space> scratch;
  core::Graph<Space> graph;
  GraphKey key{};

  void reserve(Space const& space, std::size_t n, int wanted) {
    if (rows == n && columns >= wanted) return;
    graph.clear();
    auto const size = n * static_cast<std::size_t>(wanted);
    for (auto* v : {&r, &z, &w, &p, &s, &x}) *v = Array<double, Space>(space, size);
    if (columns == 0) {
      scalars = Array<Scalars, Space>(space, most);
      records = core::Pinned<Records, Space>(space);
    }
    scratch = core::ReduceScratch<Space>(space, n, sizeof(double) * 3 * wanted);
    rows = n;
    columns = wanted;
  }
  std::size_t bytes() const { return 6 * r.bytes() + scalars.bytes() + scratch.bytes(); }
};

template <class Space>
struct Workspace<Space>::State {
  std::size_t rows = 0;
  bool made = false;
  bool busy = false;  ///< a solve is under way, or was when it threw
  Array<double, Space> r, z, w, p, s;
  Array<double, Space> rest, correction;  ///< of refinement, where that was tried
  Array<Scalars, Space> scalars;
  core::Pinned<HostRecords, Space> records;
  comm::Communicator ranks;
  comm::OverRanks<Space> over_ranks;
  core::Graph<Space> graph;
  GraphKey key{};
  BlockMemory<Space> block;

  /// Whatever a solve of n rows on these ranks needs. z: whether there is a preconditioner.
  void reserve(Space const& space, comm::Communicator const& of, std::size_t n, bool with_z) {
    if (!made || rows != n || ranks.raw() != of.raw()) {
      graph.clear();
      over_ranks = comm::OverRanks<Space>(space, of, n);
      ranks = of;
    }
    if (!made || rows != n) {
      graph.clear();
      for (auto* v : {&r, &w, &p, &s}) *v = Array<double, Space>(space, n);
      for (auto* v : {&z, &rest, &correction}) *v = {};
      if (!made) {
        scalars = Array<Scalars, Space>(space, 1);
        records = core::Pinned<HostRecords, Space>(space);
      }
      rows = n;
      made = true;
    }
    if (with_z && z.empty() && n > 0) {
      graph.clear();
      z = Array<double, Space>(space, n);
    }
  }

  void reserve_refinement(Space const& space) {
    for (auto* v : {&rest, &correction})
      if (v->empty() && rows > 0) *v = Array<double, Space>(space, rows);
  }

  std::size_t bytes() const {
    return rest.bytes() + correction.bytes() + r.bytes() + z.bytes() + w.bytes() + p.bytes() + s.bytes() +
           scalars.bytes() + over_ranks.bytes() + block.bytes();
  }
};

template <class Space>
Workspace<Space>::Workspace() : state_(std::make_unique<State>()) {}
template <class Space>
Workspace<Space>::Workspace(Workspace&&) noexcept = default;
template <class Space>
Workspace<Space>& Workspace<Space>::operator=(Workspace&&) noexcept = default;
template <class Space>
Workspace<Space>::~Workspace() = default;
template <class Space>
std::size_t Workspace<Space>::bytes() const {
  return state_->bytes();
}

}  // namespace Tessera::krylov
