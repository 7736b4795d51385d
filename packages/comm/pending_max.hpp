#pragma once
/// \file
/// A reduction that goes on beside other work.
#include <vector>

#include "comm/communicator.hpp"

namespace Tessera::comm {

/// The element-wise maximum of all ranks' values, which are equally many and not NaN. Collective; begins with
/// agree(). Whatever uses the communicator may stand between the constructor and get(), in the same order on
/// all ranks.
class PendingMax {
 public:
  PendingMax(Communicator const& comm, std::vector<double> values);
  PendingMax(PendingMax const&) = delete;
  PendingMax& operator=(PendingMax const&) = delete;
  ~PendingMax() { wait(); }

  std::vector<double> const& get() {
    wait();
    return values_;
  }

 private:
  void wait();

  std::vector<double> values_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace Tessera::comm
