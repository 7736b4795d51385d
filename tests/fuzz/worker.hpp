#pragma once
/// \file
/// The process that runs cases, and may die of one.
#include "driver.hpp"

namespace Tessera::fuzz {

struct Settings {
  std::uint64_t seed = 1;
  double seconds = 30;
  long long first = 0, count = 1LL << 40;
  std::string keep = "fuzz-failures", program;
  int memory = 8;   ///< GiB
  int worker = -1;  ///< where a worker writes outcomes; negative: this is the process that watches it
};

/// What a worker says of each case.
struct Outcome {
  long long number = 0;
  int status = 0;  ///< of the last run
};
constexpr int other_status = 100;  ///< the program ended otherwise than the same work in this process

/// Runs cases until time or cases are at an end. Returns 0.
int work(Settings const& settings, Case (*make)(Random&));

void write_files(std::string const& folder, Case const& one);
/// With each @name as a path.
std::vector<std::string> placed(std::vector<std::string> arguments, std::string const& folder);

}  // namespace Tessera::fuzz
