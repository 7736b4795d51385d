// The program `tessera`: sets how OpenMP's threads wait, then starts the main program (main.cpp). OpenMP
// reads its environment when it is loaded, before the main() of any program that is linked with it.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace {

/// Unless the user has chosen, threads spin for some hundred microseconds and then sleep. By default GCC's
/// OpenMP lets them spin for milliseconds, which takes cores from other processes and other threads.
void choose_how_threads_wait() {
  for (auto const* chosen : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME"})
    if (std::getenv(chosen) != nullptr) return;
  setenv("OMP_WAIT_POLICY", "passive", 0);
  setenv("GOMP_SPINCOUNT", "10000", 0);
}

}  // namespace

int main(int, char** argv) {
  choose_how_threads_wait();
  std::error_code unknown;
  auto const here = std::filesystem::read_symlink("/proc/self/exe", unknown);
  auto const program = (here.parent_path() / TESSERA_PROGRAM).lexically_normal();
  execv(program.c_str(), argv);
  std::fprintf(stderr, "tessera: %s cannot be run (%s); reinstall Tessera's component program\n",
               program.c_str(), std::generic_category().message(errno).c_str());
  return 3;  // internal_error (verdict.hpp)
}
