#pragma once
/// \file
/// Lists on several ranks: a preconditioner that each rank understands otherwise waits for itself for ever.
#include <Teuchos_Comm.hpp>
#include <string>
#include <utility>
#include <vector>

namespace Tessera::parameters {

/// (what, value), in one order on every rank.
using Said = std::vector<std::pair<std::string, std::string>>;

/// Compares checksums of what the ranks say. Allocates nothing where all is well. Collective.
/// \throws core::InvalidInput, the same on every rank, naming one that differs from rank 0, and in what
void require_same_on_all_ranks(Teuchos::Comm<int> const& comm, Said const& mine);

}  // namespace Tessera::parameters
