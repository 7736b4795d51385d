// A profiler sees regions as NVTX ranges. Needs no device.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "core/timer.hpp"

namespace Tessera::core {
namespace {

/// The library lies next to the program, wherever both have been copied.
std::string const listener =
    std::filesystem::read_symlink("/proc/self/exe").replace_filename("libnvtx_listener.so");

/// NVTX reads the variable at the first range of the process.
bool const listening = setenv("NVTX_INJECTION64_PATH", listener.c_str(), 1) == 0;

TEST(Nvtx, RegionsAreRangesOfTheDomainTessera) {
  ASSERT_TRUE(listening);
  begin_region("setup");
  begin_region("level", 3);
  end_region();
  end_region();
  void* const library = dlopen(listener.c_str(), RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(library, nullptr) << "NVTX has not loaded " << listener;
  auto const ranges = reinterpret_cast<char const* (*)()>(dlsym(library, "ranges_of_tessera"));
  ASSERT_NE(ranges, nullptr);
  std::string const seen = ranges(), expected = "(setup(level 3))";
  EXPECT_EQ(seen.substr(seen.size() - std::min(seen.size(), expected.size())), expected) << seen;
  dlclose(library);
}

}  // namespace
}  // namespace Tessera::core
