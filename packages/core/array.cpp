#include "core/array.hpp"

#include <atomic>
#include <cstring>

namespace Tessera::core {
namespace {

std::atomic<std::uint64_t> to_device{0}, to_host{0};

}  // namespace

TransferBytes transferred_bytes() {
  return {to_device.load(), to_host.load()};
}

void count_to_device(std::size_t bytes) {
  to_device += bytes;
}

void count_to_host(std::size_t bytes) {
  to_host += bytes;
}

void copy_bytes(Host const&, void const* source, Host const&, void* target, std::size_t bytes) {
  if (bytes != 0) std::memmove(target, source, bytes);
}

}  // namespace Tessera::core
