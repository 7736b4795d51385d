#include "core/error.hpp"

#include <charconv>
#include <cmath>

namespace Tessera::core {
namespace {

template <class Number>
std::string shortest(Number value) {
  if (std::isnan(value)) return "not a number";
  char digits[64];
  bool const whole = std::trunc(value) == value && std::abs(value) < Number(1e16);
  auto const end = whole ? std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed).ptr
                         : std::to_chars(digits, digits + sizeof digits, value).ptr;
  return {digits, end};
}

std::string out_of_memory_text(char const* space, std::size_t bytes, std::size_t in_use, std::size_t peak) {
  return message("out of ", space, " memory: ", bytes, " bytes were asked for (", in_use,
                 " bytes were in use by Tessera, ", peak,
                 " at the peak); use a smaller problem, more ranks or a leaner hierarchy",
                 std::string(space) == "host" ? "" : ", or run on the host");
}

}  // namespace

std::string text(double value) {
  return shortest(value);
}
std::string text(float value) {
  return shortest(value);
}

OutOfMemory::OutOfMemory(char const* space, std::size_t bytes, std::size_t in_use, std::size_t peak)
    : std::runtime_error(out_of_memory_text(space, bytes, in_use, peak)),
      bytes_(bytes),
      in_use_(in_use),
      peak_(peak) {}

OutOfMemory::OutOfMemory(std::string const& where, OutOfMemory const& cause)
    : std::runtime_error(where + ": " + cause.what()),
      bytes_(cause.bytes_),
      in_use_(cause.in_use_),
      peak_(cause.peak_) {}

OutOfMemory::OutOfMemory(std::string const& text, std::size_t bytes, std::size_t in_use, std::size_t peak)
    : std::runtime_error(text), bytes_(bytes), in_use_(in_use), peak_(peak) {}

void contract_violated(char const* kind, char const* condition, char const* file, int line) {
  throw std::logic_error(message(file, ":", line, ": ", kind, " violated: ", condition,
                                 " (a defect of Tessera; please report it)"));
}

}  // namespace Tessera::core
