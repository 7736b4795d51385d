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

/// NCCL's functions. It is loaded when it is wanted: programs start on machines that do not have it.
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

/// A device of all hosts.
using DeviceName = std::array<char, MPI_MAX_PROCESSOR_NAME + 16>;

DeviceName device_name(Cuda const& space) {
  DeviceName name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  TESSERA_CUDA_CHECK(cudaDeviceGetPCIBusId(name.data() + MPI_MAX_PROCESSOR_NAME, 16, space.device));
  return name;
}

/// Why this rank cannot; empty if it can.
std::string obstacle(std::vector<DeviceName> devices) {
  char const* const wish = std::getenv("TESSERA_NCCL");
  if (wish != nullptr && std::string(wish) == "0") return "TESSERA_NCCL=0";
  if (!library().failure.empty()) return library().failure;
  std::sort(devices.begin(), devices.end());
  if (std::adjacent_find(devices.begin(), devices.end()) != devices.end())
    return "NCCL: two ranks share a device";
  return {};
}

/// What a rank tells the others.
struct Word {
  std::array<char, 200> reason{};
  ncclUniqueId id{};
};

}  // namespace

Nccl::Nccl(std::unique_ptr<State> state) : state_(std::move(state)) {}

Nccl::~Nccl() = default;  // lives as long as the process: CUDA may be gone by then

std::shared_ptr<Nccl> Nccl::of(Cuda const& space, Communicator const& comm, std::string& reason) {
  struct Made {
    std::shared_ptr<Nccl> nccl;
    std::string reason;
  };
  using Processes = std::vector<DeviceName>;
  static auto& all = *new std::map<Processes, Made>;
  auto const devices = comm.all_gather(device_name(space));
  auto& made = all[devices];
  // Whether these ranks have asked before is the same on all of them, unless one has another number now.
  bool const known = comm.min(GlobalIndex{made.nccl || !made.reason.empty()}) != 0;
  if (!known) {
    Word mine;
    auto const why = obstacle(devices);
    std::copy_n(why.data(), std::min(why.size(), mine.reason.size() - 1), mine.reason.data());
    if (why.empty() && comm.rank() == 0) check("ncclGetUniqueId", library().get_unique_id(&mine.id));
    auto const words = comm.all_gather(mine);
    auto const refusing =
        std::find_if(words.begin(), words.end(), [](Word const& word) { return word.reason[0] != '\0'; });
    if (refusing != words.end()) {
      made.reason = refusing->reason.data();
    } else {
      // Multicast over NVLink serves sums only, and not every machine that offers it carries it out.
      setenv("NCCL_NVLS_ENABLE", "0", 0);
      auto state = std::make_unique<State>();
      check("ncclCommInitRank",
            library().comm_init_rank(&state->comm, comm.size(), words.front().id, comm.rank()));
      TESSERA_CUDA_CHECK(cudaStreamCreateWithFlags(&state->stream, cudaStreamNonBlocking));
      for (auto* const event : {&state->begun, &state->done})
        TESSERA_CUDA_CHECK(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
      made.nccl = std::shared_ptr<Nccl>(new Nccl(std::move(state)));
    }
  }
  reason = made.reason;
  return made.nccl;
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
