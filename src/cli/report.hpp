#pragma once
/// \file
/// What the program says of its measurements: JSON, a table, files.
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/measure.hpp"

namespace Tessera::cli {

/// The keys of the problem and the machine.
nlohmann::ordered_json problem_json(LinearSystem const& system);
/// The keys of one list's measurement.
nlohmann::ordered_json measurement_json(Measurement const& measurement);

/// \throws core::InvalidInput if the file cannot be written
void write_json(std::string const& file, nlohmann::ordered_json const& json);
void write_history(std::string const& file, belos::SolveOutcome const& outcome);
/// So that a wrong path is said before the work and not after it; empty names are passed over. Collective.
/// \throws core::InvalidInput on every rank
void check_writable(Teuchos::Comm<int> const& comm, std::vector<std::string> const& files);

/// One line on problem and machine.
std::string headline(LinearSystem const& system, double tolerance);
/// The result of one list, for people.
std::string summary(Measurement const& measurement);
/// One line for each list, the ratio to the best of the others that converged in a column.
std::string comparison(std::vector<Measurement> const& measurements);

}  // namespace Tessera::cli
