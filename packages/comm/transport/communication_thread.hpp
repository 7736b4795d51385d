#pragma once
/// \file
/// The communication thread of Overlap::task.
#include <mpi.h>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace Tessera::comm {

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
