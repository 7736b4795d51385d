#pragma once
/// \file
/// The check that all ranks have the same parameters. Different parameters would lead to a deadlock.
#include <Teuchos_Comm.hpp>
#include <string>
#include <utility>
#include <vector>

namespace Tessera::parameters {

/// (name, value), in the same order on every rank.
using NamedSettings = std::vector<std::pair<std::string, std::string>>;

/// Compares checksums of the ranks' settings. Allocates nothing if they agree. Collective.
/// \throws core::InvalidInput, the same on every rank, naming a rank that differs from rank 0, and the
/// setting
void require_same_on_all_ranks(Teuchos::Comm<int> const& comm, NamedSettings const& mine);

}  // namespace Tessera::parameters
