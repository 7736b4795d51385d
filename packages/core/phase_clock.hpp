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
class Moment;

template <>
class Moment<Host> {
 public:
  explicit Moment(Host const&) : time_(std::chrono::steady_clock::now()) {}
  double seconds_to(Moment const& later) const {
    return std::chrono::duration<double>(later.time_ - time_).count();
  }

 private:
  std::chrono::steady_clock::time_point time_;
};

template <>
class Moment<Cuda> {
 public:
  explicit Moment(Cuda const& space);
  Moment(Moment&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  Moment& operator=(Moment&& other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }
  ~Moment();
  /// Waits for the later one.
  double seconds_to(Moment const& later) const;

 private:
  void* event_;
};

/// Times of phases that follow one another, where nothing is to wait between them.
template <class Space>
class PhaseClock {
 public:
  PhaseClock(Space const& space, PhaseTimes& times) : space_(space), times_(times) {}
  /// What comes from here on belongs to this phase, until the next one.
  void phase(char const* name) { begins_.emplace_back(name, Moment<Space>(space_)); }
  /// Ends the last phase, waits for it, and adds all to the times.
  void stop() {
    phase(nullptr);
    for (std::size_t k = 0; k + 1 < begins_.size(); ++k)
      times_[begins_[k].first] += begins_[k].second.seconds_to(begins_[k + 1].second);
    begins_.clear();
  }

 private:
  Space space_;
  PhaseTimes& times_;
  std::vector<std::pair<char const*, Moment<Space>>> begins_;
};

}  // namespace Tessera::core
