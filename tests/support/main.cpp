// The main of every test program: MPI around GoogleTest, one voice, and a failure anywhere is a failure
// everywhere.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  testing::InitGoogleTest(&argc, argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  if (rank != 0) {
    // Other ranks speak only of failures.
    class FailuresOnly : public testing::EmptyTestEventListener {
      void OnTestPartResult(testing::TestPartResult const& part) override {
        if (part.failed()) {
          std::printf("rank failed at %s:%d\n%s\n", part.file_name() ? part.file_name() : "?",
                      part.line_number(), part.summary());
        }
      }
    };
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailuresOnly);
  }
  int failed = RUN_ALL_TESTS();
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return failed;
}
