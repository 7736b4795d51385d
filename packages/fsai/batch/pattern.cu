#include "fsai/batch/pattern_body.hpp"

namespace Tessera::fsai {

template Pattern<Cuda> prefiltered(Cuda const&, LowerRows const&, double);
template Pattern<Cuda> prefiltered(Cuda const&, sparse::CsrView<double>, Span<double const>, double, Index);
template Pattern<Cuda> static_pattern(Cuda const&, PatternView, OwnRows const&, RowBound,
                                      Span<unsigned char>);

}  // namespace Tessera::fsai
