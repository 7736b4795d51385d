#include "aggregation/mis2_body.hpp"

namespace Tessera::aggregation {

template sparse::FrontierRun mis2(Cuda const&, StrengthGraph<Cuda> const&, Span<VertexId const>,
                                  Span<unsigned char const>, Span<Index const>, int, Span<unsigned char>);

}  // namespace Tessera::aggregation
