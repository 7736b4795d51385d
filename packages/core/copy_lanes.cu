#include "core/copy_lanes.cuh"

#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <memory>

#include "core/cuda_check.cuh"
#include "core/device.hpp"
#include "core/memory.hpp"
#include "core/pinned.hpp"

namespace Tessera::core {
namespace {

/// More do not make the bus faster.
constexpr int most_lanes = 16;

std::atomic<int> processes_of_host{1};

/// Cores that this process may run on, shared with the host's other processes: threads that are more than
/// these wait for each other.
int own_cores() {
  cpu_set_t set;
  int const cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return std::max(1, cores / processes_of_host.load());
}

std::size_t wanted_lanes() {
  return static_cast<std::size_t>(std::clamp(std::min(omp_get_max_threads(), own_cores()), 1, most_lanes));
}

/// The device is the current one of this thread while this lives, where status is cudaSuccess.
class OnDevice {
 public:
  explicit OnDevice(int device) {
    status = cudaGetDevice(&before_);
    if (status == cudaSuccess) status = cudaSetDevice(device);
  }
  ~OnDevice() { cudaSetDevice(before_); }
  OnDevice(OnDevice const&) = delete;
  OnDevice& operator=(OnDevice const&) = delete;

  cudaError_t status;

 private:
  int before_ = 0;
};

}  // namespace

void share_host(int processes) {
  processes_of_host = std::max(1, processes);
}

struct CopyLanes::Job {
  char const* source;
  char* target;
  std::size_t bytes;
  std::atomic<std::size_t> next{0};  ///< piece that nobody has claimed

  struct Piece {
    std::size_t begin = 0, bytes = 0;
  };
  std::size_t pieces() const { return (bytes + piece - 1) / piece; }
  /// Empty where there is none left.
  Piece claim() {
    auto const begin = next.fetch_add(1, std::memory_order_relaxed) * piece;
    return begin < bytes ? Piece{begin, std::min(piece, bytes - begin)} : Piece{};
  }
};

CopyLanes& CopyLanes::of_device(int device) {
  static std::mutex mutex;
  static auto& all = *new std::map<int, std::unique_ptr<CopyLanes>>;  // the driver may be gone before
  std::lock_guard const lock(mutex);
  auto& lanes = all[device];
  if (lanes == nullptr) lanes.reset(new CopyLanes(device));
  return *lanes;
}

void CopyLanes::add_lane() {
  Lane lane;
  auto* const memory = static_cast<char*>(allocate_pinned(Cuda{device_, nullptr}, slots * piece));
  for (std::size_t k = 0; k < slots; ++k) {
    lane.slot[k] = memory + k * piece;
    TESSERA_CUDA_CHECK(cudaEventCreateWithFlags(&lane.travelled[k], cudaEventDisableTiming));
  }
  TESSERA_CUDA_CHECK(cudaEventCreateWithFlags(&lane.done, cudaEventDisableTiming));
  TESSERA_CUDA_CHECK(cudaStreamCreateWithFlags(&lane.stream, cudaStreamNonBlocking));
  lanes_.push_back(lane);
}

void CopyLanes::prepare() {
  auto const wanted = wanted_lanes();
  if (lanes_.size() >= wanted) return;
  OnDevice const device(device_);
  TESSERA_CUDA_CHECK(device.status);
  if (begun_ == nullptr) TESSERA_CUDA_CHECK(cudaEventCreateWithFlags(&begun_, cudaEventDisableTiming));
  while (lanes_.size() < wanted) {
    try {
      add_lane();
    } catch (OutOfMemory const&) {
      if (lanes_.empty()) throw;
      return;
    }
  }
}

cudaError_t CopyLanes::carry_up(Lane const& lane, Job& job) const {
  auto status = cudaStreamWaitEvent(lane.stream, begun_);
  for (std::size_t k = 0; status == cudaSuccess; k = (k + 1) % slots) {
    auto const [begin, size] = job.claim();
    if (size == 0) break;
    status = cudaEventSynchronize(lane.travelled[k]);
    if (status != cudaSuccess) break;
    std::memcpy(lane.slot[k], job.source + begin, size);
    status = cudaMemcpyAsync(job.target + begin, lane.slot[k], size, cudaMemcpyHostToDevice, lane.stream);
    if (status == cudaSuccess) status = cudaEventRecord(lane.travelled[k], lane.stream);
  }
  return status == cudaSuccess ? cudaEventRecord(lane.done, lane.stream) : status;
}

cudaError_t CopyLanes::carry_down(Lane const& lane, Job& job) const {
  auto status = cudaStreamWaitEvent(lane.stream, begun_);
  std::array<Job::Piece, slots> under_way;
  bool more = true;
  for (std::size_t k = 0, empty = 0; status == cudaSuccess && (more || empty < slots); k = (k + 1) % slots) {
    auto& held = under_way[k];
    status = cudaEventSynchronize(lane.travelled[k]);
    if (status != cudaSuccess) break;
    if (held.bytes > 0) std::memcpy(job.target + held.begin, lane.slot[k], held.bytes);
    held = more ? job.claim() : Job::Piece{};
    more = more && held.bytes > 0;
    empty = held.bytes > 0 ? 0 : empty + 1;
    if (held.bytes == 0) continue;
    status = cudaMemcpyAsync(lane.slot[k], job.source + held.begin, held.bytes, cudaMemcpyDeviceToHost,
                             lane.stream);
    if (status == cudaSuccess) status = cudaEventRecord(lane.travelled[k], lane.stream);
  }
  return status;
}

template <class Carry>
std::size_t CopyLanes::by_threads(Job& job, cudaStream_t stream, Carry const& carry) {
  prepare();
  TESSERA_CUDA_CHECK(cudaEventRecord(begun_, stream));
  auto const threads = std::min({lanes_.size(), wanted_lanes(), job.pieces()});
  std::vector<cudaError_t> status(threads, cudaSuccess);
#pragma omp parallel for schedule(static, 1) num_threads(threads) if (threads > 1)
  for (std::size_t t = 0; t < threads; ++t) {
    OnDevice const device(device_);  // threads begin with the first one, which may not reach this memory
    status[t] = device.status == cudaSuccess ? carry(lanes_[t], job) : device.status;
  }
  for (auto const one : status) TESSERA_CUDA_CHECK(one);
  return threads;
}

void CopyLanes::upload(char const* source, char* target, std::size_t bytes, cudaStream_t stream) {
  std::lock_guard const lock(mutex_);
  Job job{source, target, bytes};
  auto const used =
      by_threads(job, stream, [this](Lane const& lane, Job& work) { return carry_up(lane, work); });
  for (std::size_t t = 0; t < used; ++t) TESSERA_CUDA_CHECK(cudaStreamWaitEvent(stream, lanes_[t].done));
}

void CopyLanes::download(char const* source, char* target, std::size_t bytes, cudaStream_t stream) {
  std::lock_guard const lock(mutex_);
  Job job{source, target, bytes};
  by_threads(job, stream, [this](Lane const& lane, Job& work) { return carry_down(lane, work); });
}

}  // namespace Tessera::core
