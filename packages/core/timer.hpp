#pragma once
/// \file
/// Wall time by phase, with and without synchronisation. Regions: what profilers show.
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

/// Receives the regions of a thread.
class RegionObserver {
 public:
  /// level: of the hierarchy; -1: none.
  virtual void begin(char const* name, int level) = 0;
  virtual void end() = 0;

 protected:
  ~RegionObserver() = default;
};

namespace detail {

inline thread_local RegionObserver* region_observer = nullptr;

// NVTX (timer.cu); nothing in builds without CUDA (device.cpp).
void push_range(char const* name, int level);
void pop_range();

}  // namespace detail

/// Makes `observer` the one of this thread, and returns the one before; null: none. Call it where no region
/// is open that `observer` has not seen.
inline RegionObserver* observe_regions(RegionObserver* observer) {
  return std::exchange(detail::region_observer, observer);
}

/// Begins a named piece of work of this thread, inside those that are open. In builds with CUDA it is an NVTX
/// range of the domain Tessera. name: a literal.
inline void begin_region(char const* name, int level = -1) {
  detail::push_range(name, level);
  if (detail::region_observer != nullptr) detail::region_observer->begin(name, level);
}

/// Ends the innermost region.
inline void end_region() {
  if (detail::region_observer != nullptr) detail::region_observer->end();
  detail::pop_range();
}

/// A region for its lifetime.
class Region {
 public:
  explicit Region(char const* name) { begin_region(name); }
  Region(Region const&) = delete;
  Region& operator=(Region const&) = delete;
  ~Region() { end_region(); }
};

/// Seconds by name of phase; phases with the same name add up.
using PhaseTimes = std::map<std::string, double>;

/// Adds the time of its lifetime to one phase, which is a region; `times` must keep that phase. The
/// destructor synchronises the space.
template <class Space>
class PhaseTimer {
 public:
  PhaseTimer(Space const& space, PhaseTimes& times, char const* phase)
      : region_(phase), space_(space), seconds_(times[phase]) {}
  PhaseTimer(PhaseTimer const&) = delete;
  PhaseTimer& operator=(PhaseTimer const&) = delete;
  ~PhaseTimer() {
    synchronize(space_);
    seconds_ += watch_.seconds();
  }

 private:
  Region region_;
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

/// Times of successive phases, without synchronisation between them. Phases and levels are regions.
template <class Space>
class PhaseClock {
 public:
  explicit PhaseClock(Space const& space) : space_(space) {}
  /// Discards all phases.
  void restart() { count_ = 0; }
  bool empty() const { return count_ == 0; }
  /// Begins a phase, which lasts until the next one; null: no phase.
  void phase(char const* name) {
    bool const same = count_ > 0 && begins_[count_ - 1].first == name;
    if (!same || !in_phase_) enter(name);
    if (same) return;
    if (count_ == begins_.size()) {
      begins_.emplace_back(name, TimePoint<Space>(space_));
    } else {
      begins_[count_].first = name;
      begins_[count_].second.record(space_);
    }
    ++count_;
  }
  /// Ends the regions of a phase and a level. Begins the region of a level, which contains those of its
  /// phases; -1: none.
  void level(int number) {
    enter(nullptr);
    if (std::exchange(in_level_, number >= 0)) end_region();
    if (in_level_) begin_region("level", number);
  }
  /// Adds the phases to times; waits for the last phase.
  void add_to(PhaseTimes& times) const {
    for (std::size_t k = 0; k + 1 < count_; ++k) {
      if (begins_[k].first != nullptr)
        times[begins_[k].first] += begins_[k].second.seconds_to(begins_[k + 1].second);
    }
  }

 private:
  /// Ends the region of a phase and begins another; null: none.
  void enter(char const* name) {
    if (std::exchange(in_phase_, name != nullptr)) end_region();
    if (in_phase_) begin_region(name);
  }

  Space space_;
  bool in_level_ = false, in_phase_ = false;
  std::size_t count_ = 0;
  std::vector<std::pair<char const*, TimePoint<Space>>>
      begins_;  ///< may have more than count_ elements, for later phases
};

/// Ends the regions of a clock at the end of its lifetime, also after an exception.
template <class Space>
struct EndOfPhases {
  PhaseClock<Space>& clock;
  ~EndOfPhases() { clock.level(-1); }
};

}  // namespace Tessera::core
