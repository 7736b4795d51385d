#include "comm/communicator.hpp"
#include "comm/transport/peers.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>

#include "comm/transport/staging.hpp"
#include "core/cuda_check.cuh"
#include "core/memory_account.hpp"

namespace Tessera::comm {
namespace {

/// Bus number of a device on its host; a query of all properties would take milliseconds.
using DeviceName = std::array<char, 16>;

/// Names of two processes and of their devices; the same on both processes.
using LinkName = std::tuple<std::uint64_t, DeviceName, std::uint64_t, DeviceName>;

/// Properties of a process that all processes of its host receive.
struct ProcessInfo {
  std::uint64_t process = 0;
  DeviceName device{};
  int rank = -1;
  bool enabled = false;
};

/// Memory that a process offers to another process.
struct MemoryOffer {
  bool made = false;
  cudaIpcMemHandle_t memory{};
};

/// Flags and slots in the offered memory.
struct SharedSlots {
  char* base = nullptr;
  static constexpr std::size_t header = 512;
  static constexpr std::size_t bytes = header + PeerBuffers::slots * PeerBuffers::slot_bytes;
  static_assert(sizeof(PeerFlags) <= header);
  PeerFlags* flags() const { return reinterpret_cast<PeerFlags*>(base); }
  char* slots() const { return base + header; }
};

/// Links live as long as the process, because the driver may end before static objects.
std::map<LinkName, Link>& links_of_process() {
  static auto& links = *new std::map<LinkName, Link>;
  return links;
}

/// Links that failed; they are not tried again.
std::set<LinkName>& failed_links_of_process() {
  static auto& failed_links = *new std::set<LinkName>;
  return failed_links;
}

/// A link under construction.
struct LinkAttempt {
  SharedSlots mine, theirs;
  std::string failure;  ///< of the first failed call

  /// Records the error of a call that may fail.
  bool worked(char const* call, cudaError_t status) {
    if (status == cudaSuccess) return true;
    cudaGetLastError();  // not sticky: the next call must not see it
    if (failure.empty()) failure = core::message(call, ": ", cudaGetErrorString(status));
    return false;
  }

  /// Allocates memory that the other process writes.
  MemoryOffer offer() {
    MemoryOffer made;
    if (!worked("cudaMalloc", cudaMalloc(&mine.base, SharedSlots::bytes))) return made;
    made.made = worked("cudaMemset", cudaMemset(mine.base, 0, SharedSlots::header)) &&
                worked("cudaIpcGetMemHandle", cudaIpcGetMemHandle(&made.memory, mine.base)) &&
                worked("cudaDeviceSynchronize", cudaDeviceSynchronize());
    return made;
  }
  void open(MemoryOffer const& offer) {
    void* pointer = nullptr;
    if (worked("cudaIpcOpenMemHandle",
               cudaIpcOpenMemHandle(&pointer, offer.memory, cudaIpcMemLazyEnablePeerAccess)))
      theirs.base = static_cast<char*>(pointer);
  }
  void write_word(std::uint64_t word) {
    if (theirs.base == nullptr) return;
    worked("cudaMemcpy", cudaMemcpy(&theirs.flags()->test_word, &word, sizeof word, cudaMemcpyHostToDevice));
    worked("cudaDeviceSynchronize", cudaDeviceSynchronize());  // a short copy returns before it is complete
  }
  bool word_arrived(std::uint64_t word) {
    if (mine.base == nullptr || theirs.base == nullptr) return false;
    std::uint64_t found = ~word;
    worked("cudaMemcpy", cudaMemcpy(&found, &mine.flags()->test_word, sizeof found, cudaMemcpyDeviceToHost));
    if (found != word && failure.empty())
      failure = "a GPU's write into the other GPU's memory did not arrive";
    return found == word;
  }
  PeerBuffers buffers() const {
    PeerCounters* counters = nullptr;
    TESSERA_CUDA_CHECK(cudaMalloc(&counters, sizeof *counters));
    TESSERA_CUDA_CHECK(cudaMemset(counters, 0, sizeof *counters));
    return {mine.flags(), theirs.flags(), mine.slots(), theirs.slots(), counters};
  }
  void close() {
    if (theirs.base != nullptr) worked("cudaIpcCloseMemHandle", cudaIpcCloseMemHandle(theirs.base));
  }
  /// Memory of this process' GPU for a link.
  static constexpr std::size_t bytes = SharedSlots::bytes + sizeof(PeerCounters);
  void free() {
    if (mine.base != nullptr) worked("cudaFree", cudaFree(mine.base));
  }
};

ProcessInfo process_info(Cuda const& space, Communicator const& comm) {
  static std::uint64_t const name = (std::uint64_t{std::random_device{}()} << 32) | std::random_device{}();
  char const* const setting = std::getenv("TESSERA_PEER_GPUS");
  ProcessInfo result;
  result.process = name;
  result.rank = comm.rank();
  auto const length = static_cast<int>(result.device.size());
  TESSERA_CUDA_CHECK(cudaDeviceGetPCIBusId(result.device.data(), length, space.device));
  result.enabled = setting == nullptr || std::string(setting) != "0";
  return result;
}

LinkName name_of(ProcessInfo const& a, ProcessInfo const& b) {
  auto const& first = a.process < b.process ? a : b;
  auto const& second = a.process < b.process ? b : a;
  return {first.process, first.device, second.process, second.device};
}

/// The processes that share the host's memory, with this process.
class HostRanks {
 public:
  explicit HostRanks(Communicator const& comm) : all_(comm) {
    comm.agree();
    MPI_Comm_split_type(comm.raw(), MPI_COMM_TYPE_SHARED, comm.rank(), MPI_INFO_NULL, &comm_);
    MPI_Comm_size(comm_, &size_);
    MPI_Comm_rank(comm_, &rank_);
  }
  HostRanks(HostRanks const&) = delete;
  HostRanks& operator=(HostRanks const&) = delete;
  ~HostRanks() { MPI_Comm_free(&comm_); }
  int rank() const { return rank_; }
  int size() const { return size_; }

  template <class T>
  std::vector<T> all_gather(T const& mine) const {
    std::vector<T> all(size_);
    all_.agree();
    MPI_Allgather(&mine, sizeof(T), MPI_BYTE, all.data(), sizeof(T), MPI_BYTE, comm_);
    return all;
  }
  /// Sends mine[r] to rank r; returns the received data by rank.
  template <class T>
  std::vector<T> swap(std::vector<T> const& mine) const {
    std::vector<T> theirs(size_);
    all_.agree();
    MPI_Alltoall(mine.data(), sizeof(T), MPI_BYTE, theirs.data(), sizeof(T), MPI_BYTE, comm_);
    return theirs;
  }

 private:
  Communicator all_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
};

/// Maps memory in both directions and tests it by a word. Returns 1 for each rank of the host with a working
/// link.
template <class ShouldLink>
std::vector<char> test_links(HostRanks const& host, std::vector<ProcessInfo> const& processes,
                             ProcessInfo const& me, std::vector<LinkAttempt>& attempts,
                             ShouldLink const& should_link) {
  std::vector<MemoryOffer> offers(host.size());
  for (int r = 0; r < host.size(); ++r) {
    if (should_link(processes[r])) offers[r] = attempts[r].offer();
  }
  auto const theirs = host.swap(offers);
  for (int r = 0; r < host.size(); ++r) {
    if (offers[r].made && theirs[r].made) attempts[r].open(theirs[r]);
    attempts[r].write_word(me.process);
  }
  std::vector<char> working(host.size());
  host.swap(working);  // all ranks have written their words
  // PCIe bridges that translate addresses can lose writes to mapped memory: then the word is missing.
  for (int r = 0; r < host.size(); ++r) working[r] = attempts[r].word_arrived(processes[r].process) ? 1 : 0;
  auto const also_working = host.swap(working);
  for (int r = 0; r < host.size(); ++r) working[r] = working[r] != 0 && also_working[r] != 0 ? 1 : 0;
  return working;
}

/// Keeps working links and closes all others. Failed links are not tried again. Returns the
/// first failure, or an empty string.
template <class ShouldLink>
std::string keep_links(Cuda const& space, std::vector<ProcessInfo> const& processes, ProcessInfo const& me,
                       std::vector<char> const& linked, std::vector<LinkAttempt>& attempts,
                       ShouldLink const& should_link) {
  std::string failure;
  std::map<LinkName, Link> links;
  std::set<LinkName> failed_links;
  for (std::size_t r = 0; r < attempts.size(); ++r) {
    if (linked[r] != 0) {
      bool const one_device = processes[r].device == me.device;
      links.emplace(name_of(me, processes[r]), Link{attempts[r].buffers(), one_device});
      continue;
    }
    attempts[r].close();
    if (should_link(processes[r])) failed_links.insert(name_of(me, processes[r]));
    if (failure.empty()) failure = attempts[r].failure;
  }
  core::memory_counter(space).add(links.size() * LinkAttempt::bytes);
  links_of_process().merge(links);
  failed_links_of_process().merge(failed_links);
  return failure;
}

/// Links this process with all processes of the host without a link. Returns the first failure, or an empty
/// string.
std::string make_links(Cuda const& space, HostRanks const& host, std::vector<ProcessInfo> const& processes) {
  auto const& me = processes[host.rank()];
  auto const should_link = [&](ProcessInfo const& other) {
    auto const name = name_of(me, other);
    return other.process != me.process && me.enabled && other.enabled &&
           links_of_process().count(name) == 0 && failed_links_of_process().count(name) == 0;
  };
  std::vector<LinkAttempt> attempts(host.size());
  auto const working = test_links(host, processes, me, attempts, should_link);
  auto const failure = keep_links(space, processes, me, working, attempts, should_link);
  host.swap(working);  // all ranks have closed the memory of failed links, or have failed
  for (int r = 0; r < host.size(); ++r) {
    if (working[r] == 0) attempts[r].free();
  }
  TESSERA_CUDA_CHECK(cudaDeviceSynchronize());  // counters are cleared before the first message
  return failure;
}

}  // namespace

Peers::Peers(Cuda const& space, Communicator const& comm) : links_(comm.size(), nullptr) {
  HostRanks const host(comm);
  auto const processes = host.all_gather(process_info(space, comm));
  failure_ = make_links(space, host, processes);
  auto const& me = processes[host.rank()];
  for (auto const& other : processes) {
    auto const found = links_of_process().find(name_of(me, other));
    if (me.enabled && other.enabled && found != links_of_process().end()) links_[other.rank] = &found->second;
  }
  bool const turns = std::any_of(links_.begin(), links_.end(),
                                 [](Link const* link) { return link != nullptr && link->one_device; });
  complete_ = comm.min(GlobalIndex{!turns && count() + 1 == comm.size()}) != 0;
  if (complete_) return;
  std::string reason;
  nccl_ = Nccl::of(space, comm, reason);
  if (!reason.empty()) failure_ += core::message(failure_.empty() ? "" : "; ", reason);
}

int Peers::count() const {
  return static_cast<int>(links_.size() - std::count(links_.begin(), links_.end(), nullptr));
}

void connect_peers(Cuda const& space, Communicator const& comm) {
  if (comm.size() == 1 || comm.peers()) return;
  auto peers = std::make_shared<Peers>(space, comm);
  comm.agree();  // all ranks have peers or none has
  comm.peers() = std::move(peers);
}

bool ranks_reach_each_other(Cuda const&, Communicator const& comm) {
  return comm.peers() && (comm.peers()->complete() || comm.peers()->nccl() != nullptr);
}

std::vector<PeerBuffers> links_of_all(Cuda const&, Communicator const& comm) {
  if (!comm.peers() || !comm.peers()->complete()) return {};
  std::vector<PeerBuffers> links;
  for (int r = 0; r < comm.size(); ++r) {
    auto const* const link = comm.peers()->link(r);
    links.push_back(link == nullptr ? PeerBuffers{} : link->buffers);
  }
  return links;
}

template <>
std::string transport_name(Cuda const& space, Communicator const& comm) {
  connect_peers(space, comm);
  if (comm.size() == 1) return {};
  auto const pairs = GlobalIndex{comm.size()} * (comm.size() - 1) / 2;
  auto const linked = comm.sum(GlobalIndex{comm.peers()->count()}) / 2;
  auto const failure = comm.peers()->failure();
  auto const others = comm.peers()->nccl() != nullptr ? core::message("NCCL ", Nccl::version())
                      : mpi_is_gpu_aware()            ? "MPI (from device memory)"
                                                      : "MPI (through pinned memory)";
  return core::message(linked, " of ", pairs, pairs == 1 ? " pair" : " pairs",
                       " of ranks write into each other's GPU memory, all other pairs use ", others,
                       failure.empty() ? "" : "; " + failure);
}

}  // namespace Tessera::comm
