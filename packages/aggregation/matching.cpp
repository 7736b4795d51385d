#include "aggregation/matching_body.hpp"

namespace Tessera::aggregation {

template StrengthGraph<Host> matching_graph(Host const&, comm::DistCsr<double, Host> const&,
                                            Span<double const>, Span<double const>, Smoothable const&, bool);
template void set_light_aside(Host const&, StrengthGraph<Host>&, MatchingRules const&,
                              std::optional<Span<unsigned char>>);
template comm::DistCsr<double, Host> matching_nodes(Host const&, comm::DistCsr<double, Host> const&, int);
template Aggregates<Host> matched_pairs(Host const&, StrengthGraph<Host> const&, Span<VertexId const>,
                                        Isolated, float, int*);

}  // namespace Tessera::aggregation
