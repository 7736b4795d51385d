#include "fsai/cut_rows_body.hpp"

namespace Tessera::fsai {

template Index sampled_row_bound(InstanceSpace const&, comm::Distribution const&, PatternView, OwnRows const&,
                                 int);
template RowFailure fill_cut_rows(InstanceSpace const&, LowerRows const&, double, Index, std::size_t,
                                  Pattern<InstanceSpace>&, Span<unsigned char>);

}  // namespace Tessera::fsai
