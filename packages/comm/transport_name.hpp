#pragma once
/// \file
/// Name of the transport between the GPUs of ranks.
#include <string>

#include "comm/communicator.hpp"

namespace Tessera::comm {

/// The transport of messages between the GPUs of these ranks, in words; empty for one rank. Space: Cuda.
/// Collective.
template <class Space>
std::string transport_name(Space const& space, Communicator const& comm);

}  // namespace Tessera::comm
