#pragma once
/// \file
/// Work that is recorded once and run many times.
#include <functional>
#include <utility>

#include "core/space.hpp"

struct CUgraph_st;  // CUDA's graphs, so that this header needs no CUDA
struct CUgraphExec_st;

namespace Tessera::core {

/// Work on one space. Recorded by capture, which on CUDA runs the host's part of it (loops, launches, the
/// pointers that are passed) but nothing on the device; run by launch, in the stream's order.
///
/// On CUDA the work may only enqueue: no synchronisation, no allocation, no decision that depends on the
/// device's data; and the space has a stream of its own. What it refers to must stay where it is until the
/// last launch; when pointers or parameters change, capture anew. A graph launched while its stream is being
/// captured becomes a part of that capture. On the host, launch calls the work as it is.
template <class Space>
class Graph;

template <>
class Graph<Host> {
 public:
  void capture(Host const&, std::function<void()> work) { work_ = std::move(work); }
  void launch(Host const&) const { work_(); }
  bool empty() const { return !work_; }
  void clear() { work_ = nullptr; }

 private:
  std::function<void()> work_;
};

template <>
class Graph<Cuda> {
 public:
  Graph() = default;
  Graph(Graph&& other) noexcept { *this = std::move(other); }
  Graph& operator=(Graph&& other) noexcept {
    std::swap(recorded_, other.recorded_);
    std::swap(executable_, other.executable_);
    return *this;
  }
  ~Graph() { clear(); }

  /// What work throws, and what a call that cannot be recorded reports, is thrown; the graph is empty then.
  void capture(Cuda const& space, std::function<void()> const& work);
  void launch(Cuda const& space) const;
  bool empty() const { return executable_ == nullptr; }
  void clear() noexcept;

 private:
  CUgraph_st* recorded_ = nullptr;
  CUgraphExec_st* executable_ = nullptr;
};

/// Whether the space has a device that replays graphs, and a stream that can be captured.
inline bool can_capture(Host const&) {
  return false;
}
inline bool can_capture(Cuda const& space) {
  return space.stream != nullptr;
}

/// Whether work given to the space is being recorded now.
inline bool capturing(Host const&) {
  return false;
}
bool capturing(Cuda const& space);

}  // namespace Tessera::core
