#include "aggregation/matching_body.hpp"
#include "aggregation/reshape_body.hpp"

namespace Tessera::aggregation {

template StrengthGraph<InstanceSpace> matching_graph(InstanceSpace const&,
                                                     comm::DistCsr<double, InstanceSpace> const&,
                                                     Span<double const>, Span<double const>,
                                                     PairCriteria const&, bool);
template void defer_light_edges(InstanceSpace const&, StrengthGraph<InstanceSpace>&, MatchingRules const&,
                                std::optional<Span<unsigned char>>);
template comm::DistCsr<double, InstanceSpace> matching_nodes(InstanceSpace const&,
                                                             comm::DistCsr<double, InstanceSpace> const&,
                                                             int);
template Aggregates<InstanceSpace> matched_pairs(InstanceSpace const&, StrengthGraph<InstanceSpace> const&,
                                                 Span<VertexId const>, Isolated, float, int*);
template void reshape(InstanceSpace const&, StrengthGraph<InstanceSpace> const&, Span<VertexId const>, int,
                      Aggregates<InstanceSpace>&);

}  // namespace Tessera::aggregation
