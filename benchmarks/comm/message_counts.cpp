// Counts of messages between ranks: mpirun -np P message_counts [side [runs]]
//
// Laplace3D on boxes of side^3 points on each rank. Prints the levels of the hierarchy, and for a setup and a
// cycle the messages and kilobytes that the busiest rank sends, the collective operations, the reductions
// that ranks do not wait for at once, and the time of the shortest run; and the counts of each phase of the
// setup. The model in benchmarks/scaling_model.py uses the counts, which hold for every back end that
// exchanges by MPI.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "comm/boxes.hpp"
#include "core/timer.hpp"
#include "multigrid/levels/hierarchy.hpp"

namespace {

struct Counts {
  long long messages = 0, bytes = 0, reductions = 0, gathers = 0, all_to_alls = 0, overlapped = 0;
  Counts& operator+=(Counts const& other) {
    messages += other.messages, bytes += other.bytes, reductions += other.reductions;
    gathers += other.gathers, all_to_alls += other.all_to_alls, overlapped += other.overlapped;
    return *this;
  }
};

std::map<std::string, Counts> counts_of_phases;
std::vector<std::string> open_regions;
Counts* counts = nullptr;  // of the innermost region

void find_counts() {
  counts = &counts_of_phases[open_regions.empty() ? "rest" : open_regions.back()];
}

/// Levels, and what contains or follows phases, count as the rest.
class CountRegions final : public Tessera::core::RegionObserver {
 public:
  void begin(char const* name, int level) override {
    std::string const text = name;
    bool const is_phase = level < 0 && text != "setup" && text != "cycle";
    open_regions.push_back(is_phase ? text : "rest");
    find_counts();
  }
  void end() override {
    open_regions.pop_back();
    find_counts();
  }
};

}  // namespace

// MPI's profiling interface: the linker takes these functions instead of MPI's.
extern "C" {
int MPI_Isend(void const* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  int size = 0;
  MPI_Type_size(type, &size);
  ++counts->messages;
  counts->bytes += static_cast<long long>(size) * count;
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}
int MPI_Allreduce(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  ++counts->reductions;
  return PMPI_Allreduce(in, out, count, type, op, comm);
}
int MPI_Iallreduce(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
  ++counts->overlapped;
  return PMPI_Iallreduce(in, out, count, type, op, comm, request);
}
int MPI_Allgather(void const* in, int n, MPI_Datatype type, void* out, int m, MPI_Datatype of,
                  MPI_Comm comm) {
  ++counts->gathers;
  return PMPI_Allgather(in, n, type, out, m, of, comm);
}
int MPI_Allgatherv(void const* in, int n, MPI_Datatype type, void* out, int const* m, int const* starts,
                   MPI_Datatype of, MPI_Comm comm) {
  ++counts->gathers;
  return PMPI_Allgatherv(in, n, type, out, m, starts, of, comm);
}
int MPI_Alltoall(void const* in, int n, MPI_Datatype type, void* out, int m, MPI_Datatype of, MPI_Comm comm) {
  ++counts->all_to_alls;
  return PMPI_Alltoall(in, n, type, out, m, of, comm);
}
int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  ++counts->reductions;
  return PMPI_Bcast(data, count, type, root, comm);
}
}

namespace Tessera::benchmarks {
namespace {

void run(GlobalIndex side, int runs) {
  comm::Communicator const comm(MPI_COMM_WORLD);
  auto const A = laplace_on_boxes(comm, side, false);
  std::vector<VertexId> ids;
  for (auto i = A.rows.begin(); i < A.rows.end(); ++i) ids.push_back(i);
  auto const print = [&](std::string const& what, Counts const& all) {
    auto const messages = comm.max(GlobalIndex{all.messages}), bytes = comm.max(GlobalIndex{all.bytes});
    if (comm.rank() == 0)
      std::printf(
          "%d ranks, %lld^3 a rank, %s: %lld messages, %.1f kB, %lld reductions, %lld gathers, %lld "
          "all-to-alls, %lld overlapped reductions",
          comm.size(), static_cast<long long>(side), what.c_str(), static_cast<long long>(messages),
          1e-3 * static_cast<double>(bytes), all.reductions, all.gathers, all.all_to_alls, all.overlapped);
  };
  auto const counted = [&](std::string const& what, auto const& work) {
    double seconds = HUGE_VAL;
    for (int k = 0; k < runs; ++k) {
      counts_of_phases.clear();
      find_counts();
      MPI_Barrier(comm.raw());
      double const begin = MPI_Wtime();
      work();
      seconds = std::min(seconds, MPI_Wtime() - begin);
    }
    auto const of_phases = counts_of_phases;  // before this function reduces
    seconds = comm.max(seconds);
    Counts all;
    for (auto const& [phase, one] : of_phases) {
      all += one;
      if (of_phases.size() == 1) continue;
      print(what + ", " + phase, one);
      if (comm.rank() == 0) std::printf("\n");
    }
    print(what, all);
    if (comm.rank() == 0) std::printf(", %.3f ms\n", 1e3 * seconds);
  };
  std::unique_ptr<multigrid::Hierarchy<float, Host>> M;
  counted("setup", [&] {
    M = std::make_unique<multigrid::Hierarchy<float, Host>>(
        Host{}, A, core::to_space(Host{}, ids), multigrid::NearNullspace{}, multigrid::Parameters{});
  });
  std::vector<double> const b(ids.size(), 1.0);
  std::vector<double> x(ids.size());
  counted("cycle", [&] { M->apply({b.data(), b.size()}, {x.data(), x.size()}); });
  auto const& report = M->report();
  if (comm.rank() != 0) return;
  std::printf("%d ranks, %lld^3 a rank, levels:", comm.size(), static_cast<long long>(side));
  for (auto const& level : report.levels)
    std::printf(" %lld rows %lld nonzeros on %d,", static_cast<long long>(level.rows),
                static_cast<long long>(level.nonzeros), level.active_ranks);
  std::printf("\n");
}

}  // namespace
}  // namespace Tessera::benchmarks

int main(int argc, char** argv) {
  find_counts();
  CountRegions observer;
  Tessera::core::observe_regions(&observer);
  MPI_Init(&argc, &argv);
  Tessera::benchmarks::run(argc > 1 ? std::atoi(argv[1]) : 20, argc > 2 ? std::atoi(argv[2]) : 1);
  MPI_Finalize();
}
