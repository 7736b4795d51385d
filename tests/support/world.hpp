#pragma once
/// \file
/// All ranks.
#include <mpi.h>

#include "comm/communicator.hpp"

namespace Tessera::test {

inline comm::Communicator world() {
  return comm::Communicator(MPI_COMM_WORLD);
}

}  // namespace Tessera::test
