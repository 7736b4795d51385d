#pragma once
/// \file
/// What the program runs with and on.
#include <string>
#include <utility>
#include <vector>

namespace Tessera::cli {

/// What something is called, and what it is.
using Facts = std::vector<std::pair<std::string, std::string>>;

/// Of Tessera, Trilinos, MPI and the compiler.
Facts versions();

/// The processor of this rank's host, as Linux names it, and its hardware threads.
std::string processor();

}  // namespace Tessera::cli
