#pragma once
/// \file
/// What the program says of its measurements: JSON, a table, text.
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/measure.hpp"

namespace Tessera::cli {

/// The keys of the problem and the machine.
nlohmann::ordered_json problem_json(LinearSystem const& system);
/// The keys of one list's measurement; figures of a list that failed are null.
nlohmann::ordered_json measurement_json(Measurement const& measurement);

/// What goes into the file of --json.
std::string json_text(nlohmann::ordered_json const& json);
/// What goes into the file of --history: comma-separated values.
std::string history_text(Measurement const& measurement);

/// One line on problem and machine.
std::string headline(LinearSystem const& system, double tolerance);
/// The result of one list, for people.
std::string summary(Measurement const& measurement);
/// One line for each list, the ratio to the best of the others that converged in a column.
std::string comparison(std::vector<Measurement> const& measurements);

}  // namespace Tessera::cli
