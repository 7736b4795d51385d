#include "aggregation/matching_body.hpp"

namespace Tessera::aggregation {

template StrengthGraph<Cuda> matching_graph(Cuda const&, comm::DistCsr<double, Cuda> const&,
                                            Span<double const>, Span<double const>, Smoothable const&, bool);
template void set_light_aside(Cuda const&, StrengthGraph<Cuda>&, MatchingRules const&,
                              std::optional<Span<unsigned char>>);
template comm::DistCsr<double, Cuda> matching_nodes(Cuda const&, comm::DistCsr<double, Cuda> const&, int);
template Aggregates<Cuda> matched_pairs(Cuda const&, StrengthGraph<Cuda> const&, Span<VertexId const>,
                                        Isolated, float, int*);

}  // namespace Tessera::aggregation
