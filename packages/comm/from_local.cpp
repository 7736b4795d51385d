#include "comm/from_local_body.hpp"
#include "comm/row_checks_body.hpp"

namespace Tessera::comm {

template DistCsr<double, InstanceSpace> from_local(InstanceSpace const&, Distribution const&,
                                                   LocalRows<std::int32_t> const&);
template DistCsr<double, InstanceSpace> from_local(InstanceSpace const&, Distribution const&,
                                                   LocalRows<Offset> const&);

template void replace_values(InstanceSpace const&, DistCsr<double, InstanceSpace>&, Span<double const>);

template double largest_magnitude(InstanceSpace const&, Span<double const>);
template std::uint64_t pattern_fingerprint(InstanceSpace const&, LocalRows<Offset> const&);
template FetchedRows fetch_rows(InstanceSpace const&, LocalRows<Offset> const&, std::vector<Index> const&);

template GlobalIndex check_rows(InstanceSpace const&, DistCsr<double, InstanceSpace> const&, Span<double>,
                                RowChecks*, double, double const*);
template std::string checksum(InstanceSpace const&, DistCsr<double, InstanceSpace> const&);

}  // namespace Tessera::comm
