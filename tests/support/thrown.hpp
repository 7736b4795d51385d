#pragma once
/// \file
/// Messages of exceptions.
#include <string>

namespace Tessera::test {

/// The message of the T that work() throws.
template <class T, class Work>
std::string thrown(Work const& work) {
  try {
    work();
  } catch (T const& error) {
    return error.what();
  }
  return "nothing is thrown";
}

}  // namespace Tessera::test
