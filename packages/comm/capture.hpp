#pragma once
/// \file
/// Recordings of what ranks do together.
#include "comm/no_error_sync.hpp"
#include "core/graph.hpp"
#include "core/out_of_memory.hpp"

namespace Tessera::comm {

/// Records work, which only enqueues (core/graph.hpp), on all ranks or throws on all: where one had nothing
/// to launch, the others' exchanges would wait for it. Collective.
template <class Space, class Work>
void capture(core::Graph<Space>& graph, Space const& space, Communicator const& comm, Work const& work) {
  agree_on_errors(comm, [&] {
    core::name_out_of_memory([] { return "recording of work for the GPU"; },
                             [&] {
                               NoErrorSync const scope(comm);
                               graph.capture(space, work);
                             });
    comm.agree();
  });
}

}  // namespace Tessera::comm
