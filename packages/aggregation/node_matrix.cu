#include "aggregation/node_matrix_body.hpp"

namespace Tessera::aggregation {

template NodeMatrix<Cuda> node_matrix(Cuda const&, comm::DistCsr<double, Cuda> const&, int, BlockMeasure);
template Array<unsigned char, Cuda> entry_mask(Cuda const&, comm::DistCsr<double, Cuda> const&, int,
                                               NodeMatrix<Cuda> const&, Span<unsigned char const>);

}  // namespace Tessera::aggregation
