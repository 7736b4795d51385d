#pragma once
/// \file
/// The search for the fastest list.
#include "tpetra/types.hpp"
#include "tuning/candidates.hpp"

namespace Tessera::tuning {

/// Tries the candidates in their order, those that did not converge with all couplings too, then variations
/// of the fastest, parameter by parameter, and leaves trials and the best of them in the report. Once one has
/// converged, the others may take half as long again: their iterations are bounded by that, after a few that
/// tell how long one takes. Lists near the best take turns before it is varied, and at the end. All decisions
/// follow times that all ranks agree on. b and what else the options say is checked. Collective.
void search(Teuchos::RCP<tpetra::RowMatrix const> const& A, std::vector<Candidate> const& candidates,
            TuneOptions const& options, TuneReport& report);

}  // namespace Tessera::tuning
