#pragma once
/// \file
/// Whether memory that somebody else has allocated lies where a space works.
#include <string>

#include "core/space.hpp"

namespace Tessera::core {

/// Where memory lies instead of in the space's, such as "in the memory of the host"; empty where it lies
/// there. Null is nowhere and fits. Page-locked memory of the host is the host's: a GPU would read it over
/// the bus. Managed memory fits everywhere.
std::string memory_space_mismatch(Host const& space, void const* memory);
std::string memory_space_mismatch(Cuda const& space, void const* memory);

/// The number of the GPU whose memory it is, as cudaMalloc gives it; -1 for all other memory.
int device_of(void const* memory);

}  // namespace Tessera::core
