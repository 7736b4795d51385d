#pragma once
/// \file
/// Work that cannot fail, in the course of agree_on_errors().
#include <utility>

#include "comm/communicator.hpp"

namespace Tessera::comm {

/// Runs work in which no rank fails, such as a cycle: communication in it agrees on nothing, so ranks need
/// not all take part in all of it. Collective.
template <class Work>
void without_agreement(Communicator const& comm, Work const& work) {
  comm.agree();
  struct Restored {
    Undertaking*& now;
    Undertaking* before;
    ~Restored() { now = before; }
  };
  Restored const restored{comm.undertaking(), std::exchange(comm.undertaking(), nullptr)};
  work();
}

}  // namespace Tessera::comm
