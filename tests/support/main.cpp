// The main function of every test program: MPI around GoogleTest. One rank prints, and a failure on one rank
// is a failure on all.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>

#if defined(TESSERA_TEST_TRILINOS)
#include <Tpetra_Core.hpp>
// Kokkos frees the objects that Belos and Tpetra keep between tests.
using Libraries = Tpetra::ScopeGuard;
#else
struct Libraries {
  Libraries(int*, char***) {}
};
#endif

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
// Open MPI unloads unused plug-ins in MPI_Init_thread and all others in MPI_Finalize. Their leaks then have
// no symbol for a suppression. So MPI_Init_thread is not checked, and leaks are counted before MPI_Finalize.
// They are counted only in runs of one rank, because the leak checker sometimes crashes in Open MPI's threads
// ("Tracer caught signal 11").
static bool one_rank() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size == 1;
}
static bool count_leaks = true;
extern "C" int __lsan_is_turned_off() {  // NOLINT: the checker asks for this name at exit
  return count_leaks ? 0 : 1;
}
static void watch_leaks(bool on) {
  on ? __lsan_enable() : __lsan_disable();
}
static int leaks() {
  count_leaks = one_rank();
  return count_leaks ? __lsan_do_recoverable_leak_check() : 0;
}
#else
static void watch_leaks(bool) {}
static int leaks() {
  return 0;
}
#endif

namespace {

// Ranks other than the first print failures only.
class FailuresOnly : public testing::EmptyTestEventListener {
  void OnTestPartResult(testing::TestPartResult const& part) override {
    if (part.failed()) {
      std::printf("rank failed at %s:%d\n%s\n", part.file_name() ? part.file_name() : "?", part.line_number(),
                  part.summary());
    }
  }
};

}  // namespace

int main(int argc, char** argv) {
  watch_leaks(false);
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  watch_leaks(true);
  testing::InitGoogleTest(&argc, argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  if (rank != 0) {
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailuresOnly);
  }
  int failed = 0;
  {
    [[maybe_unused]] Libraries const libraries(&argc, &argv);
    failed = RUN_ALL_TESTS() | leaks();
  }
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return failed;
}
