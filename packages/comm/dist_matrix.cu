#include "comm/dist_matrix_body.hpp"

namespace Tessera::comm {

template std::string DistStorage<double, Cuda>::formats() const;
template std::string DistStorage<float, Cuda>::formats() const;
template class DistMatrix<double, Cuda>;
template class DistMatrix<float, Cuda>;
template class DistTranspose<double, Cuda>;
template class DistTranspose<float, Cuda>;
template void multiply(Cuda const&, DistMatrix<double, Cuda> const&, Span<double const>, Span<double>);
template void multiply_transposed(Cuda const&, DistTranspose<double, Cuda> const&, Span<double const>,
                                  Span<double>);
template void multiply_transposed(Cuda const&, DistTranspose<float, Cuda> const&, Span<float const>,
                                  Span<float>);

}  // namespace Tessera::comm
