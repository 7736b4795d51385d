#include "galerkin/prolongator_cuda.cuh"
#include "galerkin/smooth_blocks_cuda.cuh"

namespace Tessera::galerkin {

template comm::DistCsr<double, Cuda> prolongator_symbolic(Cuda const&, comm::DistCsr<double, Cuda> const&,
                                                          Span<unsigned char const>,
                                                          Span<unsigned char const>, Tentative<Cuda> const&);
template void prolongator_numeric(Cuda const&, comm::DistCsr<double, Cuda> const&, Span<unsigned char const>,
                                  Span<unsigned char const>, Span<double const>, Tentative<Cuda> const&,
                                  Damping, comm::DistCsr<double, Cuda>&);

template comm::DistCsr<double, Cuda> prolongator(Cuda const&, comm::DistCsr<double, Cuda> const&,
                                                 Span<unsigned char const>, Span<unsigned char const>,
                                                 Span<double const>, Tentative<Cuda> const&, double);

template void plan_prolongator(Cuda const&, comm::DistCsr<double, Cuda> const&, Span<unsigned char const>,
                               Span<unsigned char const>, Tentative<Cuda> const&,
                               comm::DistCsr<double, Cuda> const&, ProlongatorPlan<Cuda>&);
template void refresh_prolongator(Cuda const&, comm::DistCsr<double, Cuda> const&, Span<unsigned char const>,
                                  Span<unsigned char const>, Span<double const>, Tentative<Cuda> const&,
                                  Damping, ProlongatorPlan<Cuda>&, comm::DistCsr<double, Cuda>&);

}  // namespace Tessera::galerkin
