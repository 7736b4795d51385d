#pragma once
/// \file
/// Peak memory of one run, on the host and on the device.
#include <cstddef>

namespace Tessera::cli {

/// Starts the peaks anew. Gives freed memory back to the system and sets the process's peak to what it uses
/// now. Where the system does not allow that (Linux: /proc/self/clear_refs), the peak stays that of the whole
/// process.
void reset_peak_memory();

/// Largest resident set of this process since the last reset, in bytes; 0 where the system does not tell.
std::size_t peak_memory();

/// Most bytes that Tessera has held on this process's device since the last reset.
std::size_t device_peak_memory();

}  // namespace Tessera::cli
