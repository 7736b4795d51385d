#pragma once
/// \file
/// Work that cannot fail, in the course of agree_on_errors().
#include <utility>

#include "comm/communicator.hpp"

namespace Tessera::comm {

/// While it lives, communication agrees on nothing: no rank has failed since the last agreement, and none
/// does.
class NoErrorSync {
 public:
  explicit NoErrorSync(Communicator const& comm)
      : comm_(comm), before_(std::exchange(comm.undertaking(), nullptr)) {}
  NoErrorSync(NoErrorSync const&) = delete;
  NoErrorSync& operator=(NoErrorSync const&) = delete;
  ~NoErrorSync() { comm_.undertaking() = before_; }

 private:
  Communicator const& comm_;
  Undertaking* before_;
};

/// Runs work in which no rank fails, such as a cycle, behind an agreement; ranks need not all take part in
/// all of it. Collective.
template <class Work>
void no_error_sync(Communicator const& comm, Work const& work) {
  comm.agree();
  NoErrorSync const scope(comm);
  work();
}

}  // namespace Tessera::comm
