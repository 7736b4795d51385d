#include "core/sequence_body.hpp"

namespace Tessera::core {

template Array<VertexId, Cuda> arithmetic_sequence(Cuda const&, VertexId, VertexId, std::size_t);

}  // namespace Tessera::core
