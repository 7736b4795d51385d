#pragma once
/// \file
/// MPI, as much as Tessera needs of it.
#include <mpi.h>

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "core/types.hpp"

namespace Tessera::comm {

class Peers;

/// Bytes by rank: what goes to, or came from, each.
using Letters = std::map<int, std::vector<char>>;

/// A duplicate of an MPI communicator, shared by copies and freed with the last of them (if MPI still runs).
/// Every member but rank, size, raw and peers is collective.
class Communicator {
 public:
  /// MPI_COMM_SELF.
  Communicator();
  explicit Communicator(MPI_Comm comm);

  int rank() const;
  int size() const;
  MPI_Comm raw() const;
  /// Ranks whose GPU memory this one's GPU writes; null before meet_peers (peers.hpp), and on the host.
  std::shared_ptr<Peers>& peers() const;

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
  std::vector<GlobalIndex> all_gather(GlobalIndex value) const;
  /// Everybody's values, in rank order.
  std::vector<double> all_gather(std::vector<double> const& values) const;

  /// Sends letters to few ranks, whichever they are; returns what came, by sender. Own letters are handed
  /// over; empty ones need not arrive.
  Letters exchange(Letters const& outgoing) const;

 private:
  struct Handle;
  std::shared_ptr<Handle> handle_;
};

/// Runs work on this rank; when it throws anywhere, every rank throws: a rank that failed its own exception,
/// the others what the lowest of those threw, with its text and of its kind (InvalidInput, NumericalError,
/// Unavailable, OutOfMemory; all else becomes std::runtime_error). work must not communicate.
void together(Communicator const& comm, std::function<void()> const& work);

}  // namespace Tessera::comm
