#pragma once
/// \file
/// What calls throw.
#include <string>

namespace Tessera::test {

/// The message of what work() throws as T.
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
