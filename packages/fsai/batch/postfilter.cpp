#include "fsai/batch/postfilter_body.hpp"

namespace Tessera::fsai {

template void postfilter(InstanceSpace const&, LowerRows const&, PatternView, double, PostfilterNorm,
                         Span<double>, Span<unsigned char>, Span<Index>);
template void rescale(InstanceSpace const&, LowerRows const&, PatternView, Span<unsigned char const>,
                      Span<double>);

}  // namespace Tessera::fsai
