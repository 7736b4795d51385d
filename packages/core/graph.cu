#include "core/graph.hpp"

#include "core/cuda_check.cuh"
#include "core/memory_account.hpp"

namespace Tessera::core {
namespace {

/// Appends the graph to the active capture of the stream.
void append(cudaStream_t stream, cudaGraph_t child) {
  cudaStreamCaptureStatus status;
  cudaGraph_t parent = nullptr;
  cudaGraphNode_t const* before = nullptr;
  std::size_t count = 0;
  cudaGraphNode_t node = nullptr;
#if CUDART_VERSION >= 13000
  TESSERA_CUDA_CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &parent, &before, nullptr, &count));
#else
  TESSERA_CUDA_CHECK(cudaStreamGetCaptureInfo_v2(stream, &status, nullptr, &parent, &before, &count));
#endif
  TESSERA_CUDA_CHECK(cudaGraphAddChildGraphNode(&node, parent, before, count, child));
#if CUDART_VERSION >= 13000
  TESSERA_CUDA_CHECK(
      cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1, cudaStreamSetCaptureDependencies));
#else
  TESSERA_CUDA_CHECK(cudaStreamUpdateCaptureDependencies(stream, &node, 1, cudaStreamSetCaptureDependencies));
#endif
}

cudaGraph_t recorded(cudaStream_t stream, std::function<void()> const& work) {
  WithoutAllocations const nothing_allocated;
  cudaGraph_t graph = nullptr;
  TESSERA_CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  try {
    work();
  } catch (...) {
    cudaStreamEndCapture(stream, &graph);
    if (graph != nullptr) cudaGraphDestroy(graph);
    cudaGetLastError();  // the error of the failed capture, which the exception reports
    throw;
  }
  auto const status = cudaStreamEndCapture(stream, &graph);
  if (status != cudaSuccess) cudaGetLastError();
  TESSERA_CUDA_CHECK(status);
  return graph;
}

}  // namespace

void Graph<Cuda>::capture(Cuda const& space, std::function<void()> const& work) {
  Graph before = std::move(*this);
  recorded_ = recorded(space.stream, work);
  if (!before.empty()) {  // the same nodes with other arguments need no new instance
    cudaGraphExecUpdateResultInfo info{};
    if (cudaGraphExecUpdate(before.executable_, recorded_, &info) == cudaSuccess) {
      std::swap(executable_, before.executable_);
      return;
    }
    cudaGetLastError();
  }
  TESSERA_CUDA_CHECK(cudaGraphInstantiate(&executable_, recorded_, 0));
}

void Graph<Cuda>::launch(Cuda const& space) const {
  TESSERA_EXPECT(!empty());
  if (is_capturing(space)) return append(space.stream, recorded_);
  TESSERA_CUDA_CHECK(cudaGraphLaunch(executable_, space.stream));
}

void Graph<Cuda>::clear() noexcept {
  if (executable_ != nullptr) cudaGraphExecDestroy(executable_);
  if (recorded_ != nullptr) cudaGraphDestroy(recorded_);
  executable_ = nullptr;
  recorded_ = nullptr;
}

bool is_capturing(Cuda const& space) {
  cudaStreamCaptureStatus status;
  TESSERA_CUDA_CHECK(cudaStreamIsCapturing(space.stream, &status));
  return status == cudaStreamCaptureStatusActive;
}

}  // namespace Tessera::core
