#include "sparse/interleave_body.hpp"

namespace Tessera::sparse {

using core::Interleaved;

template void for_rows(Host const&, std::size_t, InterleaveBody<double, Interleaved<float, 4>> const&);
template void for_rows(Host const&, std::size_t, SeparateBody<Interleaved<float, 4>, double> const&);
template void for_rows(Host const&, std::size_t, InterleaveBody<double, Interleaved<float, 8>> const&);
template void for_rows(Host const&, std::size_t, SeparateBody<Interleaved<float, 8>, double> const&);
template void for_rows(Host const&, std::size_t, InterleaveBody<double, Interleaved<double, 4>> const&);
template void for_rows(Host const&, std::size_t, SeparateBody<Interleaved<double, 4>, double> const&);
template void for_rows(Host const&, std::size_t, InterleaveBody<double, Interleaved<double, 8>> const&);
template void for_rows(Host const&, std::size_t, SeparateBody<Interleaved<double, 8>, double> const&);
template void round_numbers(Host const&, Span<double const>, Span<double>);
template void round_numbers(Host const&, Span<double const>, Span<float>);
template void round_numbers(Host const&, Span<float const>, Span<double>);

}  // namespace Tessera::sparse
