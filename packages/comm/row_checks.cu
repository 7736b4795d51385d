#include "comm/row_checks_body.hpp"

namespace Tessera::comm {

template GlobalIndex check_rows(Cuda const&, DistCsr<double, Cuda> const&, Span<double>, RowChecks*, double);
template std::string checksum(Cuda const&, DistCsr<double, Cuda> const&);

}  // namespace Tessera::comm
