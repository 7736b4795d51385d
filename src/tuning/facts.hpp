#pragma once
/// \file
/// What the entries of a matrix tell about which preconditioner may suit it.
#include "tpetra/types.hpp"
#include "tuning/Tessera_Tune.hpp"

namespace Tessera::tuning {

/// One pass over the entries. What was given besides is for the caller to say. Collective.
TuneFacts look_at(tpetra::RowMatrix const& A, int equations);

}  // namespace Tessera::tuning
