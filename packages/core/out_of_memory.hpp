#pragma once
/// \file
/// Where memory ran out.
#include <new>
#include <string>

#include "core/error.hpp"
#include "core/memory.hpp"

namespace Tessera::core {

/// Runs work; when memory runs out, whether that of arrays or of the standard library, throws an OutOfMemory
/// that begins with where(), such as "setup, level 2". The standard library does not say how many bytes: then
/// 0.
template <class Where, class Work>
void name_out_of_memory(Where const& where, Work const& work) {
  try {
    work();
  } catch (OutOfMemory const& cause) {
    throw OutOfMemory(std::string(where()), cause);
  } catch (std::bad_alloc const&) {
    auto const use = memory_use(Host{});
    throw OutOfMemory(message(where(), ": out of host memory for a list or a text of unknown size (",
                              use.in_use, " bytes were in use by Tessera's arrays, ", use.peak,
                              " at the peak); use a smaller problem or more ranks"),
                      0, use.in_use, use.peak);
  }
}

}  // namespace Tessera::core
