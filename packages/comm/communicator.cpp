#include "comm/communicator.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>

#include "comm/transport/messages.hpp"
#include "core/error.hpp"

namespace Tessera::comm {

struct Communicator::Handle {
  MPI_Comm comm = MPI_COMM_SELF;
  int rank = 0;
  int size = 1;
  std::shared_ptr<Peers> peers;
  ErrorSync* error_sync = nullptr;
  Overlap overlap = Overlap::automatic;
  std::unique_ptr<CommunicationThread> thread;
  std::vector<GlobalIndex> numbers{0, 0};

  Handle() = default;
  explicit Handle(MPI_Comm original) {
    MPI_Comm_dup(original, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);  // no call site checks return codes
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    numbers.resize(2 * static_cast<std::size_t>(size));
  }
  Handle(Handle const&) = delete;
  Handle& operator=(Handle const&) = delete;
  ~Handle() {
    if (comm == MPI_COMM_SELF) return;
    int finalised = 0;
    MPI_Finalized(&finalised);
    if (!finalised) MPI_Comm_free(&comm);
  }
};

// One handle serves every default communicator. With one rank no function below calls MPI, so that serial
// programs need not start it.
Communicator::Communicator() {
  static auto const self = std::make_shared<Handle>();
  handle_ = self;
}

Communicator::Communicator(MPI_Comm comm) : handle_(std::make_shared<Handle>(comm)) {}

int Communicator::rank() const {
  return handle_->rank;
}
int Communicator::size() const {
  return handle_->size;
}
MPI_Comm Communicator::raw() const {
  return handle_->comm;
}
std::shared_ptr<Peers>& Communicator::peers() const {
  return handle_->peers;
}
ErrorSync*& Communicator::error_sync() const {
  return handle_->error_sync;
}
std::vector<GlobalIndex>& Communicator::numbers() const {
  return handle_->numbers;
}
Overlap Communicator::overlap() const {
  return handle_->overlap;
}
CommunicationThread* Communicator::communication_thread() const {
  return handle_->thread.get();
}

namespace {

char const* thread_level_name(int thread_level) {
  return thread_level == MPI_THREAD_FUNNELED ? "MPI_THREAD_FUNNELED" : "MPI_THREAD_SINGLE";
}

}  // namespace

int mpi_thread_level() {
  int runs = 0, level = MPI_THREAD_SINGLE;
  MPI_Initialized(&runs);
  if (runs != 0) MPI_Query_thread(&level);
  return level;
}

void Communicator::choose_overlap(Overlap overlap, int thread_level) const {
  if (size() == 1) return;  // no messages
  if (overlap != Overlap::task) {
    handle_->thread.reset();
  } else if (handle_->thread == nullptr) {
    agree_on_errors(*this, [&] {
      if (thread_level < MPI_THREAD_SERIALIZED) {
        throw core::Unavailable(core::message("`communication: mode` is task, but MPI gives rank ", rank(),
                                              " ", thread_level_name(thread_level),
                                              " (this mode calls MPI from a second thread, which that level "
                                              "forbids; MPI_Init requests no higher ",
                                              "one); start MPI by MPI_Init_thread with MPI_THREAD_SERIALIZED "
                                              "or MPI_THREAD_MULTIPLE, or set naive"));
      }
      handle_->thread = std::make_unique<CommunicationThread>();
    });
  }
  handle_->overlap = overlap;
  if (overlap != Overlap::automatic) handle_->peers.reset();
}

double Communicator::sum(double value) const {
  if (size() == 1) return value;
  std::vector<double> values(size());
  agree();
  MPI_Allgather(&value, 1, MPI_DOUBLE, values.data(), 1, MPI_DOUBLE, raw());
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double Communicator::max(double value) const {
  std::int64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  bits = detail::reduce_with_agreement(*this, detail::Reduction::max_of_doubles, bits);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

GlobalIndex Communicator::sum(GlobalIndex value) const {
  return detail::reduce_with_agreement(*this, detail::Reduction::sum, value);
}
GlobalIndex Communicator::max(GlobalIndex value) const {
  return detail::reduce_with_agreement(*this, detail::Reduction::max, value);
}
GlobalIndex Communicator::min(GlobalIndex value) const {
  return detail::reduce_with_agreement(*this, detail::Reduction::min, value);
}
bool Communicator::any(bool value) const {
  return max(GlobalIndex{value}) != 0;
}

void Communicator::sum(std::vector<double>& values) const {
  if (size() == 1) return;
  auto const n = values.size();
  std::vector<double> all(n * size());
  agree();
  MPI_Allgather(values.data(), static_cast<int>(n), MPI_DOUBLE, all.data(), static_cast<int>(n), MPI_DOUBLE,
                raw());
  for (std::size_t i = 0; i < n; ++i) {
    values[i] = 0;
    for (int r = 0; r < size(); ++r) values[i] += all[r * n + i];
  }
}

void Communicator::gather_bytes(void const* mine, std::size_t bytes, void* all) const {
  agree();
  if (size() == 1) return;
  auto const count = static_cast<int>(bytes);
  MPI_Allgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, raw());
}

std::vector<double> Communicator::all_gather(std::vector<double> const& values) const {
  if (size() == 1) return values;
  auto const lengths = all_gather(static_cast<GlobalIndex>(values.size()));
  std::vector<int> counts(lengths.begin(), lengths.end());
  std::vector<int> starts(counts.size() + 1, 0);
  std::partial_sum(counts.begin(), counts.end(), starts.begin() + 1);
  std::vector<double> all(starts.back());
  agree();
  MPI_Allgatherv(values.data(), counts[rank()], MPI_DOUBLE, all.data(), counts.data(), starts.data(),
                 MPI_DOUBLE, raw());
  return all;
}

std::vector<GlobalIndex> Communicator::all_to_all(std::vector<GlobalIndex> const& numbers) const {
  if (size() == 1) return numbers;
  std::vector<GlobalIndex> received(size());
  agree();
  MPI_Alltoall(numbers.data(), 1, MPI_INT64_T, received.data(), 1, MPI_INT64_T, raw());
  return received;
}

// MPI_Alltoall sends the sizes, instead of a consensus by probes and a non-blocking barrier (NBX): only
// setups use it, it costs 8 bytes a rank, and ranks that share a core sleep in it instead of polling.
PackedBuffers Communicator::exchange(PackedBuffers const& outgoing) const {
  if (size() == 1) return outgoing;
  std::vector<GlobalIndex> sent(size(), 0);
  for (auto const& [to, buffer] : outgoing) sent[to] = static_cast<GlobalIndex>(buffer.size());
  auto const received = all_to_all(sent);

  PackedBuffers incoming;
  std::size_t messages = 0;
  for (int from = 0; from < size(); ++from) {
    if (received[from] == 0) continue;
    auto& buffer = incoming[from];
    buffer.resize(received[from]);
    if (from == rank()) buffer = outgoing.at(from);
    messages += messages_of(buffer.size());
  }
  for (auto const& [to, buffer] : outgoing) messages += messages_of(buffer.size());
  std::vector<MPI_Request> requests;
  requests.reserve(messages);
  agree();
  for (auto& [from, buffer] : incoming) {
    if (from != rank()) post_receive(*this, from, MessageTag::packed, buffer.data(), buffer.size(), requests);
  }
  for (auto const& [to, buffer] : outgoing) {
    if (to != rank()) post_send(*this, to, MessageTag::packed, buffer.data(), buffer.size(), requests);
  }
  wait_for_all(requests);
  return incoming;
}

}  // namespace Tessera::comm
