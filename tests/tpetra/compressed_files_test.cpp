// Files in gzip and xz: the same matrix as from plain text, or an error on every rank that describes the
// defect of the file.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdio>
#include <fstream>
#include <thread>

#include "compress.hpp"
#include "core/error.hpp"
#include "sample.hpp"
#include "scratch_file.hpp"
#include "tpetra/matrix_market.hpp"

namespace Tessera::tpetra {
namespace {

std::string const small =
    "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 4\n2 1 -1\n2 2 4\n3 2 -2\n3 3 5\n";

/// A tridiagonal matrix as text, with values that have many digits.
std::string tridiagonal(int n) {
  std::string text =
      core::message("%%MatrixMarket matrix coordinate real symmetric\n", n, " ", n, " ", 2 * n - 1, "\n");
  for (int i = 1; i <= n; ++i) {
    text += core::message(i, " ", i, " ", 4 + 1.0 / i, "\n");
    if (i > 1) text += core::message(i, " ", i - 1, " ", -1.0 / i, "\n");
  }
  return text;
}

/// Norms of the matrix of a file times an irregular vector: they distinguish matrices.
double fingerprint(std::string const& bytes) {
  ScratchFile const file(bytes);
  auto const A = read_matrix(file.path(), sample::world());
  MultiVector x(A->getRowMap(), 1), y(A->getRowMap(), 1);
  for (auto const row : local_elements(*A->getRowMap())) x.replaceGlobalValue(row, 0, 1.0 / (row + 3.0));
  A->apply(x, y);
  return y.getVector(0)->norm2();
}

/// The error message of the reader; empty if it accepts the file.
std::string refusal(std::string const& bytes) {
  ScratchFile const file(bytes);
  try {
    read_matrix(file.path(), sample::world());
  } catch (core::InvalidInput const& error) {
    std::string const text = error.what();
    EXPECT_EQ(text.find(file.path() + ":"), 0U) << text;
    return text.substr(file.path().size() + 1);
  }
  return {};
}

void expect_refusal(std::string const& bytes, std::string const& says) {
  auto const text = refusal(bytes);
  EXPECT_NE(text.find(says), std::string::npos) << '"' << text << "\" does not say \"" << says << '"';
}

TEST(CompressedMatrix, IsThatOfThePlainText) {
  auto const text = tridiagonal(60000);
  ASSERT_GT(text.size(), std::size_t{2} << 20);  // several pieces, so that lines lie across their ends
  auto const plain = fingerprint(text);
  EXPECT_GT(plain, 0.0);
  EXPECT_EQ(fingerprint(gzipped(text)), plain);
  EXPECT_EQ(fingerprint(gzipped(text, 0)), plain);
  EXPECT_EQ(fingerprint(xzipped(text)), plain);
}

TEST(CompressedMatrix, MayBeInSeveralStreamsWithZerosAfterThem) {
  auto const plain = fingerprint(small);
  std::string const zeros(8, '\0');
  auto const head = small.substr(0, 60), tail = small.substr(60);
  EXPECT_EQ(fingerprint(gzipped(head) + gzipped(tail)), plain);
  EXPECT_EQ(fingerprint(xzipped(head) + zeros + xzipped(tail) + zeros), plain);
  EXPECT_EQ(fingerprint(gzipped(small) + zeros), plain);
}

TEST(CompressedVector, IsThatOfThePlainText) {
  auto const map = Teuchos::rcp(new Map(3, 0, sample::world()));
  std::string const text = "%%MatrixMarket matrix array real general\n3 2\n1\n2\n3\n4\n5\n6\n";
  for (auto const& bytes : {text, gzipped(text), xzipped(text)}) {
    ScratchFile const file(bytes);
    auto const X = read_dense(file.path(), map);
    ASSERT_EQ(X->getNumVectors(), 2U);
    EXPECT_EQ(X->getVector(0)->norm1(), 6.0);
    EXPECT_EQ(X->getVector(1)->norm1(), 15.0);
  }
}

TEST(CompressedFile, CutAnywhereIsRefused) {
  for (auto const& bytes : {gzipped(small), xzipped(small)}) {
    for (std::size_t size = 2; size < bytes.size(); ++size) {
      SCOPED_TRACE(size);
      expect_refusal(bytes.substr(0, size), "but ends before its data do (it may have been cut short)");
    }
    EXPECT_EQ(refusal(bytes), "");
  }
}

TEST(CompressedFile, WithAnyByteChangedIsRefusedOrTheSame) {
  auto const plain = fingerprint(small);
  int refused = 0;
  for (auto const& bytes : {gzipped(small), xzipped(small)}) {
    for (std::size_t k = 2; k < bytes.size(); ++k) {
      SCOPED_TRACE(k);
      auto changed = bytes;
      changed[k] = static_cast<char>(changed[k] ^ 0x21);
      auto const text = refusal(changed);
      if (text.empty()) {
        EXPECT_EQ(fingerprint(changed), plain);  // for example the time stamp of gzip
      } else {
        EXPECT_NE(text.find(" is compressed with "), std::string::npos) << text;
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 150);
}

TEST(CompressedFile, WithOtherBytesAfterItsDataIsRefused) {
  for (auto const& bytes : {gzipped(small), xzipped(small)}) {
    expect_refusal(bytes + "1 1 4\n", "but has other bytes after its data");
    expect_refusal(bytes + std::string(4, '\0') + small, "but has other bytes after its data");
  }
}

TEST(CompressedFile, IsRefusedForItsDamageBeforeItsContent) {
  auto bytes = gzipped(small, 0);
  auto const value = bytes.find("2 1 -1");
  ASSERT_NE(value, std::string::npos);
  bytes[value + 2] = 'x';
  expect_refusal(bytes, "is compressed with gzip, but is damaged: get it again");
  bytes = gzipped(small.substr(0, 54) + "2 x -1\n");
  expect_refusal(bytes, "column \"x\" is not an integer");
}

TEST(CompressedFile, IsReadForTheLinesOfADuplicate) {
  for (auto const& bytes : {gzipped(small + "2 1 7\n"), xzipped(small + "2 1 7\n")}) {
    expect_refusal(bytes, "more than the 5 entries");
  }
  auto text = small;
  text.replace(text.find("3 2 -2"), 6, "2 1 -2");
  expect_refusal(xzipped(text), "6: entry (2, 1) was given in line 4 already");
}

TEST(CompressedFile, OfAnotherKindIsNamed) {
  expect_refusal("BZh91AY", "is compressed with bzip2 (plain text, gzip and xz are read)");
  expect_refusal("\x28\xB5\x2F\xFD   ", "is compressed with zstd");
  expect_refusal("PK\x03\x04   ", "is compressed with zip");
  std::string archive(512, '\0');
  archive.replace(0, 9, "A/A.mtx\0\0", 9).replace(257, 5, "ustar");
  expect_refusal(archive, "is an archive of tar");
  expect_refusal(gzipped(archive + small), "is an archive of tar");
}

TEST(CompressedFile, OfOneEndlessLineTakesNoMemory) {
  std::string const spaces(std::size_t{80} << 20, ' ');
  expect_refusal(gzipped(small + spaces), "8: a line has more than 67108864 bytes");
}

/// Writes `bytes` into a pipe on rank 0 during its lifetime.
class Pipe {
 public:
  explicit Pipe(std::string bytes) {
    if (sample::world()->getRank() == 0) {
      std::remove(file_.path().c_str());
      EXPECT_EQ(mkfifo(file_.path().c_str(), 0600), 0);
      writer_ = std::thread(
          [this, text = std::move(bytes)] { std::ofstream(file_.path(), std::ios::binary) << text; });
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  ~Pipe() {
    if (writer_.joinable()) writer_.join();
  }
  std::string const& path() const { return file_.path(); }

 private:
  ScratchFile file_;
  std::thread writer_;
};

TEST(Pipe, IsReadOnce) {
  Pipe const pipe(xzipped(small));
  EXPECT_EQ(read_matrix(pipe.path(), sample::world())->getGlobalNumEntries(), 7U);
}

TEST(Pipe, WithADuplicateIsRefusedWithoutLines) {
  auto text = small;
  text.replace(text.find("3 2 -2"), 6, "2 1 -2");
  Pipe const pipe(text);
  try {
    read_matrix(pipe.path(), sample::world());
    ADD_FAILURE() << "was not refused";
  } catch (core::InvalidInput const& error) {
    EXPECT_NE(std::string(error.what()).find("entry (1, 2) or (2, 1) is given twice"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace Tessera::tpetra
