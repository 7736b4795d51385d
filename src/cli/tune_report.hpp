#pragma once
/// \file
/// What a search for the fastest list has found, for people, for programs and in the list itself.
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/tune_search.hpp"

namespace Tessera::cli {

/// One line for each list, with why it is the fastest or not.
std::string tune_table(Tuning const& tuning, int solves_per_setup);
/// What came closest, or why no list ran, where none has converged.
std::string nothing_found(Tuning const& tuning);
/// The keys of facts, plan and trials.
nlohmann::ordered_json tune_json(MatrixFacts const& facts, Plan const& plan, Tuning const& tuning,
                                 int solves_per_setup);
/// The lines of the comment above the fastest list.
std::vector<std::string> tune_comment(LinearSystem const& system, MatrixFacts const& facts,
                                      Tuning const& tuning, int solves_per_setup);

}  // namespace Tessera::cli
