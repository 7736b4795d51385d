#pragma once
/// \file
/// Runs mutated input through the program's own reading, validation, setup and solve, case after case, in a
/// process of its own, and demands exit statuses 0, 1 and 2.
#include <map>
#include <string>
#include <vector>

#include "random.hpp"

namespace Tessera::fuzz {

/// What one case does.
struct Case {
  std::map<std::string, std::string> files;  ///< content by name
  /// Arguments of the program; files are written @name. A run that does not end with 0 is the last one.
  std::vector<std::vector<std::string>> runs;
};

/// Options of the command line: --seed, --seconds, --first, --count, --keep, --program, --memory. A case is
/// decided by the seed and its number alone. What crashes, hangs, or ends with another status is printed,
/// with how to do it again, and its files are kept. Returns 1 then, else 0.
int drive(int argc, char** argv, Case (*make)(Random&));

}  // namespace Tessera::fuzz
