#include "comm/transport/peer_exchange.hpp"

#include <cuda.h>

#include <algorithm>
#include <array>

#include "comm/transport/nccl.hpp"
#include "comm/transport/peer_messages_cuda.cuh"
#include "comm/transport/peers.hpp"
#include "core/cuda_check.cuh"

namespace Tessera::comm {
namespace {

using namespace peer;

/// Segments of one kernel; gridDim.x blocks serve segment blockIdx.y.
struct Batch {
  static constexpr int max_segments = 8;
  Segment segment[max_segments];
};

__device__ MessagePart this_block() {
  return {blockIdx.x, gridDim.x};
}

template <class Message>
__global__ void __launch_bounds__(PeerLaunch::threads) put_kernel(Batch batch, Message message) {
  put_segment(this_block(), batch.segment[blockIdx.y], message);
}

__global__ void __launch_bounds__(PeerLaunch::threads) take_kernel(Batch batch) {
  take_segment(this_block(), batch.segment[blockIdx.y]);
}

/// Puts come first, so that they have at least started when a block waits for the puts of other processes.
template <class Message>
__global__ void __launch_bounds__(PeerLaunch::threads)
    swap_kernel(Batch to, unsigned puts, Message message, Batch from) {
  if (blockIdx.y < puts) return put_segment(this_block(), to.segment[blockIdx.y], message);
  take_segment(this_block(), from.segment[blockIdx.y - puts]);
}

Link* link_to(Communicator const& comm, int rank) {
  auto const& peers = comm.peers();
  return peers ? peers->link(rank) : nullptr;
}

/// cuStreamWaitValue64; null if the driver has none.
auto stream_wait_value() {
  using Function = CUresult (*)(CUstream, CUdeviceptr, cuuint64_t, unsigned);
  static auto const function = [] {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result{};
#if CUDART_VERSION >= 12050
    auto const status =
        cudaGetDriverEntryPointByVersion("cuStreamWaitValue64", &found, 12000, cudaEnableDefault, &result);
#else
    auto const status = cudaGetDriverEntryPoint("cuStreamWaitValue64", &found, cudaEnableDefault, &result);
#endif
    if (status != cudaSuccess) cudaGetLastError();
    return reinterpret_cast<Function>(status == cudaSuccess ? found : nullptr);
  }();
  return function;
}

/// Waits in the stream, if both processes share a device, before a kernel that would wait for the other
/// process.
void wait_in_stream(Cuda const& space, std::uint64_t* flag, std::uint64_t count) {
  auto const status =
      stream_wait_value()(space.stream, reinterpret_cast<CUdeviceptr>(flag), count, CU_STREAM_WAIT_VALUE_GEQ);
  if (status != CUDA_SUCCESS)
    throw std::runtime_error(core::message("cuStreamWaitValue64 failed with CUDA's error ", int(status)));
}

/// As many segments from the k-th on as fit into a batch.
Batch batch_of(Communicator const& comm, std::vector<Neighbour> const& neighbours, std::size_t k, char* data,
               std::size_t element) {
  Batch batch{};
  for (int l = 0; l < Batch::max_segments && k < neighbours.size(); ++l, ++k) {
    auto const& [rank, begin, end] = neighbours[k];
    batch.segment[l] = {link_to(comm, rank)->buffers, data + begin * element, (end - begin) * element};
  }
  return batch;
}

/// Blocks for each segment of a kernel, from the size of the longest segment.
unsigned blocks_for(Batch const& batch) {
  std::size_t longest = 1;
  for (auto const& segment : batch.segment) longest = std::max(longest, segment.bytes);
  return PeerLaunch::blocks(longest);
}

/// Calls launch(grid of the kernel, batch) for all segments, batch by batch.
template <class Launch>
void in_batches(Communicator const& comm, std::vector<Neighbour> const& neighbours, char* data,
                std::size_t element, Launch const& launch) {
  for (std::size_t k = 0; k < neighbours.size(); k += Batch::max_segments) {
    auto const batch = batch_of(comm, neighbours, k, data, element);
    auto const count = std::min<std::size_t>(Batch::max_segments, neighbours.size() - k);
    launch(dim3(blocks_for(batch), static_cast<unsigned>(count)), batch);
    TESSERA_CUDA_CHECK(cudaGetLastError());
  }
}

/// Calls run with a functor that writes the values of rows into messages.
template <class Run>
void with_gather(RowsToSend const& rows, Run const& run) {
  if (rows.element == sizeof(std::uint64_t))
    return run(Gather<unsigned long long>{static_cast<unsigned long long const*>(rows.owned), rows.width});
  if (rows.element == sizeof(unsigned))
    return run(Gather<unsigned>{static_cast<unsigned const*>(rows.owned), rows.width});
  run(Gather<unsigned char>{static_cast<unsigned char const*>(rows.owned), rows.width});
}

/// The list of rows as data of segments; a segment's position in it gives the first row of a message.
char* list_data(RowsToSend const& rows) {
  return reinterpret_cast<char*>(const_cast<Index*>(rows.list.data()));
}

/// Counts the messages that are about to be put.
void before_put(Cuda const& space, Communicator const& comm, std::vector<Neighbour> const& to) {
  for (auto const& neighbour : to) {
    auto& link = *link_to(comm, neighbour.rank);
    ++link.put;
    if (link.one_device && link.put > PeerBuffers::slots)
      wait_in_stream(space, &link.buffers.mine->taken, link.put - PeerBuffers::slots);
  }
}

}  // namespace

bool can_exchange_with_peer(Cuda const&, Communicator const& comm, int rank, std::size_t bytes) {
  return 0 < bytes && bytes <= PeerBuffers::slot_bytes && link_to(comm, rank) != nullptr;
}

bool can_record_exchange(Cuda const& space, Communicator const& comm, std::vector<Neighbour> const& all,
                         std::size_t element) {
  return std::all_of(all.begin(), all.end(), [&](Neighbour const& n) {
    auto const bytes = static_cast<std::size_t>(n.end - n.begin) * element;
    if (n.rank == comm.rank() || bytes == 0) return true;
    if (!can_exchange_with_peer(space, comm, n.rank, bytes)) return can_exchange_by_nccl(space, comm, bytes);
    return !link_to(comm, n.rank)->one_device;
  });
}

bool can_swap(Cuda const&, Communicator const& comm, std::vector<Neighbour> const& to,
              std::vector<Neighbour> const& from) {
  auto const none_shares = [&](std::vector<Neighbour> const& all) {
    return all.size() <= Batch::max_segments &&
           std::none_of(all.begin(), all.end(), [&](Neighbour const& neighbour) {
             return link_to(comm, neighbour.rank)->one_device;
           });
  };
  return !(to.empty() && from.empty()) && none_shares(to) && none_shares(from);
}

void put(Cuda const& space, Communicator const& comm, std::vector<Neighbour> const& to, char const* source,
         std::size_t element) {
  before_put(space, comm, to);
  // put_kernel only reads source.
  in_batches(comm, to, const_cast<char*>(source), element, [&](dim3 grid, Batch const& batch) {
    put_kernel<<<grid, PeerLaunch::threads, 0, space.stream>>>(batch, Copy{});
  });
}

void put_rows(Cuda const& space, Communicator const& comm, std::vector<Neighbour> const& to,
              RowsToSend const& rows) {
  before_put(space, comm, to);
  with_gather(rows, [&](auto const& gather) {
    in_batches(comm, to, list_data(rows), sizeof(Index), [&](dim3 grid, Batch const& batch) {
      put_kernel<<<grid, PeerLaunch::threads, 0, space.stream>>>(batch, gather);
    });
  });
}

void take(Cuda const& space, Communicator const& comm, std::vector<Neighbour> const& from, char* target,
          std::size_t element) {
  for (auto const& neighbour : from) {
    auto& link = *link_to(comm, neighbour.rank);
    ++link.taken;
    if (link.one_device) wait_in_stream(space, &link.buffers.mine->arrived, link.taken);
  }
  in_batches(comm, from, target, element, [&](dim3 grid, Batch const& batch) {
    take_kernel<<<grid, PeerLaunch::threads, 0, space.stream>>>(batch);
  });
}

void swap(Cuda const& space, Communicator const& comm, std::vector<Neighbour> const& to, char const* source,
          RowsToSend const& rows, std::vector<Neighbour> const& from, char* target, std::size_t element) {
  for (auto const& neighbour : to) ++link_to(comm, neighbour.rank)->put;
  for (auto const& neighbour : from) ++link_to(comm, neighbour.rank)->taken;
  auto const in = batch_of(comm, from, 0, target, element);
  auto const launch = [&](Batch const& out, auto const& message) {
    dim3 const grid(std::max(blocks_for(out), blocks_for(in)),
                    static_cast<unsigned>(to.size() + from.size()));
    swap_kernel<<<grid, PeerLaunch::threads, 0, space.stream>>>(out, static_cast<unsigned>(to.size()),
                                                                message, in);
    TESSERA_CUDA_CHECK(cudaGetLastError());
  };
  if (source != nullptr) return launch(batch_of(comm, to, 0, const_cast<char*>(source), element), Copy{});
  with_gather(rows, [&](auto const& gather) {
    launch(batch_of(comm, to, 0, list_data(rows), sizeof(Index)), gather);
  });
}

}  // namespace Tessera::comm
