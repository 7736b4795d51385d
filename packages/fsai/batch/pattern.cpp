#include "fsai/batch/pattern_body.hpp"

namespace Tessera::fsai {

template Pattern<Host> prefiltered(Host const&, LowerRows const&, double);
template Pattern<Host> prefiltered(Host const&, sparse::CsrView<double>, Span<double const>, double, Index);
template Pattern<Host> static_pattern(Host const&, PatternView, OwnRows const&, RowBound,
                                      Span<unsigned char>);

}  // namespace Tessera::fsai
