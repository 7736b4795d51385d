#include <Trilinos_version.h>
#include <mpi.h>
#include <omp.h>

#include <Kokkos_Core.hpp>
#include <cstdio>

#include "baselines/preconditioner.hpp"
#include "cli/commands.hpp"

namespace Tessera::cli {
namespace {

std::string mpi_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::string const all(text, length);
  return all.substr(0, all.find_first_of(",\n"));
}

}  // namespace

int run_info(Options const&, Comm const& comm) {
  if (comm->getRank() != 0) return 0;
  std::printf("Tessera      %s\n", TESSERA_VERSION);
  std::printf("Trilinos     %s (Kokkos runs on %s)\n", TRILINOS_VERSION_STRING,
              Kokkos::DefaultExecutionSpace::name());
  std::printf("MPI          %s\n", mpi_version().c_str());
  std::printf("compiler     %s\n", TESSERA_COMPILER);
  std::printf("ranks        %d\n", comm->getSize());
  std::printf("threads      %d a rank\n", omp_get_max_threads());
#if defined(TESSERA_HAVE_CUDA)
  std::printf("CUDA         compiled in\n");
#else
  std::printf("CUDA         not compiled in (configure with -DTESSERA_ENABLE_CUDA=ON; preset cuda)\n");
#endif
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
