#include "core/sequence_body.hpp"

namespace Tessera::core {

template Array<VertexId, InstanceSpace> arithmetic_sequence(InstanceSpace const&, VertexId, VertexId,
                                                            std::size_t);

}  // namespace Tessera::core
