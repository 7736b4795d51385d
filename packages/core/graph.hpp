#pragma once
/// \file
/// Work that is recorded once, and launched many times.
#include <functional>
#include <utility>

#include "core/space.hpp"

struct CUgraph_st;  // CUDA's graphs, so that this header needs no CUDA
struct CUgraphExec_st;

namespace Tessera::core {

/// Work on one space. capture() records it; on CUDA this runs the host's part (loops, launches, arguments),
/// and nothing on the device. launch() runs it, in the order of the stream.
///
/// On CUDA the work may only enqueue: no synchronisation, no allocation, no decision that depends on data of
/// the device. The space needs a stream other than the default stream. All data must keep their addresses
/// until the last launch; if pointers or parameters change, capture again. A graph launched during a capture
/// of its stream becomes a part of that capture. On the host, launch() calls the work.
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

  /// Throws if work throws or calls a function that cannot be recorded; then the graph is empty.
  void capture(Cuda const& space, std::function<void()> const& work);
  void launch(Cuda const& space) const;
  bool empty() const { return executable_ == nullptr; }
  void clear() noexcept;

 private:
  CUgraph_st* recorded_ = nullptr;
  CUgraphExec_st* executable_ = nullptr;
};

/// Whether graphs can be recorded: the space is a device, and its stream is not the default stream.
inline bool can_capture(Host const&) {
  return false;
}
inline bool can_capture(Cuda const& space) {
  return space.stream != nullptr;
}

/// Whether a capture of the space's stream is active.
inline bool is_capturing(Host const&) {
  return false;
}
bool is_capturing(Cuda const& space);

}  // namespace Tessera::core
