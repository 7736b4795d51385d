#include "comm/row_checks_body.hpp"

namespace Tessera::comm {

template GlobalIndex check_rows(InstanceSpace const&, DistCsr<double, InstanceSpace> const&, Span<double>,
                                RowChecks*, double, double const*);
template std::string checksum(InstanceSpace const&, DistCsr<double, InstanceSpace> const&);

}  // namespace Tessera::comm
