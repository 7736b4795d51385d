#include "comm/dist_matrix_body.hpp"

namespace Tessera::comm {

template std::string DistStorage<double, Host>::formats() const;
template std::string DistStorage<float, Host>::formats() const;
template class DistMatrix<double, Host>;
template class DistMatrix<float, Host>;
template class DistTranspose<double, Host>;
template class DistTranspose<float, Host>;
template void multiply(Host const&, DistMatrix<double, Host> const&, Span<double const>, Span<double>);
template void multiply_transposed(Host const&, DistTranspose<double, Host> const&, Span<double const>,
                                  Span<double>);
template void multiply_transposed(Host const&, DistTranspose<float, Host> const&, Span<float const>,
                                  Span<float>);

}  // namespace Tessera::comm
