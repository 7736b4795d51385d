#pragma once
/// \file
/// Threads that work on one row together.
#include "core/group_cuda.cuh"

namespace Tessera::sparse {
using core::ThreadGroup;
}
