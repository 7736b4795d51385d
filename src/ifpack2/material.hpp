#pragma once
/// \file
/// Materials of nodes, inverted.
#include <vector>

#include "comm/communicator.hpp"
#include "tpetra/types.hpp"

namespace Tessera::ifpack2 {

/// In place of each node's material its inverse. values: nodes x measures, row-major, all finite; measures 1,
/// or the square of a number of dimensions for tensors, whose halves below the diagonal are taken. nodes:
/// names of rows, for messages. Collective. \throws core::InvalidInput, on every rank, where a material is
/// not symmetric positive definite
void invert_materials(comm::Communicator const& comm, std::vector<double>& values, int measures,
                      tpetra::Map const& nodes);

}  // namespace Tessera::ifpack2
