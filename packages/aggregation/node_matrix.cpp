#include "aggregation/node_matrix_body.hpp"

namespace Tessera::aggregation {

template NodeMatrix<Host> node_matrix(Host const&, comm::DistCsr<double, Host> const&, int, BlockMeasure);
template Array<unsigned char, Host> entry_mask(Host const&, comm::DistCsr<double, Host> const&, int,
                                               NodeMatrix<Host> const&, Span<unsigned char const>);

}  // namespace Tessera::aggregation
