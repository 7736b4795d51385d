#pragma once
/// \file
/// Reductions over the rows of all ranks with a result on the space (core/reduce_into.hpp).
#include <vector>

#include "comm/distribution.hpp"
#include "comm/neighbour_exchange.hpp"
#include "comm/transport/peer_reduce.hpp"
#include "comm/transport/peers.hpp"
#include "core/parallel.hpp"
#include "core/pinned.hpp"
#include "core/reduce_into.hpp"

namespace Tessera::comm {

/// Combines the parts of all ranks in rank order, and calls finish, on the space. T{} is the identity of op.
template <class Finish, class Op, class T>
struct CombineAndFinish {
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

/// The ranks that a reduction over rows waits for: this one alone if at most one rank owns rows. Then only
/// that rank has the result.
inline Communicator ranks_with_rows(Distribution const& rows) {
  return rows.on_one_rank() ? Communicator() : rows.comm();
}

/// Sets a number on all ranks to that of the only rank with rows. Waits for the space; allocates nothing.
/// Collective.
template <class Space>
void share_from_owner(Space const& space, Distribution const& rows, double* number) {
  GlobalIndex bits = 0;
  static_assert(sizeof bits == sizeof *number);
  if (rows.local_size() > 0)
    core::copy(space, Span<double const>(number, 1), Host{},
               Span<double>(reinterpret_cast<double*>(&bits), 1));
  bits = rows.comm().sum(bits);
  core::copy(Host{}, Span<double const>(reinterpret_cast<double*>(&bits), 1), space, Span<double>(number, 1));
}

/// Reductions over all ranks, with bitwise the same result in each way. One rank has nothing to
/// combine. Peers combine within the launch of the reduction. Ranks whose messages need no host use an
/// exchange, which a graph can record. All other ranks use MPI.
template <class Space>
class GlobalReduction {
 public:
  GlobalReduction() = default;
  /// n: number of elements on this rank.
  GlobalReduction(Space const& space, Communicator const& comm, std::size_t n)
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
    exchange_.reserve(space, comm, to_, from_, sizeof(Largest));
  }

  /// Whether a reduction only enqueues work.
  bool enqueues_only() const { return comm_.size() == 1 || !links_.empty() || on_space_; }
  std::size_t bytes() const { return scratch_.bytes() + links_.bytes() + mine_.bytes() + all_.bytes(); }

  /// Calls finish(reduction over all ranks); allocates nothing. local(finish, scratch): core::reduce_into or
  /// sparse::row_reduce_into with these two arguments, op and T{}. Collective.
  template <class T, class Op, class Finish, class Local>
  void reduce(Op const& op, Finish const& finish, Local const& local) {
    static_assert(sizeof(T) <= sizeof(Largest));
    if (comm_.size() == 1) return local(finish, scratch_);
    bool const by_peers = !links_.empty();
    auto* const mine = reinterpret_cast<T*>(by_peers ? nullptr : on_space_ ? mine_.data() : staged());
    if (by_peers) comm_.agree();
    local(CombineOrStore<Finish, Op, T>{finish, op, links_.data(), comm_.rank(), comm_.size(), mine},
          scratch_);
    if (by_peers) return;
    if (on_space_) {
      exchange_.start(space_, comm_, to_, mine, from_, all_.data(), sizeof(T));
      exchange_.finish(space_);
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

  /// One for the process, because it is slow to allocate. Each sum is read before the next one is written.
  Largest* staged() const {
    static auto const& one =
        *new core::Pinned<Largest, Space>(space_);  // never destroyed, because CUDA may end first
    return one.get();
  }
  template <class T, class Op, class Finish>
  void join(Op const& op, Finish const& finish, T const* parts, int ranks) const {
    core::for_each(space_, 1, CombineAndFinish<Finish, Op, T>{finish, op, parts, ranks});
  }

  Space space_{};
  Communicator comm_;
  core::ReduceScratch<Space> scratch_;
  Array<PeerBuffers, Space> links_;  ///< by rank; empty unless all ranks are peers
  bool on_space_ = false;
  Array<Largest, Space> mine_, all_;
  std::vector<char> parts_;  ///< parts of all ranks, if they pass through the host
  std::vector<Neighbour> to_, from_;
  NeighbourExchange<Space> exchange_;
};

}  // namespace Tessera::comm
