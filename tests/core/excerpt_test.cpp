#include "core/error.hpp"

#include <gtest/gtest.h>

namespace Tessera::core {
namespace {

TEST(Excerpt, LeavesShortTextAsItIs) {
  EXPECT_EQ(excerpt(""), "");
  EXPECT_EQ(excerpt("max levels"), "max levels");
  EXPECT_EQ(excerpt("\xE2\x82\xAC"), "\xE2\x82\xAC");
}

TEST(Excerpt, CutsLongTextBetweenCharacters) {
  EXPECT_EQ(excerpt("abcdef", 4), "abcd... (6 bytes)");
  EXPECT_EQ(excerpt("ab\xE2\x82\xAC", 4), "ab... (5 bytes)");
}

TEST(Excerpt, ShowsControlCharactersByTheirCodes) {
  EXPECT_EQ(excerpt("a\x1b[2J\n"), "a\\x1B[2J\\x0A");
}

TEST(Excerpt, ShowsSpacesThatAreNoBlanksByTheirCodes) {
  EXPECT_EQ(excerpt("1\xC2\xA0"
                    "2"),
            "1\\xC2\\xA02");
  EXPECT_EQ(excerpt("\xE2\x80\x8B"
                    "\xE2\x82\xAC"),
            "\\xE2\\x80\\x8B\xE2\x82\xAC");
}

}  // namespace
}  // namespace Tessera::core
