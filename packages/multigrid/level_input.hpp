#pragma once
/// \file
/// What a level's setup begins with.
#include "comm/dist_csr.hpp"

namespace Tessera::multigrid {

/// A level's matrix and what setup knows about its unknowns.
template <class Space>
struct LevelInput {
  comm::DistCsr<double, Space> const* A = nullptr;
  Array<VertexId, Space> ids;        ///< of the owned nodes
  Array<double, Space> nullspace;    ///< owned rows x vectors, row-major
  Array<double, Space> coordinates;  ///< owned nodes x dimension; empty below the finest level
  int dimension = 0;
  int equations = 1;  ///< rows a node
  int vectors = 1;
  int level = 0;  ///< its number, for messages
};

}  // namespace Tessera::multigrid
