#pragma once
/// \file
/// The ways that messages take, in words.
#include <string>

#include "comm/communicator.hpp"

namespace Tessera::comm {

/// How messages travel between the GPUs of these ranks; empty for one rank. Space: Cuda. Collective.
template <class Space>
std::string how_gpus_exchange(Space const& space, Communicator const& comm);

}  // namespace Tessera::comm
