#include "multigrid/levels/bootstrap_body.hpp"
#include "multigrid/levels/hierarchy_body.hpp"

namespace Tessera::multigrid {

// hierarchy_blocks.cpp instantiates them.
TESSERA_BLOCK_CYCLES(extern, InstanceSpace, double)
TESSERA_BLOCK_CYCLES(extern, InstanceSpace, float)

template class Hierarchy<double, InstanceSpace>;
template class Hierarchy<float, InstanceSpace>;

template class Bootstrap<double, InstanceSpace>;
template class Bootstrap<float, InstanceSpace>;

#define TESSERA_LEVELS(T)                                                                                \
  template std::unique_ptr<comm::TypedOperator<T, InstanceSpace>> make_levels(                           \
      InstanceSpace const&, comm::DistCsr<double, InstanceSpace> const&, Array<VertexId, InstanceSpace>, \
      NearNullspace const&, Parameters const&, LevelObserver const&);                                    \
  template std::unique_ptr<comm::TypedOperator<T, InstanceSpace>> load_levels(                           \
      InstanceSpace const&, comm::DistCsr<double, InstanceSpace> const&, Array<VertexId, InstanceSpace>, \
      Parameters const&, core::Archive&);
TESSERA_LEVELS(double)
TESSERA_LEVELS(float)

}  // namespace Tessera::multigrid
