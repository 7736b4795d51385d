#include "aggregation/mis2_body.hpp"

namespace Tessera::aggregation {

template sparse::FrontierRun mis2(Host const&, StrengthGraph<Host> const&, Span<VertexId const>,
                                  Span<unsigned char const>, Span<Index const>, int, Span<unsigned char>);

}  // namespace Tessera::aggregation
