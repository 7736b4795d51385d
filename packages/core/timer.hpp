#pragma once
/// \file
/// Wall time by phase, with and without synchronisation.
#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/space.hpp"

namespace Tessera::core {

/// Wall time since construction.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Seconds by name of phase; phases with the same name add up.
using PhaseTimes = std::map<std::string, double>;

/// Adds the time of its lifetime to one phase; `times` must keep that phase. The destructor synchronises the
/// space.
template <class Space>
class PhaseTimer {
 public:
  PhaseTimer(Space const& space, PhaseTimes& times, char const* phase)
      : space_(space), seconds_(times[phase]) {}
  PhaseTimer(PhaseTimer const&) = delete;
  PhaseTimer& operator=(PhaseTimer const&) = delete;
  ~PhaseTimer() {
    synchronize(space_);
    seconds_ += watch_.seconds();
  }

 private:
  Space space_;
  double& seconds_;
  Stopwatch watch_;
};

/// A time in the order of a space's work; on CUDA, the time at which its stream gets there.
template <class Space>
class TimePoint;

template <>
class TimePoint<Host> {
 public:
  explicit TimePoint(Host const& space) { record(space); }
  /// Sets the time to now.
  void record(Host const&) { time_ = std::chrono::steady_clock::now(); }
  double seconds_to(TimePoint const& later) const {
    return std::chrono::duration<double>(later.time_ - time_).count();
  }

 private:
  std::chrono::steady_clock::time_point time_;
};

template <>
class TimePoint<Cuda> {
 public:
  explicit TimePoint(Cuda const& space);
  TimePoint(TimePoint&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  TimePoint& operator=(TimePoint&& other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }
  ~TimePoint();
  void record(Cuda const& space);
  /// Waits for `later`.
  double seconds_to(TimePoint const& later) const;

 private:
  void* event_;
};

/// Called at the begin of each phase of a PhaseClock; null, except in programs that count by phase.
inline void (*phase_observer)(char const* name) = nullptr;

/// Times of successive phases, without synchronisation between them.
template <class Space>
class PhaseClock {
 public:
  explicit PhaseClock(Space const& space) : space_(space) {}
  /// Discards all phases.
  void restart() { count_ = 0; }
  bool empty() const { return count_ == 0; }
  /// Begins a phase, which lasts until the next one; null: no phase.
  void phase(char const* name) {
    if (phase_observer != nullptr) phase_observer(name);
    if (count_ > 0 && begins_[count_ - 1].first == name) return;
    if (count_ == begins_.size()) {
      begins_.emplace_back(name, TimePoint<Space>(space_));
    } else {
      begins_[count_].first = name;
      begins_[count_].second.record(space_);
    }
    ++count_;
  }
  /// Adds the phases to times; waits for the last phase.
  void add_to(PhaseTimes& times) const {
    for (std::size_t k = 0; k + 1 < count_; ++k) {
      if (begins_[k].first != nullptr)
        times[begins_[k].first] += begins_[k].second.seconds_to(begins_[k + 1].second);
    }
  }

 private:
  Space space_;
  std::size_t count_ = 0;
  std::vector<std::pair<char const*, TimePoint<Space>>>
      begins_;  ///< may have more than count_ elements, for later phases
};

}  // namespace Tessera::core
