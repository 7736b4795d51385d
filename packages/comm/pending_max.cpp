#include "comm/pending_max.hpp"

#include <utility>

namespace Tessera::comm {

PendingMax::PendingMax(Communicator const& comm, std::vector<double> values) : values_(std::move(values)) {
  if (comm.size() == 1) return;
  comm.agree();
  MPI_Iallreduce(MPI_IN_PLACE, values_.data(), static_cast<int>(values_.size()), MPI_DOUBLE, MPI_MAX,
                 comm.raw(), &request_);
}

void PendingMax::wait() {
  if (request_ != MPI_REQUEST_NULL) MPI_Wait(&request_, MPI_STATUS_IGNORE);
}

}  // namespace Tessera::comm
