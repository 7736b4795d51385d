#include "galerkin/filter_body.hpp"

namespace Tessera::galerkin {

template void filtered_diagonal(Host const&, comm::DistCsr<double, Host> const&, Span<unsigned char const>,
                                FilterParameters const&, Span<double>, Span<unsigned char>, double*);
template void refresh_filtered_diagonal(Host const&, comm::DistCsr<double, Host> const&,
                                        Span<unsigned char const>, Span<unsigned char const>, Span<double>,
                                        double*);

}  // namespace Tessera::galerkin
