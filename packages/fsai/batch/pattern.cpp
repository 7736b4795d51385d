#include "fsai/batch/growth_body.hpp"
#include "fsai/batch/pattern_body.hpp"
#include "fsai/cut_rows_body.hpp"

namespace Tessera::fsai {

template Pattern<InstanceSpace> prefiltered(InstanceSpace const&, LowerRows const&, double);
template Pattern<InstanceSpace> prefiltered(InstanceSpace const&, sparse::CsrView<double>, Span<double const>,
                                            double, Index);
template Pattern<InstanceSpace> static_pattern(InstanceSpace const&, PatternView, OwnRows const&, RowBound,
                                               Span<unsigned char>);
template Pattern<InstanceSpace> grown_pattern(InstanceSpace const&, LowerRows const&, PatternView,
                                              Span<double const>, Span<unsigned char>, GrowthRule const&);
template Index sampled_row_bound(InstanceSpace const&, comm::Distribution const&, PatternView, OwnRows const&,
                                 int);
template RowFailure fill_cut_rows(InstanceSpace const&, LowerRows const&, double, Index, std::size_t,
                                  Pattern<InstanceSpace>&, Span<unsigned char>);

}  // namespace Tessera::fsai
