#include "comm/redistribute_body.hpp"

namespace Tessera::comm {

template class Redistribution<Cuda>;
template DistCsr<double, Cuda> Redistribution<Cuda>::matrix(Cuda const&, DistCsr<double, Cuda> const&) const;
template void Redistribution<Cuda>::refresh(Cuda const&, DistCsr<double, Cuda> const&,
                                            DistCsr<double, Cuda>&) const;

}  // namespace Tessera::comm
