#include "fsai/batch/row_systems_body.hpp"

namespace Tessera::fsai {

template RowFailure solve_rows(InstanceSpace const&, LowerRows const&, PatternView, Span<double>, std::size_t,
                               Span<unsigned char const>);

}  // namespace Tessera::fsai
