#include "aggregation/mis2_body.hpp"

namespace Tessera::aggregation {

template void mis2(Host const&, StrengthGraph<Host> const&, Span<VertexId const>, Span<unsigned char const>,
                   int, Span<Mis2State>, Span<Index const>);

}  // namespace Tessera::aggregation
