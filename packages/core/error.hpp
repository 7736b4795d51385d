#pragma once
/// \file
/// How Tessera says that something is wrong: problem (why it is one), what to do.
#include <cstddef>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace Tessera::core {

/// Input that cannot be used: the user can mend it. The program's exit status is 2.
struct InvalidInput : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// Numerical trouble met during setup or solve: not SPD, zero diagonal, NaN, stagnation.
struct NumericalError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What was asked for cannot be had on this machine or in this build (no CUDA, no device, no ML ...).
struct Unavailable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An allocation that failed; the caller's data and the process stay usable.
class OutOfMemory : public std::runtime_error {
 public:
  OutOfMemory(char const* space, std::size_t bytes, std::size_t in_use, std::size_t peak);
  /// The same with what was being built in front, such as "level 2, triple product".
  OutOfMemory(std::string const& where, OutOfMemory const& cause);
  /// The same on a rank that has run out of nothing; comm::agree_on_errors.
  OutOfMemory(std::string const& text, std::size_t bytes, std::size_t in_use, std::size_t peak);
  std::size_t bytes() const { return bytes_; }    ///< asked for
  std::size_t in_use() const { return in_use_; }  ///< bytes in use when it failed
  std::size_t peak() const { return peak_; }      ///< largest number of bytes ever in use

 private:
  std::size_t bytes_, in_use_, peak_;
};

/// As people write it: the fewest digits that read back as this number, whole numbers below 10^16 as such.
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

[[noreturn]] void contract_violated(char const* kind, char const* condition, char const* file, int line);

}  // namespace Tessera::core

/// User input that is checked in every build: throws core::InvalidInput with the message.
#define TESSERA_VALIDATE(condition, ...)                                                          \
  do {                                                                                            \
    if (!(condition)) throw ::Tessera::core::InvalidInput(::Tessera::core::message(__VA_ARGS__)); \
  } while (false)

/// Contracts between our own functions: checked in debug builds (TESSERA_DEBUG).
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
