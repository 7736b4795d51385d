#pragma once
/// \file
/// Recordings of work in which ranks communicate.
#include "comm/communicator.hpp"
#include "core/graph.hpp"
#include "core/memory.hpp"

namespace Tessera::comm {

/// Records work that only enqueues (core/graph.hpp). All ranks record it or all throw, because a rank without
/// a recording would leave the exchanges of other ranks waiting. Collective.
template <class Space, class Work>
void capture(core::Graph<Space>& graph, Space const& space, Communicator const& comm, Work const& work) {
  agree_on_errors(comm, [&] {
    core::with_memory_context([] { return "recording of work for the GPU"; },
                             [&] {
                               NoErrorSync const scope(comm);
                               graph.capture(space, work);
                             });
    comm.agree();
  });
}

}  // namespace Tessera::comm
