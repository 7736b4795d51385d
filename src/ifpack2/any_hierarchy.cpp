#include "ifpack2/any_hierarchy.hpp"

#include "ifpack2/hierarchy_on_host.hpp"
#if defined(TESSERA_HAVE_CUDA)
#include "ifpack2/hierarchy_on_cuda.hpp"
#endif

namespace Tessera::ifpack2 {
namespace {

template <class T>
std::unique_ptr<AnyHierarchy> set_up_in(Backend const& backend, SetupInput const& input) {
#if defined(TESSERA_HAVE_CUDA)
  if (backend.cuda) return std::make_unique<HierarchyOnCuda<T>>(backend, input);
#else
  static_cast<void>(backend);
#endif
  return std::make_unique<HierarchyOnHost<T>>(input);
}

}  // namespace

std::unique_ptr<AnyHierarchy> set_up(Backend const& backend, SetupInput const& input) {
  return input.settings.precision == parameters::Precision::single ? set_up_in<float>(backend, input)
                                                                   : set_up_in<double>(backend, input);
}

}  // namespace Tessera::ifpack2
