#pragma once
/// \file
/// The choice of precision and back end, made once for every kind of preconditioner.
#include "ifpack2/operator_on_host.hpp"
#include "parameters/settings.hpp"
#if defined(TESSERA_HAVE_CUDA)
#include "ifpack2/operator_on_cuda.hpp"
#endif

namespace Tessera::ifpack2 {

/// Operator: such as multigrid::Hierarchy. make(space, A, times) returns it; see OperatorOnCuda.
template <template <class, class> class Operator, class T, class Make>
std::unique_ptr<AnyOperator> place_in([[maybe_unused]] Backend const& backend,
                                      comm::DistCsr<double, Host> const& A, Make const& make) {
  auto const typed = [&make](auto const& space, auto const& matrix, core::PhaseTimes& times) {
    return make(T(), space, matrix, times);
  };
#if defined(TESSERA_HAVE_CUDA)
  if (backend.cuda) return std::make_unique<OperatorOnCuda<Operator<T, Cuda>>>(backend, A, typed);
#endif
  return std::make_unique<OperatorOnHost<Operator<T, Host>>>(A, typed);
}

/// make: (T, space, A, times) -> Operator<T, Space>, for either precision and either space.
template <template <class, class> class Operator, class Make>
std::unique_ptr<AnyOperator> place(Backend const& backend, parameters::Precision precision,
                                   comm::DistCsr<double, Host> const& A, Make const& make) {
  return precision == parameters::Precision::single ? place_in<Operator, float>(backend, A, make)
                                                    : place_in<Operator, double>(backend, A, make);
}

}  // namespace Tessera::ifpack2
