#include "comm/transport/nccl.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <map>

#include "comm/transport/peers.hpp"
#include "core/cuda_check.cuh"
#if __has_include(<nccl.h>)
#include <nccl.h>
#define TESSERA_HAVE_NCCL
#endif

namespace Tessera::comm {

struct Nccl::State {
#if defined(TESSERA_HAVE_NCCL)
  ncclComm_t comm = nullptr;
  cudaStream_t stream = nullptr;
  cudaEvent_t begun = nullptr, done = nullptr;
#endif
};

#if defined(TESSERA_HAVE_NCCL)

namespace {

/// NCCL's functions, loaded on first use, so that programs start on machines without NCCL.
struct Library {
  decltype(&ncclGetVersion) get_version = nullptr;
  decltype(&ncclGetUniqueId) get_unique_id = nullptr;
  decltype(&ncclCommInitRank) comm_init_rank = nullptr;
  decltype(&ncclGroupStart) group_start = nullptr;
  decltype(&ncclGroupEnd) group_end = nullptr;
  decltype(&ncclSend) send = nullptr;
  decltype(&ncclRecv) receive = nullptr;
  decltype(&ncclGetErrorString) error_string = nullptr;
  std::string failure;

  Library() {
    void* const handle = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      failure = dlerror();
      return;
    }
    auto const find = [&](auto& function, char const* name) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(handle, name));
      if (function == nullptr) failure = core::message("libnccl.so.2 has no ", name);
    };
    find(get_version, "ncclGetVersion");
    find(get_unique_id, "ncclGetUniqueId");
    find(comm_init_rank, "ncclCommInitRank");
    find(group_start, "ncclGroupStart");
    find(group_end, "ncclGroupEnd");
    find(send, "ncclSend");
    find(receive, "ncclRecv");
    find(error_string, "ncclGetErrorString");
  }
};

Library const& library() {
  static Library const loaded;
  return loaded;
}

void check(char const* call, ncclResult_t status) {
  if (status == ncclSuccess) return;
  throw std::runtime_error(core::message(call, " failed: ", library().error_string(status)));
}

/// Name of a device that is unique among all hosts.
using DeviceName = std::array<char, MPI_MAX_PROCESSOR_NAME + 16>;

DeviceName device_name(Cuda const& space) {
  DeviceName name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  TESSERA_CUDA_CHECK(cudaDeviceGetPCIBusId(name.data() + MPI_MAX_PROCESSOR_NAME, 16, space.device));
  return name;
}

/// The reason why this rank cannot use NCCL; empty if it can.
std::string unavailable_reason(std::vector<DeviceName> devices) {
  char const* const setting = std::getenv("TESSERA_NCCL");
  if (setting != nullptr && std::string(setting) == "0") return "TESSERA_NCCL=0";
  if (!library().failure.empty()) return library().failure;
  std::sort(devices.begin(), devices.end());
  if (std::adjacent_find(devices.begin(), devices.end()) != devices.end())
    return "NCCL: two ranks share a device";
  return {};
}

/// Data that ranks exchange before NCCL starts.
struct NcclStart {
  std::array<char, 200> reason{};
  ncclUniqueId id{};
};

}  // namespace

Nccl::Nccl(std::unique_ptr<State> state) : state_(std::move(state)) {}

Nccl::~Nccl() = default;  // lives as long as the process, because CUDA may end first

std::shared_ptr<Nccl> Nccl::of(Cuda const& space, Communicator const& comm, std::string& reason) {
  struct CachedNccl {
    std::shared_ptr<Nccl> nccl;
    std::string reason;
  };
  using Processes = std::vector<DeviceName>;
  static auto& all = *new std::map<Processes, CachedNccl>;
  auto const devices = comm.all_gather(device_name(space));
  auto& cached = all[devices];
  // All ranks have asked before or none, unless a rank has changed its number.
  bool const is_cached = comm.min(GlobalIndex{cached.nccl || !cached.reason.empty()}) != 0;
  if (!is_cached) {
    NcclStart mine;
    auto const why = unavailable_reason(devices);
    std::copy_n(why.data(), std::min(why.size(), mine.reason.size() - 1), mine.reason.data());
    if (why.empty() && comm.rank() == 0) check("ncclGetUniqueId", library().get_unique_id(&mine.id));
    auto const starts = comm.all_gather(mine);
    auto const unavailable = std::find_if(starts.begin(), starts.end(),
                                          [](NcclStart const& start) { return start.reason[0] != '\0'; });
    if (unavailable != starts.end()) {
      cached.reason = unavailable->reason.data();
    } else {
      // NVLink multicast is used for sums only, and does not work on every machine that offers it.
      setenv("NCCL_NVLS_ENABLE", "0", 0);
      auto state = std::make_unique<State>();
      check("ncclCommInitRank",
            library().comm_init_rank(&state->comm, comm.size(), starts.front().id, comm.rank()));
      TESSERA_CUDA_CHECK(cudaStreamCreateWithFlags(&state->stream, cudaStreamNonBlocking));
      for (auto* const event : {&state->begun, &state->done})
        TESSERA_CUDA_CHECK(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
      cached.nccl = std::shared_ptr<Nccl>(new Nccl(std::move(state)));
    }
  }
  reason = cached.reason;
  return cached.nccl;
}

void Nccl::exchange(Cuda const& space, std::vector<Neighbour> const& to, char const* source,
                    std::vector<Neighbour> const& from, char* target, std::size_t element) {
  TESSERA_CUDA_CHECK(cudaEventRecord(state_->begun, space.stream));
  TESSERA_CUDA_CHECK(cudaStreamWaitEvent(state_->stream, state_->begun, 0));
  check("ncclGroupStart", library().group_start());
  for (auto const& [rank, begin, end] : to)
    check("ncclSend", library().send(source + begin * element, (end - begin) * element, ncclInt8, rank,
                                     state_->comm, state_->stream));
  for (auto const& [rank, begin, end] : from)
    check("ncclRecv", library().receive(target + begin * element, (end - begin) * element, ncclInt8, rank,
                                        state_->comm, state_->stream));
  check("ncclGroupEnd", library().group_end());
  TESSERA_CUDA_CHECK(cudaEventRecord(state_->done, state_->stream));
}

void Nccl::wait(Cuda const& space) {
  TESSERA_CUDA_CHECK(cudaStreamWaitEvent(space.stream, state_->done, 0));
}

std::string Nccl::version() {
  int number = 0;
  if (library().failure.empty()) check("ncclGetVersion", library().get_version(&number));
  return core::message(number / 10000, ".", number / 100 % 100, ".", number % 100);
}

#else

Nccl::~Nccl() = default;
std::shared_ptr<Nccl> Nccl::of(Cuda const&, Communicator const&, std::string& reason) {
  reason = "this build has no NCCL (nccl.h was not found)";
  return nullptr;
}
void Nccl::exchange(Cuda const&, std::vector<Neighbour> const&, char const*, std::vector<Neighbour> const&,
                    char*, std::size_t) {}
void Nccl::wait(Cuda const&) {}
std::string Nccl::version() {
  return {};
}

#endif

bool can_exchange_by_nccl(Cuda const&, Communicator const& comm, std::size_t bytes) {
  return bytes > 0 && comm.peers() && comm.peers()->nccl() != nullptr;
}

void start_nccl(Cuda const& space, Communicator const& comm, std::vector<Neighbour> const& to,
                char const* source, std::vector<Neighbour> const& from, char* target, std::size_t element) {
  if (!to.empty() || !from.empty()) comm.peers()->nccl()->exchange(space, to, source, from, target, element);
}

void finish_nccl(Cuda const& space, Communicator const& comm) {
  comm.peers()->nccl()->wait(space);
}

}  // namespace Tessera::comm
