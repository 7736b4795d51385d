#include <Trilinos_version.h>
#include <mpi.h>
#include <omp.h>

#include <Kokkos_Core.hpp>
#include <cstdio>
#include <fstream>
#include <thread>

#include "baselines/preconditioner.hpp"
#include "cli/commands.hpp"
#include "cli/report.hpp"
#include "comm/communicator.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "core/version.hpp"
#include "ifpack2/backend.hpp"
#include "tpetra/types.hpp"

namespace Tessera::cli {
namespace {

void print_devices() {
  auto const reason = core::cuda_unavailable_reason();
  if (!core::cuda_compiled()) {
    std::printf("CUDA         not compiled in (configure with -DTESSERA_ENABLE_CUDA=ON; preset cuda)\n");
    return;
  }
  auto const driver = core::cuda_driver_version();
  std::printf("CUDA         compiled in: runtime %s, driver for %s%s\n", core::cuda_runtime_version().c_str(),
              driver.empty() ? "none" : driver.c_str(), reason.empty() ? "" : ("; " + reason).c_str());
  auto const devices = core::cuda_devices();
  for (std::size_t i = 0; i < devices.size(); ++i) {
    auto const& one = devices[i];
    std::printf("device %-5zu %s, compute capability %d.%d, %.1f GiB\n", i, one.name.c_str(), one.major,
                one.minor, static_cast<double>(one.memory) / (1024.0 * 1024.0 * 1024.0));
  }
}

/// The transport of messages between the GPUs of preconditioners; empty on one rank, or if a rank has no GPU.
/// Collective.
std::string gpu_messages(Comm const& comm) {
  auto const ranks = tpetra::communicator(*comm);
  if (ranks.size() == 1) return {};
  return std::visit(
      [&](auto const& space) -> std::string {
        if constexpr (std::is_same_v<decltype(space), Cuda const&>) return comm::transport_name(space, ranks);
        return {};
      },
      ifpack2::choose_backend(settings::Settings{}, ranks).space);
}

std::string mpi_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::string const all(text, length);
  return all.substr(0, all.find_first_of(",\n"));
}

}  // namespace

Facts versions() {
  return {{"Tessera", core::version()},
          {"Trilinos", core::message(TRILINOS_VERSION_STRING, " (Kokkos runs on ",
                                     Kokkos::DefaultExecutionSpace::name(), ")")},
          {"MPI", mpi_version()},
          {"compiler", TESSERA_COMPILER}};
}

std::string processor() {
  std::string model = "unknown processor";
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    auto const colon = line.find(": ");
    if (line.rfind("model name", 0) != 0 || colon == std::string::npos) continue;
    model = line.substr(colon + 2);
    break;
  }
  return core::message(model, ", ", std::thread::hardware_concurrency(), " hardware threads");
}

int run_info(Options const&, Comm const& comm) {
  auto const messages = gpu_messages(comm);
  if (comm->getRank() != 0) return 0;
  for (auto const& [what, version] : versions()) std::printf("%-12s %s\n", what.c_str(), version.c_str());
  std::printf("ranks        %d\n", comm->getSize());
  std::printf("threads      %d a rank\n", omp_get_max_threads());
  print_devices();
  if (!messages.empty()) std::printf("messages     %s\n", messages.c_str());
  for (auto type : {"ML", "MueLu", "Ifpack2"}) {
    std::string reason;
    bool const there = baselines::is_available(type, &reason);
    std::printf("%-12s %s\n", type, there ? "compiled in" : ("absent: " + reason).c_str());
  }
#if defined(TESSERA_HAVE_STRATIMIKOS)
  std::printf("Stratimikos  compiled in\n");
#else
  std::printf("Stratimikos  absent: Trilinos was found without it when Tessera was configured\n");
#endif
  return 0;
}

}  // namespace Tessera::cli
