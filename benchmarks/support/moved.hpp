#pragma once
/// \file
/// A matrix that was made on the host, where a benchmark runs.
#include <utility>

#include "comm/dist_csr.hpp"

namespace Tessera::benchmarks {

inline comm::DistCsr<double, Host> moved(Host const&, comm::DistCsr<double, Host>&& A) {
  return std::move(A);
}
#if defined(TESSERA_HAVE_CUDA)
inline comm::DistCsr<double, Cuda> moved(Cuda const& space, comm::DistCsr<double, Host>&& A) {
  return comm::copied(Host{}, A, space);
}
#endif

}  // namespace Tessera::benchmarks
