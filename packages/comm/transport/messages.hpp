#pragma once
/// \file
/// Non-blocking MPI messages of any size, and the communication thread of Overlap::task.
#include <mpi.h>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

#include "comm/communicator.hpp"

namespace Tessera::comm {

/// Tags of messages; a duplicated communicator has no others.
enum class MessageTag : int { packed = 1, halo = 2 };

/// MPI counts are int: longer messages are sent in parts, which arrive in order.
constexpr std::size_t longest_message = std::size_t{1} << 30;

/// Number of parts, hence of requests, of a message.
inline std::size_t messages_of(std::size_t bytes) {
  return bytes / longest_message + (bytes % longest_message == 0 ? 0 : 1);
}

inline void post_receive(Communicator const& comm, int from, MessageTag tag, void* data, std::size_t bytes,
                         std::vector<MPI_Request>& requests) {
  for (std::size_t at = 0; at < bytes; at += longest_message) {
    auto const part = static_cast<int>(std::min(bytes - at, longest_message));
    requests.emplace_back();
    MPI_Irecv(static_cast<char*>(data) + at, part, MPI_BYTE, from, static_cast<int>(tag), comm.raw(),
              &requests.back());
  }
}

inline void post_send(Communicator const& comm, int to, MessageTag tag, void const* data, std::size_t bytes,
                      std::vector<MPI_Request>& requests) {
  for (std::size_t at = 0; at < bytes; at += longest_message) {
    auto const part = static_cast<int>(std::min(bytes - at, longest_message));
    requests.emplace_back();
    MPI_Isend(static_cast<char const*>(data) + at, part, MPI_BYTE, to, static_cast<int>(tag), comm.raw(),
              &requests.back());
  }
}

/// Makes no MPI call without a request, because a serial program may not have started MPI.
inline void wait_for_all(std::vector<MPI_Request>& requests) {
  if (!requests.empty()) {
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }
  requests.clear();
}

/// Drives messages while the thread that has started them computes. Sleeps between exchanges, and yields its
/// core during exchanges.
class CommunicationThread {
 public:
  /// \throws std::system_error if the system cannot start a thread
  CommunicationThread();
  CommunicationThread(CommunicationThread const&) = delete;
  CommunicationThread& operator=(CommunicationThread const&) = delete;
  ~CommunicationThread();

  /// Drives the requests of one exchange during its lifetime. The destructor waits for incomplete requests in
  /// the calling thread, because the communication thread may have no core. During its lifetime the caller
  /// does not call MPI, and no two threads ever call MPI at once; so MPI_THREAD_SERIALIZED suffices.
  class Driving {
   public:
    Driving(CommunicationThread& thread, std::vector<MPI_Request>& requests);
    Driving(Driving const&) = delete;
    Driving& operator=(Driving const&) = delete;
    ~Driving();

   private:
    CommunicationThread& thread_;
    std::vector<MPI_Request>& requests_;
  };

 private:
  void drive(std::vector<MPI_Request>* requests);
  void run();

  std::mutex mutex_;  ///< held by the thread when it calls MPI
  std::condition_variable changed_;
  std::vector<MPI_Request>* requests_ = nullptr;  ///< null between exchanges
  bool ends_ = false;
  std::thread thread_;  ///< the last member, because it uses all others
};

}  // namespace Tessera::comm
