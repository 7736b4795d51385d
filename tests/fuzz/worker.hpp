#pragma once
/// \file
/// The process that runs cases, and may crash.
#include "driver.hpp"

namespace Tessera::fuzz {

struct Settings {
  std::uint64_t seed = 1;
  double seconds = 30;
  long long first = 0, count = 1LL << 40;
  std::string keep = "fuzz-failures", program;
  int memory = 8;   ///< GiB
  int worker = -1;  ///< file descriptor of a worker's outcomes; negative: this process supervises workers
};

/// The result of a case, from the worker.
struct Outcome {
  long long number = 0;
  int status = 0;  ///< of the last run
};
constexpr int other_status = 100;  ///< the program's status differs from that of this process

/// Runs cases until the time is up or no case is left. Returns 0.
int work(Settings const& settings, Case (*make)(Random&));

void write_files(std::string const& folder, Case const& one);
/// The arguments with a path for each @name.
std::vector<std::string> placed(std::vector<std::string> arguments, std::string const& folder);

}  // namespace Tessera::fuzz
