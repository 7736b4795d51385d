#include "core/sequence.hpp"

#include "core/parallel.hpp"

namespace Tessera::core {

struct SequenceBody {
  VertexId first, step;
  VertexId* number;
  TESSERA_HD void operator()(Index i) const { number[i] = first + step * i; }
};

template <class Space>
Array<VertexId, Space> arithmetic_sequence(Space const& space, VertexId first, VertexId step,
                                           std::size_t count) {
  Array<VertexId, Space> result(space, count);
  for_each(space, count, SequenceBody{first, step, result.data()});
  return result;
}

template Array<VertexId, InstanceSpace> arithmetic_sequence(InstanceSpace const&, VertexId, VertexId,
                                                            std::size_t);

}  // namespace Tessera::core
