#include "core/sequence_body.hpp"

namespace Tessera::core {

template Array<VertexId, Host> arithmetic_sequence(Host const&, VertexId, VertexId, std::size_t);

}  // namespace Tessera::core
