#pragma once
/// \file
/// Errors and their messages: what is wrong (why it matters), what to do.
#include <cstddef>
#include <cstdio>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace Tessera::core {

/// Input that Tessera cannot use and the user can fix. The program's exit status is 2.
struct InvalidInput : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// Numerical failure of a setup or a solve: a matrix that is not SPD, a zero diagonal entry, NaN, stagnation.
struct NumericalError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A feature that this machine or this build does not have (CUDA, a device, ML ...).
struct Unavailable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An allocation that failed; the caller's data and the process stay usable.
class OutOfMemory : public std::runtime_error {
 public:
  OutOfMemory(char const* space, std::size_t bytes, std::size_t in_use, std::size_t peak);
  /// The same error with its context in front, such as "level 2, triple product".
  OutOfMemory(std::string const& where, OutOfMemory const& cause);
  /// A copy on a rank whose own allocations did not fail; see comm::agree_on_errors.
  OutOfMemory(std::string const& text, std::size_t bytes, std::size_t in_use, std::size_t peak);
  std::size_t bytes() const { return bytes_; }    ///< of the failed allocation
  std::size_t in_use() const { return in_use_; }  ///< bytes in use at the failure
  std::size_t peak() const { return peak_; }      ///< largest number of bytes ever in use

 private:
  std::size_t bytes_, in_use_, peak_;
};

/// The fewest digits that read back as this number; whole numbers below 10^16 without an exponent.
std::string text(double value);
std::string text(float value);

/// Concatenates its arguments as a stream would, floating-point numbers by text().
template <class... Parts>
std::string message(Parts const&... parts) {
  std::ostringstream stream;
  auto const put = [&](auto const& part) {
    if constexpr (std::is_floating_point_v<std::decay_t<decltype(part)>>) {
      stream << text(part);
    } else {
      stream << part;
    }
  };
  (put(parts), ...);
  return stream.str();
}

/// Text of a user for a message. Control characters and no-break spaces become \xNN. Of a text with more than
/// `most` bytes, the first characters and the number of bytes.
std::string excerpt(std::string const& text, std::size_t most = 60);

/// As printf does, at most 511 characters.
template <class... Arguments>
std::string formatted(char const* format, Arguments... arguments) {
  char text[512];
  std::snprintf(text, sizeof text, format, arguments...);
  return text;
}

[[noreturn]] void contract_violated(char const* kind, char const* condition, char const* file, int line);

}  // namespace Tessera::core

/// Checks user input in every build: throws core::InvalidInput with the message.
#define TESSERA_VALIDATE(condition, ...)                                                          \
  do {                                                                                            \
    if (!(condition)) throw ::Tessera::core::InvalidInput(::Tessera::core::message(__VA_ARGS__)); \
  } while (false)

/// Contracts between Tessera's functions, checked in debug builds (TESSERA_DEBUG).
#if defined(TESSERA_DEBUG)
#define TESSERA_EXPECT(condition)                                                                         \
  do {                                                                                                    \
    if (!(condition)) ::Tessera::core::contract_violated("precondition", #condition, __FILE__, __LINE__); \
  } while (false)
#define TESSERA_ENSURE(condition)                                                                          \
  do {                                                                                                     \
    if (!(condition)) ::Tessera::core::contract_violated("postcondition", #condition, __FILE__, __LINE__); \
  } while (false)
#else
#define TESSERA_EXPECT(condition) static_cast<void>(0)
#define TESSERA_ENSURE(condition) static_cast<void>(0)
#endif
