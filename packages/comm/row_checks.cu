#include "comm/row_checks_body.hpp"

namespace Tessera::comm {

template GlobalIndex check_rows(Cuda const&, DistCsr<double, Cuda> const&, Span<double>, RowChecks*, double,
                                double const*);
template std::string checksum(Cuda const&, DistCsr<double, Cuda> const&);

}  // namespace Tessera::comm
