#include "fsai/batch/postfilter_body.hpp"
#include "fsai/batch/row_systems_body.hpp"

namespace Tessera::fsai {

template RowFailure solve_rows(InstanceSpace const&, LowerRows const&, PatternView, Span<double>, std::size_t,
                               Span<unsigned char const>);
template void postfilter(InstanceSpace const&, LowerRows const&, PatternView, double, PostfilterNorm,
                         Span<double>, Span<unsigned char>, Span<Index>);
template void rescale(InstanceSpace const&, LowerRows const&, PatternView, Span<unsigned char const>,
                      Span<double>);

}  // namespace Tessera::fsai
