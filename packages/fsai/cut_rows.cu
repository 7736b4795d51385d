#include "fsai/cut_rows_body.hpp"

namespace Tessera::fsai {

template Index bound_of_rows(Cuda const&, comm::Distribution const&, PatternView, OwnRows const&, int);
template RowFailure fill_cut_rows(Cuda const&, LowerRows const&, double, Index, std::size_t, Pattern<Cuda>&,
                                  Span<unsigned char>);

}  // namespace Tessera::fsai
