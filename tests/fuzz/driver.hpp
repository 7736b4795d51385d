#pragma once
/// \file
/// Runs the program's reading, validation, setup and solve on mutated input, case by case, in a separate
/// process. Exit statuses must be 0, 1 or 2.
#include <map>
#include <string>
#include <vector>

#include "random.hpp"

namespace Tessera::fuzz {

/// Files and runs of a case.
struct Case {
  std::map<std::string, std::string> files;  ///< content by name
  /// Arguments of the program; files are written @name. A run that does not end with 0 is the last one.
  std::vector<std::vector<std::string>> runs;
};

/// Options of the command line: --seed, --seconds, --first, --count, --keep, --program, --memory. The seed
/// and the number of a case determine it. Prints each case that crashes, hangs, or ends with another status,
/// with the command that repeats it, and keeps its files. Returns 1 if there is such a case, otherwise 0.
int drive(int argc, char** argv, Case (*make)(Random&));

}  // namespace Tessera::fuzz
