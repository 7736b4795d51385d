#include "fsai/batch/growth_body.hpp"

namespace Tessera::fsai {

template Pattern<Host> grown_pattern(Host const&, LowerRows const&, PatternView, Span<double const>,
                                     Span<unsigned char>, GrowthRule const&);

}  // namespace Tessera::fsai
