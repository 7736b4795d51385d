#pragma once
/// \file
/// How many bytes cross between host and device.
#include <cstddef>
#include <cstdint>

namespace Tessera::core {

/// Bytes of the arrays that this process has copied between host and device so far, halos that pass through
/// pinned memory included. Not in it: the single numbers (sums, counts) that kernels leave in pinned memory.
/// Zero without a device.
struct TransferBytes {
  std::uint64_t to_device = 0, to_host = 0;
};

/// What was copied between two of them.
inline TransferBytes operator-(TransferBytes const& now, TransferBytes const& before) {
  return {now.to_device - before.to_device, now.to_host - before.to_host};
}

TransferBytes transferred_bytes();

void count_to_device(std::size_t bytes);
void count_to_host(std::size_t bytes);

}  // namespace Tessera::core
