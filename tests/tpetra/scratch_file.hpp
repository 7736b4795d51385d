#pragma once
/// \file
/// A file for one test: all ranks know its name, rank 0 writes it, and it is removed at the end.
#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

namespace Tessera::tpetra {

class ScratchFile {
 public:
  explicit ScratchFile(std::string const& text = "") {
    static int number = 0;
    int process = static_cast<int>(getpid());
    MPI_Bcast(&process, 1, MPI_INT, 0, MPI_COMM_WORLD);
    path_ =
        testing::TempDir() + "tessera_" + std::to_string(process) + "_" + std::to_string(number++) + ".mtx";
    if (root()) std::ofstream(path_, std::ios::binary) << text;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  ScratchFile(ScratchFile const&) = delete;
  ScratchFile& operator=(ScratchFile const&) = delete;
  ~ScratchFile() {
    MPI_Barrier(MPI_COMM_WORLD);
    if (root()) std::remove(path_.c_str());
  }

  std::string const& path() const { return path_; }
  std::string text() const {
    std::ostringstream all;
    all << std::ifstream(path_, std::ios::binary).rdbuf();
    return all.str();
  }

 private:
  static bool root() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 0;
  }
  std::string path_;
};

}  // namespace Tessera::tpetra
