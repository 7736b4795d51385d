#pragma once
/// \file
/// The message of the exception that a call throws.
#include <string>

#include "core/error.hpp"

namespace Tessera::test {

/// The text of the core::InvalidInput that `call` throws; "" if it throws none.
template <class Call>
std::string failure(Call const& call) {
  try {
    call();
  } catch (core::InvalidInput const& error) {
    return error.what();
  }
  return "";
}

inline bool contains(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace Tessera::test

/// The call must be refused with a message that holds all these parts.
#define EXPECT_REFUSED(call, ...)                                                                 \
  do {                                                                                            \
    std::string const text = ::Tessera::test::failure([&] { static_cast<void>(call); });          \
    EXPECT_FALSE(text.empty()) << "nothing was refused";                                          \
    for (std::string const part : {__VA_ARGS__}) {                                                \
      EXPECT_TRUE(::Tessera::test::contains(text, part)) << "no \"" << part << "\" in: " << text; \
    }                                                                                             \
  } while (false)
