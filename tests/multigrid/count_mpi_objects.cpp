// Stands between the program and MPI.
#include <mpi.h>

#include <algorithm>
#include <cstdint>

#include "multigrid/held.hpp"

namespace {

std::int64_t communicators = 0, requests = 0;

int open(int count, MPI_Request const* all) {
  return static_cast<int>(
      std::count_if(all, all + count, [](MPI_Request request) { return request != MPI_REQUEST_NULL; }));
}

/// Completes some of these.
template <class Call>
int completing(int count, MPI_Request const* all, Call const& call) {
  auto const before = open(count, all);
  int const status = call();
  requests -= before - open(count, all);
  return status;
}

}  // namespace

namespace Tessera::test {

std::int64_t mpi_communicators() {
  return communicators;
}
std::int64_t mpi_requests() {
  return requests;
}

}  // namespace Tessera::test

extern "C" {

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) {
  ++communicators;
  return PMPI_Comm_dup(comm, made);
}
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made) {
  ++communicators;
  return PMPI_Comm_split_type(comm, type, key, info, made);
}
int MPI_Comm_free(MPI_Comm* comm) {
  --communicators;
  return PMPI_Comm_free(comm);
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  ++requests;
  return PMPI_Irecv(data, count, type, from, tag, comm, request);
}
int MPI_Isend(void const* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  ++requests;
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}
int MPI_Iallreduce(void const* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
  ++requests;
  return PMPI_Iallreduce(send, receive, count, type, op, comm, request);
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  return completing(1, request, [&] { return PMPI_Wait(request, status); });
}
int MPI_Waitall(int count, MPI_Request* all, MPI_Status* statuses) {
  return completing(count, all, [&] { return PMPI_Waitall(count, all, statuses); });
}
int MPI_Testall(int count, MPI_Request* all, int* complete, MPI_Status* statuses) {
  return completing(count, all, [&] { return PMPI_Testall(count, all, complete, statuses); });
}

}  // extern "C"
