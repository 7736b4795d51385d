#include "sparse/interleave.hpp"

#include "core/parallel.hpp"
#include "sparse/convert.hpp"

namespace Tessera::sparse {

template <class X, class Space>
void for_rows(Space const& space, std::size_t rows, InterleaveBody<double, X> const& body) {
  core::for_each(space, rows, body);
}
template <class X, class Space>
void for_rows(Space const& space, std::size_t rows, SeparateBody<X, double> const& body) {
  core::for_each(space, rows, body);
}

template <class Space, class From, class To>
void round_numbers(Space const& space, Span<From const> source, Span<To> target) {
  convert(space, source, target);
}

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
