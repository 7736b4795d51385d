#include "sparse/interleave_body.hpp"

namespace Tessera::sparse {

template void for_rows(InstanceSpace const&, std::size_t,
                       InterleaveBody<double, core::Interleaved<float, 4>> const&);
template void for_rows(InstanceSpace const&, std::size_t,
                       SeparateBody<core::Interleaved<float, 4>, double> const&);
template void for_rows(InstanceSpace const&, std::size_t,
                       InterleaveBody<double, core::Interleaved<float, 8>> const&);
template void for_rows(InstanceSpace const&, std::size_t,
                       SeparateBody<core::Interleaved<float, 8>, double> const&);
template void for_rows(InstanceSpace const&, std::size_t,
                       InterleaveBody<double, core::Interleaved<double, 4>> const&);
template void for_rows(InstanceSpace const&, std::size_t,
                       SeparateBody<core::Interleaved<double, 4>, double> const&);
template void for_rows(InstanceSpace const&, std::size_t,
                       InterleaveBody<double, core::Interleaved<double, 8>> const&);
template void for_rows(InstanceSpace const&, std::size_t,
                       SeparateBody<core::Interleaved<double, 8>, double> const&);
template void round_numbers(InstanceSpace const&, Span<double const>, Span<double>);
template void round_numbers(InstanceSpace const&, Span<double const>, Span<float>);
template void round_numbers(InstanceSpace const&, Span<float const>, Span<double>);

}  // namespace Tessera::sparse
