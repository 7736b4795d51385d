#pragma once
/// \file
/// A few numbers of every rank on every rank, without the host.
#include <vector>

#include "comm/traffic.hpp"
#include "core/array.hpp"
#include "core/parallel.hpp"
#include "core/reduce_into.hpp"

namespace Tessera::comm {

/// Whether every rank can write into the memory of every other's space, and that can be recorded in a graph;
/// the same on all.
inline bool ranks_reach_each_other(Host const&, Communicator const&) {
  return false;
}
bool ranks_reach_each_other(Cuda const& space, Communicator const& comm);

/// One T of every rank, in the order of ranks, in the memory of the space. For ranks that reach each other.
template <class Space>
class GatherOnSpace {
 public:
  GatherOnSpace() = default;
  /// `largest`: of the sizes of T.
  GatherOnSpace(Space const& space, Communicator const& comm, std::size_t largest)
      : comm_(comm), mine_(space, largest), all_(space, largest * comm.size()) {
    for (int r = 0; r < comm.size(); ++r) {
      to_.push_back({r, 0, 1});
      from_.push_back({r, r, r + 1});
    }
  }

  /// Where this rank's T is left before it is gathered.
  template <class T>
  T* mine() {
    return reinterpret_cast<T*>(mine_.data());
  }
  /// Enqueues; returns where all will be.
  template <class T>
  T const* gather(Space const& space) {
    traffic_.start(space, comm_, to_, mine_.data(), from_, all_.data(), sizeof(T));
    traffic_.finish(space);
    return reinterpret_cast<T const*>(all_.data());
  }

 private:
  Communicator comm_;
  Array<char, Space> mine_, all_;
  std::vector<Neighbour> to_, from_;
  Traffic<Space> traffic_;
};

/// finish(what all ranks have brought, joined in their order), on the space.
template <class Finish, class Op, class T>
struct FinishOfRanks {
  Finish finish;
  Op op;
  T const* parts;
  int ranks;
  TESSERA_HD void operator()(Index) const {
    T total{};
    for (int r = 0; r < ranks; ++r) total = op(total, parts[r]);
    finish(total);
  }
};

/// core::reduce_into over all ranks, which reach each other. T{} is op's identity.
template <class Space, class Before, class Body, class Op, class T, class Finish>
void reduce_into_over_ranks(Space const& space, Communicator const& comm, std::size_t n, Before const& before,
                            Body const& body, Op const& op, T identity, Finish const& finish,
                            core::ReduceScratch<Space>& scratch, GatherOnSpace<Space>& gather) {
  core::StoreResult<T> const store{gather.template mine<T>()};
  core::reduce_into(space, n, before, body, op, identity, store, scratch);
  auto const* const all = gather.template gather<T>(space);
  core::for_each(space, 1, FinishOfRanks<Finish, Op, T>{finish, op, all, comm.size()});
}

}  // namespace Tessera::comm
