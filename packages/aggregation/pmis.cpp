#include "aggregation/pmis_body.hpp"

namespace Tessera::aggregation {

template DependenceGraph<InstanceSpace> dependence(InstanceSpace const&,
                                                   comm::DistCsr<double, InstanceSpace> const&,
                                                   Span<double const>, double);
template Aggregates<InstanceSpace> pmis(InstanceSpace const&, DependenceGraph<InstanceSpace> const&,
                                        Span<VertexId const>, int, Aggregates<InstanceSpace> const*);

}  // namespace Tessera::aggregation
