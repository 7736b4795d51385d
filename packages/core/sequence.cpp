#include "core/sequence.hpp"

#include "core/parallel.hpp"

namespace Tessera::core {

template <class Space>
Array<VertexId, Space> arithmetic_sequence(Space const& space, VertexId first, VertexId step,
                                           std::size_t count) {
  Array<VertexId, Space> result(space, count);
  fill_sequence(space, result.span(), first, step);
  return result;
}

template Array<VertexId, InstanceSpace> arithmetic_sequence(InstanceSpace const&, VertexId, VertexId,
                                                            std::size_t);

}  // namespace Tessera::core
