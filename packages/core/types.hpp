#pragma once
/// \file
/// Integer types, and the macro of functions that run on every back end.
#include <cstdint>

#if defined(__CUDACC__)
#define TESSERA_HD __host__ __device__
#else
#define TESSERA_HD
#endif

namespace Tessera {

using Index = std::int32_t;        ///< a row, a column or a vertex of this rank
using Offset = std::int64_t;       ///< a position among the nonzeros of this rank
using GlobalIndex = std::int64_t;  ///< a row, a column or a vertex among all ranks
using VertexId = std::int64_t;     ///< name of a vertex, the same for any number of ranks; never negative

}  // namespace Tessera
