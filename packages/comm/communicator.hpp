#pragma once
/// \file
/// MPI, as much as Tessera needs of it.
#include <mpi.h>

#include <cstdint>
#include <map>
#include <memory>
#include <type_traits>
#include <vector>

#include "core/types.hpp"

namespace Tessera::comm {

class CommunicationThread;
class Peers;
struct Undertaking;

/// Bytes by rank: what goes to, or came from, each.
using PackedBuffers = std::map<int, std::vector<char>>;

/// How the messages of an exchange go with the work that needs none of them (Kreutzer et al. 2012, section
/// III.A). The results are the same to the bit.
enum class Overlap {
  automatic,  ///< between GPUs that reach each other's memory by that, else naive
  none,       ///< MPI's messages first, then the work
  naive,      ///< non-blocking messages of MPI begin, the work, the wait for them
  task        ///< as naive, but a thread drives them beside the work
};

/// A duplicate of an MPI communicator, shared by copies and freed with the last of them (if MPI still runs).
/// Every member from agree on is collective, and begins with it.
class Communicator {
 public:
  /// MPI_COMM_SELF.
  Communicator();
  explicit Communicator(MPI_Comm comm);

  int rank() const;
  int size() const;
  MPI_Comm raw() const;
  /// Ranks whose GPU memory this one's GPU writes; null before connect_peers (peers.hpp), and on the host.
  std::shared_ptr<Peers>& peers() const;
  /// What the ranks do agree_on_errors() now; null when nothing.
  Undertaking*& undertaking() const;

  Overlap overlap() const;
  /// Null but for Overlap::task on several ranks.
  CommunicationThread* communication_thread() const;

  /// In the course of agree_on_errors(): throws when a rank has failed, which comes here no more; see there.
  /// Comes before whatever waits for other ranks, behind the allocations for it. Else nothing. sum, max, min
  /// and any of one number agree by the same message.
  void agree() const;

  /// The same on every rank; of all copies, before plans are made. thread_level: of MPI on this rank
  /// (mpi_thread_level). \throws core::Unavailable on every rank where the overlap is task and MPI forbids
  /// one rank a second thread, std::runtime_error where one has no thread to be had
  void choose_overlap(Overlap overlap, int thread_level) const;

  /// Floating-point sums run in rank order, so that they are the same on every rank and in every run.
  double sum(double value) const;
  double max(double value) const;
  GlobalIndex sum(GlobalIndex value) const;
  GlobalIndex max(GlobalIndex value) const;
  GlobalIndex min(GlobalIndex value) const;
  bool any(bool value) const;
  /// Element-wise, in place; the same length on every rank.
  void sum(std::vector<double>& values) const;
  /// value of rank r at [r].
  template <class T>
  std::vector<T> all_gather(T const& value) const {
    std::vector<T> values(size(), value);
    all_gather(value, values.data());
    return values;
  }
  /// The same, where there is room for it; nothing where there is one rank.
  template <class T>
  void all_gather(T const& value, T* values) const {
    static_assert(std::is_trivially_copyable_v<T>);
    gather_bytes(&value, sizeof value, values);
  }
  /// Everybody's values, in rank order.
  std::vector<double> all_gather(std::vector<double> const& values) const;

  /// numbers[r] goes to rank r; returns what came, by sender.
  std::vector<GlobalIndex> all_to_all(std::vector<GlobalIndex> const& numbers) const;

  /// Sends packed buffers to few ranks, whichever they are; returns what came, by sender. Own ones are handed
  /// over; empty ones need not arrive.
  PackedBuffers exchange(PackedBuffers const& outgoing) const;

 private:
  struct Handle;
  void gather_bytes(void const* mine, std::size_t bytes, void* all) const;

  std::shared_ptr<Handle> handle_;
};

/// What MPI_Query_thread says; MPI_THREAD_SINGLE where MPI does not run.
int mpi_thread_level();

namespace detail {
/// Allocates nothing, as std::function would.
void agree_on_errors(Communicator const& comm, void (*call)(void const*), void const* work);

/// What is done to the numbers of all ranks.
enum class Join : std::int64_t { nothing, sum, max, min, max_of_doubles };
/// The ranks' numbers joined (a double by its bits), where comm has several ranks; with agree().
std::int64_t agreed(Communicator const& comm, Join how, std::int64_t number);
}  // namespace detail

/// Runs work; when it throws on one rank, every rank throws: one that failed its own exception, the others
/// what the lowest of those threw, with its text and of its kind (InvalidInput, NumericalError, Unavailable,
/// OutOfMemory; all else becomes std::runtime_error). Collective. work may communicate, as long as all ranks
/// do so in the same order, through this communicator and what is made with it (or behind its agree()): a
/// rank that fails leaves work, and the others learn of it where they would wait for it next. Within another
/// agree_on_errors() of the same communicator this is work() alone.
template <class Work>
void agree_on_errors(Communicator const& comm, Work const& work) {
  detail::agree_on_errors(
      comm, [](void const* it) { (*static_cast<Work const*>(it))(); }, &work);
}

}  // namespace Tessera::comm
