// Preconditioners that go to files and come back.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "Tessera_Details_Preconditioner.hpp"
#include "Tessera_ReadXml.hpp"
#include "comm/communicator.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/version.hpp"
#include "gallery/problem.hpp"
#include "kinds.hpp"

namespace Tessera::test {
namespace {

namespace fs = std::filesystem;

/// One for all ranks, which lie on one host.
struct Folder {
  Folder() {
    auto const id = comm().max(comm().rank() == 0 ? GlobalIndex{getpid()} : 0);
    path = fs::temp_directory_path() / ("tessera-save-" + std::to_string(id));
    if (comm().rank() == 0) fs::create_directories(path);
    comm().max(GlobalIndex{0});
  }
  ~Folder() {
    comm().max(GlobalIndex{0});
    if (comm().rank() == 0) fs::remove_all(path);
  }
  static comm::Communicator const& comm() {
    static comm::Communicator const all(MPI_COMM_WORLD);
    return all;
  }
  fs::path path;
};

struct Save : testing::Test {
  static int rank() { return Folder::comm().rank(); }
  static int ranks() { return Folder::comm().size(); }
  static void wait() { Folder::comm().max(GlobalIndex{0}); }
  std::string file(char const* name = "setup") const { return (folder.path / name).string(); }
  /// Of this rank.
  std::string mine() const { return rank() == 0 ? file() : file() + "." + std::to_string(rank()); }

  static std::string bytes_of(std::string const& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  static void put(std::string const& path, std::string const& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }

  /// The error text of load(), which must throw on each rank and change nothing.
  static std::string refusal(Ours& M, std::string const& path) {
    bool const computed = M.isComputed();
    auto const before = computed ? applied(M) : std::vector<double>();
    std::string text;
    try {
      M.load(path);
      ADD_FAILURE() << "was loaded";
    } catch (core::InvalidInput const& error) {
      text = error.what();
    }
    EXPECT_EQ(M.isComputed(), computed);
    if (computed) {
      EXPECT_EQ(applied(M), before);
    }
    EXPECT_NE(text.find("; "), std::string::npos) << text;
    return text;
  }
  void expect_refused(Ours& M, std::string const& part) const {
    auto const text = refusal(M, file());
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }

  Folder folder;
  RCP<Map const> map = uniform_map(20 * 20);
  RCP<CrsMatrix> A = laplacian(map, 20);
};

std::vector<std::string> ready_lists() {
  std::vector<std::string> all;
  for (auto const& entry : fs::directory_iterator(TESSERA_XML)) all.push_back(entry.path().string());
  std::sort(all.begin(), all.end());
  return all;
}

struct OfList : Save {
  void check(gallery::Problem const& problem, Teuchos::ParameterList list) {
    auto const has_levels = list.get("multigrid algorithm", std::string("sa")) != "fsai";
    list.set("verbosity", "none");
    if (has_levels) list.set("number of equations", problem.equations);
    if (has_levels) list.set("coarse: max size", 40);
    auto const made = [&] {
      auto M = Details::create(list, problem.matrix);
      M->setNearNullspace(problem.nullspace);
      M->setCoordinates(problem.coordinates);
      return M;
    };
    auto const saved = made(), loaded = made();
    saved->compute();
    saved->save(file());
    loaded->load(file());
    EXPECT_EQ(loaded->lastCompute(), "load (of a setup that was saved)");
    EXPECT_EQ(applied(*loaded), applied(*saved));
    // And refreshes as the saved one.
    problem.matrix->resumeFill();
    problem.matrix->scale(1.5);
    problem.matrix->fillComplete();
    for (int times = 0; times < 2; ++times) {
      saved->compute();
      loaded->compute();
      EXPECT_EQ(loaded->lastCompute(), saved->lastCompute());
      EXPECT_NE(loaded->lastCompute().find("refresh"), std::string::npos);
      EXPECT_EQ(applied(*loaded), applied(*saved));
    }
    // One that was refreshed.
    saved->save(file());
    auto const again = made();
    again->load(file());
    EXPECT_EQ(applied(*again), applied(*saved));
  }
};

TEST_F(OfList, EachReadyListOnEachKindOfMatrix) {
  int lists = 0;
  for (auto const& path : ready_lists()) {
    auto const xml = readXml(path, *world());
    if (xml->get<std::string>("Preconditioner Type") != "Tessera") continue;
    ++lists;
    auto const list = xml->sublist("Preconditioner Types").sublist("Tessera");
    if (list.isType<std::string>("smoother: type") && list.get<std::string>("smoother: type") == "IFPACK2")
      continue;  // save() refuses it
    for (auto const& [name, options] : std::vector<std::pair<std::string, gallery::Options>>{
             {"Laplace3D", {{"nx", 12}, {"ny", 11}, {"nz", 10}}},
             {"NeumannLaplace2D", {{"nx", 30}, {"ny", 30}}},
             {"Elasticity3D", {{"nx", 6}, {"ny", 6}, {"nz", 6}}}}) {
      SCOPED_TRACE(path + " on " + name);
      auto algorithm = list;
      if (algorithm.get("multigrid algorithm", "sa") == std::string("classical") && name == "Elasticity3D")
        continue;  // refused: several unknowns a node
      check(gallery::make_problem(name, options, world()), list);
    }
  }
  EXPECT_GE(lists, 12);
}

struct OfKind : Save, testing::WithParamInterface<Kind> {
  RCP<Ours> made(RCP<CrsMatrix const> const& matrix) const {
    auto M = GetParam().make(matrix);
    auto list = GetParam().parameters;
    list.set("verbosity", "none");
    M->setParameters(list);
    return M;
  }
};

TEST_P(OfKind, IsBitwiseTheSameInEitherPrecision) {
  for (auto const* precision : {"float", "double"}) {
    auto list = GetParam().parameters;
    list.set("precision: hierarchy", precision);
    auto const saved = made(A), loaded = made(A);
    saved->setParameters(list);
    loaded->setParameters(list);
    saved->compute();
    saved->save(file());
    loaded->load(file());
    EXPECT_EQ(applied(*loaded), applied(*saved));
  }
}

TEST_P(OfKind, OnScatteredRows) {
  auto const scattered = scattered_map(400);
  auto const matrix = laplacian(scattered, 20);
  auto const saved = made(matrix), loaded = made(matrix);
  saved->compute();
  saved->save(file());
  loaded->load(file());
  EXPECT_EQ(applied(*loaded), applied(*saved));
}

TEST_P(OfKind, OtherParametersAreRefusedByName) {
  auto const saved = made(A), other = made(A);
  saved->compute();
  saved->save(file());
  auto changed = GetParam().changed;
  changed.set("verbosity", "none");
  other->setParameters(changed);
  expect_refused(*other, "was saved with other parameters (\"");
  other->compute();
  expect_refused(*other, "give those that it was saved with, or compute");
}

// A flip of any byte, wherever it is, and on any rank.
TEST_P(OfKind, EachByteThatIsFlippedIsRefused) {
  auto const small = laplacian(uniform_map(16), 4);
  auto const M = made(small);
  M->compute();
  M->save(file());
  auto const bytes = bytes_of(mine());
  int const victim = ranks() - 1;
  auto const size = Folder::comm().max(rank() == victim ? static_cast<GlobalIndex>(bytes.size()) : 0);
  for (GlobalIndex at = 0; at < size; at += ranks() == 1 ? 1 : 61) {
    auto flipped = bytes;
    if (rank() == victim) {
      flipped[static_cast<std::size_t>(at)] ^= static_cast<char>(1 << (at % 8));
      put(mine(), flipped);
    }
    wait();
    EXPECT_THROW(M->load(file()), core::InvalidInput) << "byte " << at << " of " << size;
    EXPECT_TRUE(M->isComputed());
    wait();
  }
  put(mine(), bytes);
  wait();
  EXPECT_NO_THROW(M->load(file()));
}

/// With a checksum that is right.
std::string with_checksum(std::string bytes) {
  core::Checksum sum;
  auto const body = bytes.size() - sizeof(std::uint64_t);
  sum.add(bytes.data(), body);
  auto const value = sum.value();
  return bytes.replace(body, sizeof value, reinterpret_cast<char const*>(&value), sizeof value);
}

// Changed bytes with a corrected checksum: a load fails on all ranks, or its result can be used.
TEST_P(OfKind, BytesThatAreChangedWithTheirChecksumDoNoHarm) {
  auto const small = laplacian(uniform_map(36), 6);
  auto const M = made(small);
  M->compute();
  M->save(file());
  auto const bytes = bytes_of(mine());
  int const victim = ranks() - 1;
  auto const size = Folder::comm().max(rank() == victim ? static_cast<GlobalIndex>(bytes.size()) : 0);
  for (GlobalIndex at = 24; at + 8 < size; at += ranks() == 1 ? 13 : 61) {
    auto changed = bytes;
    if (rank() == victim) {
      changed[static_cast<std::size_t>(at)] ^= static_cast<char>(at % 2 == 0 ? 0xff : 1 << (at / 2 % 8));
      put(mine(), with_checksum(changed));
    }
    wait();
    auto const other = made(small);
    try {
      other->load(file());
      applied(*other);
      other->compute();
      applied(*other);
    } catch (core::InvalidInput const& error) {
      EXPECT_NE(std::string(error.what()).find("; "), std::string::npos) << error.what();
    } catch (core::NumericalError const& error) {  // a setup that is refreshed with numbers that do not fit
      EXPECT_NE(std::string(error.what()).find("; "), std::string::npos) << error.what();
    }
    wait();
  }
}

TEST_P(OfKind, AFileThatIsCutAnywhereIsRefused) {
  auto const small = laplacian(uniform_map(16), 4);
  auto const M = made(small);
  M->compute();
  M->save(file());
  auto const bytes = bytes_of(mine());
  int const victim = ranks() - 1;
  auto const size = Folder::comm().max(rank() == victim ? static_cast<GlobalIndex>(bytes.size()) : 0);
  for (GlobalIndex left = 0; left < size; left += ranks() == 1 ? 5 : 61) {
    if (rank() == victim) put(mine(), bytes.substr(0, static_cast<std::size_t>(left)));
    wait();
    EXPECT_THROW(M->load(file()), core::InvalidInput) << left << " of " << size;
    wait();
  }
  put(mine(), bytes + 'x');
  wait();
  expect_refused(*M, "is damaged");
}

INSTANTIATE_TEST_SUITE_P(All, OfKind,
                         testing::Values(smoothed_aggregation(), unsmoothed_aggregation(),
                                         matching_aggregation(), bootstrap(), fsai()),
                         kind_name);

struct OfMatrix : Save {
  RCP<Ours> made(RCP<CrsMatrix const> const& matrix) const {
    auto M = smoothed_aggregation();
    auto pointer = M.make(matrix);
    M.parameters.set("verbosity", "none");
    pointer->setParameters(M.parameters);
    return pointer;
  }
  void SetUp() override {
    saved = made(A);
    saved->compute();
    saved->save(file());
  }
  RCP<Ours> saved;
};

TEST_F(OfMatrix, OtherValuesAndOtherPatternsAreRefused) {
  expect_refused(*made(laplacian(map, 20, 1.0, 1e-9)), "of the same pattern, with other values");
  expect_refused(*made(laplacian(uniform_map(441), 21)), "other rows or columns, or otherwise distributed");
  expect_refused(*made(diagonal(map)), "other rows or columns, or otherwise distributed");
  if (ranks() > 1)
    expect_refused(*made(laplacian(scattered_map(400), 20)),
                   "other rows or columns, or otherwise distributed");
}

TEST_F(OfMatrix, AnotherNearNullspaceIsRefused) {
  auto const M = made(A);
  M->setNearNullspace(waves(map));
  EXPECT_NE(refusal(*M, file()).find("\"Nullspace\" was not given"), std::string::npos);
  M->compute();
  M->save(file("of waves"));
  auto const other = waves(map);
  other->scale(2.0);
  M->setNearNullspace(other);
  EXPECT_NE(refusal(*M, file("of waves")).find("another near-nullspace"), std::string::npos);
}

TEST_F(OfMatrix, WhereItRunsHowItReportsAndWhenItIsRefreshedMayDiffer) {
  auto const M = made(A);
  auto list = smoothed_aggregation().parameters;
  list.set("backend: type", "host");
  list.set("verbosity", "none");
  list.set("communication: mode", "naive");
  list.set("reuse: type", "tP");
  M->setParameters(list);
  M->load(file());
  EXPECT_EQ(applied(*M), applied(*saved));
}

/// Exchanges bytes after the header of a file, and corrects the checksum.
TEST_F(OfMatrix, AnotherVersionAndAnotherFormatAreNamed) {
  auto bytes = bytes_of(mine());
  auto const version = core::version();
  auto const other = std::string(version.size(), '9');
  auto const at = bytes.find(version);
  ASSERT_NE(at, std::string::npos);
  auto changed = bytes;
  changed.replace(at, version.size(), other);
  put(mine(), with_checksum(changed));
  wait();
  expect_refused(*saved, "was saved by Tessera " + other + ", and this is " + version);
  for (auto const& [place, text] :
       std::vector<std::pair<std::size_t, std::string>>{{0, "is no setup that Tessera has saved"},
                                                        {8, "on a machine with another order of bytes"},
                                                        {12, "is of format "},
                                                        {16, "numbers of other sizes"}}) {
    wait();
    changed = bytes;
    changed[place] ^= 1;
    put(mine(), changed);
    wait();
    expect_refused(*saved, text);
  }
}

TEST_F(OfMatrix, FilesThatAreNotThereOrNoneAreRefused) {
  EXPECT_NE(refusal(*saved, file("nowhere")).find("No such file"), std::string::npos);
  EXPECT_NE(refusal(*saved, folder.path.string()).find("no regular file"), std::string::npos);
  if (ranks() == 1) return;
  wait();
  if (rank() == 1) fs::remove(mine());
  wait();
  EXPECT_NE(refusal(*saved, file()).find("where the part of rank 1 should be"), std::string::npos);
}

TEST_F(OfMatrix, FilesOfTwoSavesOrOfOtherRanksAreRefused) {
  if (ranks() == 1) GTEST_SKIP() << "there is one file";
  auto const first = bytes_of(mine());
  wait();
  saved->save(file());
  if (rank() == 1) put(mine(), first);
  wait();
  EXPECT_NE(refusal(*saved, file()).find("not saved together"), std::string::npos);
  wait();
  saved->save(file());
  auto const swapped = bytes_of(rank() == 0 ? file() + ".1" : rank() == 1 ? file() : mine());
  wait();
  put(mine(), swapped);
  wait();
  EXPECT_NE(refusal(*saved, file()).find("is the part of rank 1, and here is rank 0"), std::string::npos);
}

// A setup of one rank, on several.
TEST_F(OfMatrix, AnotherNumberOfRanksIsRefused) {
  if (ranks() == 1) GTEST_SKIP() << "there is one";
  if (rank() == 0) {
    auto const self = rcp(new Teuchos::MpiComm<int>(MPI_COMM_SELF));
    RCP<Map const> const own = rcp(new Map(400, 0, self));
    auto const M = made(laplacian(own, 20));
    M->compute();
    M->save(file());
  }
  wait();
  expect_refused(*saved, "was saved by 1 rank, and here are " + std::to_string(ranks()) + "; run with 1, or");
}

TEST_F(OfMatrix, WhatChangedSinceComputeIsNotSaved) {
  auto const refused = [&](std::string const& part) {
    auto const before = bytes_of(mine());
    try {
      saved->save(file());
      ADD_FAILURE();
    } catch (core::InvalidInput const& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
    EXPECT_EQ(bytes_of(mine()), before);
  };
  auto list = smoothed_aggregation().changed;
  list.set("verbosity", "none");
  saved->setParameters(list);
  refused("set since compute()");
  saved->compute();
  saved->save(file());
  EXPECT_THROW(made(A)->save(file()), std::runtime_error);  // not computed
}

TEST_F(OfMatrix, WhereOneRankCannotWriteFilesStayOnAll) {
  auto const before = bytes_of(mine());
  auto const last = file("new") + "." + std::to_string(ranks() - 1);
  if (rank() == 0) fs::create_directory(ranks() == 1 ? file("new") : last);
  wait();
  EXPECT_THROW(saved->save(file("new")), core::InvalidInput);
  wait();
  int left = 0;
  for (auto const& entry : fs::directory_iterator(folder.path)) left += entry.is_regular_file() ? 1 : 0;
  EXPECT_EQ(left, ranks()) << "no half file, and none beside its place";
  EXPECT_EQ(bytes_of(mine()), before);
}

}  // namespace
}  // namespace Tessera::test
