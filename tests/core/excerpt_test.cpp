#include "core/excerpt.hpp"

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

}  // namespace
}  // namespace Tessera::core
