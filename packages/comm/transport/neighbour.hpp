#pragma once
/// \file
#include "comm/communicator.hpp"

namespace Tessera::comm {

/// A stretch of a buffer that goes to, or comes from, one rank.
struct Neighbour {
  int rank;
  Offset begin, end;
};

}  // namespace Tessera::comm
