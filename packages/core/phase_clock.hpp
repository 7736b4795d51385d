#pragma once
/// \file
/// Wall time by phase where nothing is to wait between phases.
#include <chrono>
#include <utility>
#include <vector>

#include "core/timer.hpp"

namespace Tessera::core {

/// A moment of a space: on CUDA, when its stream gets there.
template <class Space>
class TimePoint;

template <>
class TimePoint<Host> {
 public:
  explicit TimePoint(Host const& space) { pass(space); }
  /// It is now.
  void pass(Host const&) { time_ = std::chrono::steady_clock::now(); }
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
  void pass(Cuda const& space);
  /// Waits for the later one.
  double seconds_to(TimePoint const& later) const;

 private:
  void* event_;
};

/// Times of phases that follow one another, where nothing is to wait between them.
template <class Space>
class PhaseClock {
 public:
  explicit PhaseClock(Space const& space) : space_(space) {}
  /// Forgets the phases so far.
  void restart() { count_ = 0; }
  bool empty() const { return count_ == 0; }
  /// What comes from here on belongs to this phase, until the next one; null: to none.
  void phase(char const* name) {
    if (count_ > 0 && begins_[count_ - 1].first == name) return;
    if (count_ == begins_.size()) {
      begins_.emplace_back(name, TimePoint<Space>(space_));
    } else {
      begins_[count_].first = name;
      begins_[count_].second.pass(space_);
    }
    ++count_;
  }
  /// Adds the phases to times; waits for the last one.
  void add_to(PhaseTimes& times) const {
    for (std::size_t k = 0; k + 1 < count_; ++k) {
      if (begins_[k].first != nullptr)
        times[begins_[k].first] += begins_[k].second.seconds_to(begins_[k + 1].second);
    }
  }

 private:
  Space space_;
  std::size_t count_ = 0;
  std::vector<std::pair<char const*, TimePoint<Space>>> begins_;  ///< more than count_: used again
};

}  // namespace Tessera::core
