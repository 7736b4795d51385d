#pragma once
/// \file
/// What a search for the fastest list has found, for people, for programs and in the list itself.
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/measure.hpp"
#include "tuning/Tessera_Tune.hpp"

namespace Tessera::cli {

/// What the search begins with: the matrix in one line, the order of the lists and why.
std::string tune_order(TuneReport const& report);
/// One line on the last list.
std::string tune_progress(TuneReport const& report);
/// One line for each list, with why it is the fastest or not.
std::string tune_table(TuneReport const& report);
/// The keys of facts, plan and trials.
nlohmann::ordered_json tune_json(TuneReport const& report);
/// The fastest list as XML with a comment that says what it was found for, read again and checked.
/// \throws core::InvalidInput
std::string tune_xml(LinearSystem const& system, TuneReport const& report);

}  // namespace Tessera::cli
