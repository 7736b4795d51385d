#pragma once
/// \file
/// The thread of Overlap::task.
#include <mpi.h>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace Tessera::comm {

/// Drives messages while the thread that has begun them works. Sleeps between exchanges; in one it yields to
/// whatever else wants its core.
class CommunicationThread {
 public:
  /// \throws std::system_error where the system gives no thread
  CommunicationThread();
  CommunicationThread(CommunicationThread const&) = delete;
  CommunicationThread& operator=(CommunicationThread const&) = delete;
  ~CommunicationThread();

  /// Requests of one exchange, which are complete when this ends, and gone: the caller, whose work is done by
  /// then, waits for the rest itself rather than for a thread that may have no core. While this lives the
  /// caller does not call MPI, and no two threads ever do at once, so that MPI_THREAD_SERIALIZED is enough.
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
  std::vector<MPI_Request>* requests_ = nullptr;  ///< to be driven
  bool ends_ = false;
  std::thread thread_;  ///< the last member: it uses the others
};

}  // namespace Tessera::comm
