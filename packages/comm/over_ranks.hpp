#pragma once
/// \file
/// Reductions over the rows of all ranks whose result stays on the space (core/reduce_into.hpp).
#include <vector>

#include "comm/traffic.hpp"
#include "comm/transport/peer_join.hpp"
#include "comm/transport/peers.hpp"
#include "core/parallel.hpp"
#include "core/pinned.hpp"
#include "core/reduce_into.hpp"

namespace Tessera::comm {

/// finish(what ranks have brought, joined in their order), on the space. T{} is op's identity.
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

/// Joins what each rank reduces: one rank has nothing to join; peers do it in the reduction's own launch;
/// other ranks whose messages need no host by an exchange, so that it can be recorded in a graph, too; others
/// through MPI. The same bits.
template <class Space>
class OverRanks {
 public:
  OverRanks() = default;
  /// n: elements of this rank.
  OverRanks(Space const& space, Communicator const& comm, std::size_t n)
      : space_(space), comm_(comm), scratch_(space, n, sizeof(Largest)) {
    if (comm.size() == 1) return;
    links_ = core::to_space(space, links_of_all(space, comm));
    if (!links_.empty()) return;
    on_space_ = ranks_reach_each_other(space, comm);
    if (!on_space_) {
      staged();
      parts_.resize(comm.size() * sizeof(Largest));
      return;
    }
    mine_ = Array<Largest, Space>(space, 1);
    all_ = Array<Largest, Space>(space, comm.size());
    for (int r = 0; r < comm.size(); ++r) {
      to_.push_back({r, 0, 1});
      from_.push_back({r, r, r + 1});
    }
    traffic_.reserve(space, comm, to_, from_, sizeof(Largest));
  }

  /// Whether nothing waits for the host.
  bool enqueues_only() const { return comm_.size() == 1 || !links_.empty() || on_space_; }
  std::size_t bytes() const { return scratch_.bytes() + links_.bytes() + mine_.bytes() + all_.bytes(); }

  /// finish(what ranks reduce); allocates nothing. local(finish, scratch): core::reduce_into or
  /// sparse::row_reduce_into with these two, op and T{}. Collective.
  template <class T, class Op, class Finish, class Local>
  void reduce(Op const& op, Finish const& finish, Local const& local) {
    static_assert(sizeof(T) <= sizeof(Largest));
    if (comm_.size() == 1) return local(finish, scratch_);
    bool const by_peers = !links_.empty();
    auto* const mine = reinterpret_cast<T*>(by_peers ? nullptr : on_space_ ? mine_.data() : staged());
    if (by_peers) comm_.agree();
    local(JoinOrStore<Finish, Op, T>{finish, op, links_.data(), comm_.rank(), comm_.size(), mine}, scratch_);
    if (by_peers) return;
    if (on_space_) {
      traffic_.start(space_, comm_, to_, mine, from_, all_.data(), sizeof(T));
      traffic_.finish(space_);
      return join(op, finish, reinterpret_cast<T const*>(all_.data()), comm_.size());
    }
    core::synchronize(space_);
    auto* const parts = reinterpret_cast<T*>(parts_.data());
    comm_.all_gather(*mine, parts);
    T total{};
    for (int r = 0; r < comm_.size(); ++r) total = op(total, parts[r]);
    *mine = total;
    join(op, finish, static_cast<T const*>(mine), 1);
  }

 private:
  struct Largest {
    double word[5];
  };

  /// Of the process, since making one takes long: what reads it has done so before the next sum is written.
  Largest* staged() const {
    static auto const& one =
        *new core::Pinned<Largest, Space>(space_);  // never destroyed, as CUDA may be gone
    return one.get();
  }
  template <class T, class Op, class Finish>
  void join(Op const& op, Finish const& finish, T const* parts, int ranks) const {
    core::for_each(space_, 1, FinishOfRanks<Finish, Op, T>{finish, op, parts, ranks});
  }

  Space space_{};
  Communicator comm_;
  core::ReduceScratch<Space> scratch_;
  Array<PeerBuffers, Space> links_;  ///< by rank; empty: not all are peers
  bool on_space_ = false;
  Array<Largest, Space> mine_, all_;
  std::vector<char> parts_;  ///< what all ranks brought, where that comes through the host
  std::vector<Neighbour> to_, from_;
  Traffic<Space> traffic_;
};

}  // namespace Tessera::comm
