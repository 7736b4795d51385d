#pragma once
/// \file
/// The MPI communicator of a matrix: reductions, packed exchanges, collective error agreement, and recordings
/// of communication.
#include <mpi.h>

#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/graph.hpp"
#include "core/memory.hpp"
#include "core/types.hpp"

namespace Tessera::comm {

class CommunicationThread;
class Peers;
struct ErrorSync;

/// Bytes by rank: sent to each rank, or received from each.
using PackedBuffers = std::map<int, std::vector<char>>;

/// A segment of a buffer that is sent to, or received from, one rank.
struct Neighbour {
  int rank;
  Offset begin, end;
};

/// Order of an exchange and of the work that needs none of its messages (Kreutzer et al. 2012, section
/// III.A). All modes give bitwise the same results.
enum class Overlap {
  automatic,  ///< peer memory between GPUs that reach it, otherwise as naive
  none,       ///< MPI messages first, then the work
  naive,      ///< non-blocking MPI messages start; work; wait
  task        ///< as naive, and a second thread drives the messages during the work
};

/// A duplicate of an MPI communicator. Copies share it, and the last copy frees it (if MPI still runs). All
/// members from agree() on are collective, and start with agree().
class Communicator {
 public:
  /// MPI_COMM_SELF.
  Communicator();
  explicit Communicator(MPI_Comm comm);

  int rank() const;
  int size() const;
  MPI_Comm raw() const;
  /// Ranks whose GPU memory this rank's GPU writes; null before connect_peers (peers.hpp), and on the host.
  std::shared_ptr<Peers>& peers() const;
  /// State of the outermost agree_on_errors(); null outside of one.
  ErrorSync*& error_sync() const;
  /// Room for two numbers of each rank.
  std::vector<GlobalIndex>& numbers() const;

  Overlap overlap() const;
  /// Null except for Overlap::task on several ranks.
  CommunicationThread* communication_thread() const;

  /// Within agree_on_errors(): throws if a rank has failed; otherwise, and outside of agree_on_errors(),
  /// returns. A caller agrees before it waits for other ranks, and after the allocations for the wait. sum,
  /// max, min and any of one number agree by the same message.
  void agree() const;

  /// Sets the mode of all copies, the same on every rank, before any plan is built. thread_level: MPI's level
  /// on this rank (mpi_thread_level).
  /// \throws core::Unavailable on every rank if the mode is task and MPI forbids a second thread on one rank;
  /// std::runtime_error if a rank cannot start a thread
  void choose_overlap(Overlap overlap, int thread_level) const;

  /// Floating-point sums run in rank order, so that all ranks and all runs have the same sum.
  double sum(double value) const;
  double max(double value) const;
  GlobalIndex sum(GlobalIndex value) const;
  GlobalIndex max(GlobalIndex value) const;
  GlobalIndex min(GlobalIndex value) const;
  bool any(bool value) const;
  /// Element-wise, in place; the same length on every rank.
  void sum(std::vector<double>& values) const;
  /// Returns the value of rank r at [r].
  template <class T>
  std::vector<T> all_gather(T const& value) const {
    std::vector<T> values(size(), value);
    all_gather(value, values.data());
    return values;
  }
  /// The same into an array of size() values; does nothing on one rank.
  template <class T>
  void all_gather(T const& value, T* values) const {
    static_assert(std::is_trivially_copyable_v<T>);
    gather_bytes(&value, sizeof value, values);
  }
  /// Concatenates the values of all ranks in rank order.
  std::vector<double> all_gather(std::vector<double> const& values) const;

  /// Sends numbers[r] to rank r; returns the received numbers by sender.
  std::vector<GlobalIndex> all_to_all(std::vector<GlobalIndex> const& numbers) const;
  /// The same for numbers that work(numbers) sets, at least 0, and 0 before; valid until the next call.
  /// Agrees on errors of work by the same message, for ranks that have agreed before and have done nothing
  /// since that can fail.
  template <class Work>
  GlobalIndex const* all_to_all_of(Work const& work) const;

  /// Sends packed buffers to any few ranks; returns the received buffers by sender. A buffer to this rank is
  /// copied; an empty buffer may be missing from the result.
  PackedBuffers exchange(PackedBuffers const& outgoing) const;

 private:
  struct Handle;
  void gather_bytes(void const* mine, std::size_t bytes, void* all) const;

  std::shared_ptr<Handle> handle_;
};

/// MPI_Query_thread's level; MPI_THREAD_SINGLE if MPI does not run.
int mpi_thread_level();

namespace detail {
/// Allocates nothing, in contrast to std::function.
void agree_on_errors(Communicator const& comm, void (*call)(void const*), void const* work);

/// Reduction of one number of each rank.
enum class Reduction : std::int64_t { nothing, sum, max, min, max_of_doubles };
/// The reduced number, together with agree(). A double is given by its bits.
std::int64_t reduce_with_agreement(Communicator const& comm, Reduction how, std::int64_t number);
GlobalIndex const* all_to_all_with_agreement(Communicator const& comm,
                                             void (*call)(void const*, GlobalIndex*), void const* work);
}  // namespace detail

template <class Work>
GlobalIndex const* Communicator::all_to_all_of(Work const& work) const {
  return detail::all_to_all_with_agreement(
      *this, [](void const* it, GlobalIndex* to) { (*static_cast<Work const*>(it))(to); }, &work);
}

/// Collective error agreement: runs work, and if work throws on one rank, every rank throws. A failed rank
/// throws its own exception. Every other rank throws a copy of the lowest failed rank's exception, with its
/// text and its type: InvalidInput, NumericalError, Unavailable or OutOfMemory; any other type becomes
/// std::runtime_error.
///
/// work may communicate if all ranks communicate in the same order, through this communicator and objects
/// made with it, or after its agree(). A failed rank leaves work, and other ranks notice in their next wait
/// for it. Within another agree_on_errors() of the same communicator, this only runs work. Collective.
template <class Work>
void agree_on_errors(Communicator const& comm, Work const& work) {
  detail::agree_on_errors(
      comm, [](void const* it) { (*static_cast<Work const*>(it))(); }, &work);
}

/// The same, with `where` before the text of an exhausted memory, as in core::with_memory_context().
template <class Where, class Work>
void agree_on_errors(Communicator const& comm, Where const& where, Work const& work) {
  agree_on_errors(comm, [&] { core::with_memory_context(where, work); });
}

/// During its lifetime, communication does not agree on errors: no rank has failed since the last agreement,
/// and no rank can fail.
class NoErrorSync {
 public:
  explicit NoErrorSync(Communicator const& comm)
      : comm_(comm), before_(std::exchange(comm.error_sync(), nullptr)) {}
  NoErrorSync(NoErrorSync const&) = delete;
  NoErrorSync& operator=(NoErrorSync const&) = delete;
  ~NoErrorSync() { comm_.error_sync() = before_; }

 private:
  Communicator const& comm_;
  ErrorSync* before_;
};

/// Runs work in which no rank can fail, such as a cycle, after an agreement; ranks may take part in different
/// parts of it. Collective.
template <class Work>
void without_error_sync(Communicator const& comm, Work const& work) {
  comm.agree();
  NoErrorSync const scope(comm);
  work();
}

/// Records work that only enqueues (core/graph.hpp). All ranks record it or all throw, because a rank without
/// a recording would leave the exchanges of other ranks waiting. Collective.
template <class Space, class Work>
void capture(core::Graph<Space>& graph, Space const& space, Communicator const& comm, Work const& work) {
  agree_on_errors(comm, [&] {
    core::with_memory_context("recording of work for the GPU", [&] {
      NoErrorSync const scope(comm);
      graph.capture(space, work);
    });
    comm.agree();
  });
}

/// Non-blocking element-wise maximum of the values of all ranks, of equal length and not NaN. Collective;
/// starts with agree(). Between the constructor and get(), ranks may use the communicator in the same order
/// on all ranks.
class PendingMax {
 public:
  PendingMax(Communicator const& comm, std::vector<double> values) : values_(std::move(values)) {
    if (comm.size() == 1) return;
    comm.agree();
    MPI_Iallreduce(MPI_IN_PLACE, values_.data(), static_cast<int>(values_.size()), MPI_DOUBLE, MPI_MAX,
                   comm.raw(), &request_);
  }
  PendingMax(PendingMax const&) = delete;
  PendingMax& operator=(PendingMax const&) = delete;
  ~PendingMax() { wait(); }

  std::vector<double> const& get() {
    wait();
    return values_;
  }

 private:
  void wait() {
    if (request_ != MPI_REQUEST_NULL) MPI_Wait(&request_, MPI_STATUS_IGNORE);
  }

  std::vector<double> values_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// A non-blocking Communicator::any with error agreement. After start(), each rank calls get(). Collective.
class PendingAny {
 public:
  explicit PendingAny(Communicator const& comm) : comm_(comm) {}
  PendingAny(PendingAny const&) = delete;
  PendingAny& operator=(PendingAny const&) = delete;
  /// failure: the exception of this rank, or null.
  void start(bool value, std::exception_ptr failure);
  /// Whether the value is true on any rank. Throws on every rank if a rank has failed.
  bool get();

 private:
  Communicator comm_;
  std::exception_ptr failure_;
  int state_ = 0;  ///< 0: false, 1: true, 2: a rank has failed
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// Describes the transport of messages between the GPUs of these ranks; empty for one rank. Space: Cuda.
/// Collective.
template <class Space>
std::string transport_name(Space const& space, Communicator const& comm);

}  // namespace Tessera::comm
