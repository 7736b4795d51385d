#pragma once
/// \file
/// A non-blocking maximum over ranks.
#include <utility>
#include <vector>

#include "comm/communicator.hpp"

namespace Tessera::comm {

/// The element-wise maximum of the values of all ranks, of equal length and not NaN. Collective; starts with
/// agree(). Between the constructor and get(), ranks may use the communicator in the same order on all ranks.
class PendingMax {
 public:
  PendingMax(Communicator const& comm, std::vector<double> values) : values_(std::move(values)) {
    if (comm.size() == 1) return;
    comm.agree();
    MPI_Iallreduce(MPI_IN_PLACE, values_.data(), static_cast<int>(values_.size()), MPI_DOUBLE, MPI_MAX,
                   comm.raw(), &request_);
  }
  PendingMax(PendingMax const&) = delete;
  PendingMax& operator=(PendingMax const&) = delete;
  ~PendingMax() { wait(); }

  std::vector<double> const& get() {
    wait();
    return values_;
  }

 private:
  void wait() {
    if (request_ != MPI_REQUEST_NULL) MPI_Wait(&request_, MPI_STATUS_IGNORE);
  }

  std::vector<double> values_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace Tessera::comm
