#include "cli/machine.hpp"

#include <Trilinos_version.h>
#include <mpi.h>

#include <Kokkos_Core.hpp>
#include <fstream>
#include <thread>

#include "core/error.hpp"
#include "core/version.hpp"

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

}  // namespace Tessera::cli
