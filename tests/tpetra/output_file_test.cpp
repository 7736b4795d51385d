#include "tpetra/output_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "core/error.hpp"

namespace Tessera::tpetra {
namespace {

namespace fs = std::filesystem;

/// A folder of this process and test.
struct OutputFiles : testing::Test {
  void SetUp() override { fs::create_directory(folder); }
  void TearDown() override { fs::remove_all(folder); }

  std::string at(char const* name) const { return (folder / name).string(); }
  std::string put(char const* name, std::string const& text) const {
    std::ofstream(at(name)) << text;
    return at(name);
  }
  static std::string text(std::string const& path) {
    std::ostringstream all;
    all << std::ifstream(path).rdbuf();
    return all.str();
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (auto const& one : fs::directory_iterator(folder)) all.push_back(one.path().filename().string());
    std::sort(all.begin(), all.end());
    return all;
  }

  fs::path folder = fs::path(testing::TempDir()) / ("tessera_output_" + std::to_string(getpid()));
};

std::string refusal(std::string const& path, std::string const& text) {
  try {
    OutputFile file(path);
    file.write(text);
    file.finish();
  } catch (core::InvalidInput const& error) {
    return error.what();
  }
  return {};
}

using Names = std::vector<std::string>;

TEST_F(OutputFiles, ReplaceTheOldFileWhenTheyAreFinished) {
  auto const path = put("a", "old");
  OutputFile file(path);
  file.write("new");
  EXPECT_EQ(text(path), "old");
  file.finish();
  EXPECT_EQ(text(path), "new");
  EXPECT_EQ(names(), Names{"a"});
}

TEST_F(OutputFiles, ThatAreNotFinishedLeaveNothing) {
  auto const path = put("a", "old");
  for (auto const& name : {path, at("b")}) {
    OutputFile file(name);
    file.write("new");
  }
  require_writable(path);
  require_writable(at("b"));
  EXPECT_EQ(text(path), "old");
  EXPECT_EQ(names(), Names{"a"});
}

/// A limit on file sizes fails within a file, as a full disk does.
TEST_F(OutputFiles, ThatDoNotFitKeepTheOldFile) {
  auto const path = put("a", "old");
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  auto const limit = rlimit{1 << 16, before.rlim_max};
  auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &limit);
  auto const said = refusal(path, std::string(1 << 17, 'x'));
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_NE(said.find(path + ": cannot be written to its end (File too large)"), std::string::npos) << said;
  EXPECT_EQ(text(path), "old");
  EXPECT_EQ(names(), Names{"a"});
}

TEST_F(OutputFiles, KeepPermissions) {
  auto const path = put("a", "old");
  fs::permissions(path, fs::perms(0640));
  EXPECT_EQ(refusal(path, "new"), "");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms(0640));
  auto const before = umask(027);
  EXPECT_EQ(refusal(at("b"), "new"), "");
  umask(before);
  EXPECT_EQ(fs::status(at("b")).permissions(), fs::perms(0640));
}

TEST_F(OutputFiles, FollowLinks) {
  auto const path = put("a", "old");
  fs::create_symlink("a", at("link"));
  fs::create_symlink("b", at("ahead"));
  EXPECT_EQ(refusal(at("link"), "new"), "");
  EXPECT_EQ(refusal(at("ahead"), "newer"), "");
  EXPECT_EQ(text(path), "new");
  EXPECT_EQ(text(at("b")), "newer");
  EXPECT_TRUE(fs::is_symlink(at("link")) && fs::is_symlink(at("ahead")));
  EXPECT_EQ(names(), (Names{"a", "ahead", "b", "link"}));
}

TEST_F(OutputFiles, OfDevicesAreWrittenInPlace) {
  EXPECT_EQ(refusal("/dev/null", "new"), "");
  auto const said = refusal("/dev/full", "new");
  EXPECT_NE(said.find("/dev/full: cannot be written to its end (No space left"), std::string::npos) << said;
  EXPECT_NO_THROW(require_writable("/dev/full"));
  EXPECT_FALSE(fs::is_regular_file("/dev/full") || fs::is_regular_file("/dev/null"));
}

/// A file that a shell has redirected output to remains the same file, with earlier output first.
TEST_F(OutputFiles, ThatAreStandardOutputFollowEarlierOutput) {
  auto const path = at("out");
  std::fflush(stdout);
  int const before = dup(STDOUT_FILENO);
  ASSERT_NE(std::freopen(path.c_str(), "wb", stdout), nullptr);
  std::fputs("one ", stdout);
  auto const first = refusal("/dev/stdout", "two "), second = refusal(path, "three ");
  std::fputs("four", stdout);
  std::fflush(stdout);
  dup2(before, STDOUT_FILENO);
  close(before);
  EXPECT_EQ(first + second, "");
  EXPECT_EQ(text(path), "one two three four");
}

TEST_F(OutputFiles, WithoutAPlaceAreRefused) {
  EXPECT_NE(refusal(at("no/such"), "").find("(No such file or directory)"), std::string::npos);
  EXPECT_NE(refusal(folder.string(), "").find("(Is a directory)"), std::string::npos);
  EXPECT_NE(refusal(put("a", "") + "/b", "").find("(Not a directory)"), std::string::npos);
  EXPECT_THROW(require_writable(at("no/such")), core::InvalidInput);
  EXPECT_THROW(require_writable(folder.string()), core::InvalidInput);
}

}  // namespace
}  // namespace Tessera::tpetra
