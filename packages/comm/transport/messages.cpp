#include "comm/transport/messages.hpp"

namespace Tessera::comm {

CommunicationThread::CommunicationThread() : thread_([this] { run(); }) {}

CommunicationThread::~CommunicationThread() {
  {
    std::lock_guard const lock(mutex_);
    ends_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void CommunicationThread::drive(std::vector<MPI_Request>* requests) {
  std::lock_guard const lock(mutex_);
  requests_ = requests;
}

void CommunicationThread::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return requests_ != nullptr || ends_; });
    if (ends_) return;
    int complete = 0;
    MPI_Testall(static_cast<int>(requests_->size()), requests_->data(), &complete, MPI_STATUSES_IGNORE);
    if (complete != 0) requests_ = nullptr;
    lock.unlock();
    std::this_thread::yield();
    lock.lock();
  }
}

CommunicationThread::Driving::Driving(CommunicationThread& thread, std::vector<MPI_Request>& requests)
    : thread_(thread), requests_(requests) {
  thread.drive(&requests);
  thread.changed_.notify_one();
}

CommunicationThread::Driving::~Driving() {
  thread_.drive(nullptr);
  wait_for_all(requests_);  // complete requests are null
}

}  // namespace Tessera::comm
