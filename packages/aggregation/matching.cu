#include "aggregation/matching_body.hpp"

namespace Tessera::aggregation {

template StrengthGraph<Cuda> matching_graph(Cuda const&, comm::DistCsr<double, Cuda> const&,
                                            Span<double const>, Span<double const>,
                                            std::optional<Span<double const>>, bool);
template void filter_by_weight(Cuda const&, StrengthGraph<Cuda> const&, Span<unsigned char>);
template comm::DistCsr<double, Cuda> matching_nodes(Cuda const&, comm::DistCsr<double, Cuda> const&, int);
template Aggregates<Cuda> matched_pairs(Cuda const&, StrengthGraph<Cuda> const&, Span<VertexId const>,
                                        Isolated, float, int*);

}  // namespace Tessera::aggregation
