#include "comm/transport/peers.hpp"
#include "comm/transport_name.hpp"

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

/// Of a device, as the host's bus numbers it: asking for all properties takes milliseconds.
using DeviceName = std::array<char, 16>;

/// Two processes' names and their devices'; the same on both.
using LinkName = std::tuple<std::uint64_t, DeviceName, std::uint64_t, DeviceName>;

/// What a process tells all others of its host.
struct Greeting {
  std::uint64_t process = 0;
  DeviceName device{};
  int rank = -1;
  bool willing = false;
};

/// What it offers to one of them.
struct Offer {
  bool made = false;
  cudaIpcMemHandle_t memory{};
};

/// Flags and slots, as they lie in memory that was offered.
struct Half {
  char* base = nullptr;
  static constexpr std::size_t header = 512;
  static constexpr std::size_t bytes = header + PeerBuffers::slots * PeerBuffers::slot_bytes;
  static_assert(sizeof(PeerFlags) <= header);
  PeerFlags* flags() const { return reinterpret_cast<PeerFlags*>(base); }
  char* slots() const { return base + header; }
};

/// Links live as long as the process: the driver may be gone before static objects are.
std::map<LinkName, Link>& links_of_process() {
  static auto& links = *new std::map<LinkName, Link>;
  return links;
}

/// Links that could not be had: not tried again.
std::set<LinkName>& refused_by_process() {
  static auto& refused = *new std::set<LinkName>;
  return refused;
}

/// A link under construction.
struct Attempt {
  Half mine, theirs;
  std::string failure;  ///< of the first call that did

  /// CUDA's word on a call that may well fail.
  bool worked(char const* call, cudaError_t status) {
    if (status == cudaSuccess) return true;
    cudaGetLastError();  // not sticky: the next call must not see it
    if (failure.empty()) failure = core::message(call, ": ", cudaGetErrorString(status));
    return false;
  }

  /// Memory for the other to write to.
  Offer offer() {
    Offer made;
    if (!worked("cudaMalloc", cudaMalloc(&mine.base, Half::bytes))) return made;
    made.made = worked("cudaMemset", cudaMemset(mine.base, 0, Half::header)) &&
                worked("cudaIpcGetMemHandle", cudaIpcGetMemHandle(&made.memory, mine.base)) &&
                worked("cudaDeviceSynchronize", cudaDeviceSynchronize());
    return made;
  }
  void open(Offer const& offer) {
    void* pointer = nullptr;
    if (worked("cudaIpcOpenMemHandle",
               cudaIpcOpenMemHandle(&pointer, offer.memory, cudaIpcMemLazyEnablePeerAccess)))
      theirs.base = static_cast<char*>(pointer);
  }
  void greet(std::uint64_t word) {
    if (theirs.base == nullptr) return;
    worked("cudaMemcpy", cudaMemcpy(&theirs.flags()->greeting, &word, sizeof word, cudaMemcpyHostToDevice));
    worked("cudaDeviceSynchronize", cudaDeviceSynchronize());  // a short copy returns before it is done
  }
  bool was_greeted(std::uint64_t word) {
    if (mine.base == nullptr || theirs.base == nullptr) return false;
    std::uint64_t found = ~word;
    worked("cudaMemcpy", cudaMemcpy(&found, &mine.flags()->greeting, sizeof found, cudaMemcpyDeviceToHost));
    if (found != word && failure.empty())
      failure = "what one GPU writes into the other's memory is not there";
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
  /// Of this process' GPU, once there are buffers.
  static constexpr std::size_t bytes = Half::bytes + sizeof(PeerCounters);
  void free() {
    if (mine.base != nullptr) worked("cudaFree", cudaFree(mine.base));
  }
};

Greeting greeting(Cuda const& space, Communicator const& comm) {
  static std::uint64_t const name = (std::uint64_t{std::random_device{}()} << 32) | std::random_device{}();
  char const* const wish = std::getenv("TESSERA_PEER_GPUS");
  Greeting result;
  result.process = name;
  result.rank = comm.rank();
  auto const length = static_cast<int>(result.device.size());
  TESSERA_CUDA_CHECK(cudaDeviceGetPCIBusId(result.device.data(), length, space.device));
  result.willing = wish == nullptr || std::string(wish) != "0";
  return result;
}

LinkName name_of(Greeting const& a, Greeting const& b) {
  auto const& first = a.process < b.process ? a : b;
  auto const& second = a.process < b.process ? b : a;
  return {first.process, first.device, second.process, second.device};
}

/// Processes that share memory of the host, this one among them.
class Neighbourhood {
 public:
  explicit Neighbourhood(Communicator const& comm) : all_(comm) {
    comm.agree();
    MPI_Comm_split_type(comm.raw(), MPI_COMM_TYPE_SHARED, comm.rank(), MPI_INFO_NULL, &comm_);
    MPI_Comm_size(comm_, &size_);
    MPI_Comm_rank(comm_, &rank_);
  }
  Neighbourhood(Neighbourhood const&) = delete;
  Neighbourhood& operator=(Neighbourhood const&) = delete;
  ~Neighbourhood() { MPI_Comm_free(&comm_); }
  int rank() const { return rank_; }
  int size() const { return size_; }

  template <class T>
  std::vector<T> all_gather(T const& mine) const {
    std::vector<T> all(size_);
    all_.agree();
    MPI_Allgather(&mine, sizeof(T), MPI_BYTE, all.data(), sizeof(T), MPI_BYTE, comm_);
    return all;
  }
  /// [r] goes to r, and comes from there.
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

/// Maps memory both ways and looks whether words arrive: 1 for each rank of the host that is linked with
/// this.
template <class Wanted>
std::vector<char> linked_by(Neighbourhood const& host, std::vector<Greeting> const& greetings,
                            Greeting const& me, std::vector<Attempt>& attempts, Wanted const& wanted) {
  std::vector<Offer> offers(host.size());
  for (int r = 0; r < host.size(); ++r) {
    if (wanted(greetings[r])) offers[r] = attempts[r].offer();
  }
  auto const theirs = host.swap(offers);
  for (int r = 0; r < host.size(); ++r) {
    if (offers[r].made && theirs[r].made) attempts[r].open(theirs[r]);
    attempts[r].greet(me.process);
  }
  std::vector<char> good(host.size());
  host.swap(good);  // all have greeted
  // Where peers can be mapped but what is written gets lost (PCIe bridges that translate addresses), no word
  // has come.
  for (int r = 0; r < host.size(); ++r) good[r] = attempts[r].was_greeted(greetings[r].process) ? 1 : 0;
  auto const also_good = host.swap(good);
  for (int r = 0; r < host.size(); ++r) good[r] = good[r] != 0 && also_good[r] != 0 ? 1 : 0;
  return good;
}

/// Keeps what is linked and closes the rest, of which those that are wanted are refused from now on; returns
/// why the first of these failed, if one did.
template <class Wanted>
std::string keep_links(Cuda const& space, std::vector<Greeting> const& greetings, Greeting const& me,
                       std::vector<char> const& linked, std::vector<Attempt>& attempts,
                       Wanted const& wanted) {
  std::string failure;
  std::map<LinkName, Link> links;
  std::set<LinkName> refused;
  for (std::size_t r = 0; r < attempts.size(); ++r) {
    if (linked[r] != 0) {
      bool const one_device = greetings[r].device == me.device;
      links.emplace(name_of(me, greetings[r]), Link{attempts[r].buffers(), one_device});
      continue;
    }
    attempts[r].close();
    if (wanted(greetings[r])) refused.insert(name_of(me, greetings[r]));
    if (failure.empty()) failure = attempts[r].failure;
  }
  core::count_memory(space, links.size() * Attempt::bytes);
  links_of_process().merge(links);
  refused_by_process().merge(refused);
  return failure;
}

/// Links this process with those of the neighbourhood that it is not linked with; returns why that failed
/// somewhere, if it did.
std::string make_links(Cuda const& space, Neighbourhood const& host, std::vector<Greeting> const& greetings) {
  auto const& me = greetings[host.rank()];
  auto const wanted = [&](Greeting const& other) {
    auto const name = name_of(me, other);
    return other.process != me.process && me.willing && other.willing &&
           links_of_process().count(name) == 0 && refused_by_process().count(name) == 0;
  };
  std::vector<Attempt> attempts(host.size());
  auto const good = linked_by(host, greetings, me, attempts, wanted);
  auto const failure = keep_links(space, greetings, me, good, attempts, wanted);
  host.swap(good);  // nobody has the memory of others open that he was not linked with, or has failed
  for (int r = 0; r < host.size(); ++r) {
    if (good[r] == 0) attempts[r].free();
  }
  TESSERA_CUDA_CHECK(cudaDeviceSynchronize());  // counters are cleared before the first message
  return failure;
}

}  // namespace

Peers::Peers(Cuda const& space, Communicator const& comm) : links_(comm.size(), nullptr) {
  Neighbourhood const host(comm);
  auto const greetings = host.all_gather(greeting(space, comm));
  failure_ = make_links(space, host, greetings);
  auto const& me = greetings[host.rank()];
  for (auto const& other : greetings) {
    auto const found = links_of_process().find(name_of(me, other));
    if (me.willing && other.willing && found != links_of_process().end()) links_[other.rank] = &found->second;
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
  comm.agree();  // all have them or none
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
std::string how_gpus_exchange(Cuda const& space, Communicator const& comm) {
  connect_peers(space, comm);
  if (comm.size() == 1) return {};
  auto const pairs = GlobalIndex{comm.size()} * (comm.size() - 1) / 2;
  auto const linked = comm.sum(GlobalIndex{comm.peers()->count()}) / 2;
  auto const failure = comm.peers()->failure();
  auto const others = comm.peers()->nccl() != nullptr ? core::message("NCCL ", Nccl::version())
                      : mpi_is_gpu_aware()            ? "MPI (from device memory)"
                                                      : "MPI (through pinned memory)";
  return core::message(linked, " of ", pairs, pairs == 1 ? " pair" : " pairs",
                       " of ranks write into each other's GPU memory, the others send by ", others,
                       failure.empty() ? "" : "; " + failure);
}

}  // namespace Tessera::comm
