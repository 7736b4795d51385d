#pragma once
/// \file
/// Wall time by phase.
#include <chrono>
#include <map>
#include <string>

#include "core/space.hpp"

namespace Tessera::core {

/// Seconds by name of phase; a name that comes again adds up.
using PhaseTimes = std::map<std::string, double>;

/// Adds the time from its construction to its end to one phase, which times keeps until then. The space is
/// synchronised at the end.
template <class Space>
class PhaseTimer {
 public:
  PhaseTimer(Space const& space, PhaseTimes& times, char const* phase)
      : space_(space), seconds_(times[phase]), start_(std::chrono::steady_clock::now()) {}
  PhaseTimer(PhaseTimer const&) = delete;
  PhaseTimer& operator=(PhaseTimer const&) = delete;
  ~PhaseTimer() {
    synchronize(space_);
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  Space space_;
  double& seconds_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace Tessera::core
