#include "fsai/parameters.hpp"

#include "core/error.hpp"
#include "fsai/factor.hpp"

namespace Tessera::fsai {
namespace {

/// Checks first <= value < limit, or first <= value <= limit if closed.
template <class T>
void in_range(char const* name, T value, T first, T limit, bool closed, char const* words) {
  TESSERA_VALIDATE(value >= first && (closed ? value <= limit : value < limit), "`fsai: ", name, "` is ",
                   value, " (it must be ", words, ")");
}

}  // namespace

void validate(Parameters const& p) {
  constexpr int any = 1 << 30;
  in_range("factors", p.factors, 1, 2, true, "1 or 2");
  TESSERA_VALIDATE(
      p.factors == 1 || p.ordering == Ordering::random,
      "`fsai: factors` is 2 in natural order (the columns of the first factor are a random half ",
      "of the rows); set `fsai: ordering` to random, or leave `fsai: factors` out");
  in_range("pattern level", p.pattern_level, 0, any, true, "at least 0");
  in_range("prefilter tolerance", p.prefilter, 0.0, 1.0, false, "at least 0 and below 1");
  in_range("postfilter tolerance", p.postfilter, 0.0, 1.0, false, "at least 0 and below 1");
  in_range("max row size", p.max_row_size, 0, largest_row, true, "0 (automatic) or from 1 to 1024");
  in_range("adaptive steps", p.adaptive_steps, 0, any, true, "at least 0");
  in_range("adaptive step size", p.adaptive_step_size, 1, largest_row, true, "from 1 to 1024");
  in_range("adaptive tolerance", p.adaptive_tolerance, 0.0, 1.0, false, "at least 0 and below 1");
  in_range("ghost depth", p.ghost_depth, -1, any, true, "-1 (no limit) or at least 0");
  TESSERA_VALIDATE(p.workspace > 0,
                   "`fsai: workspace` is 0 bytes (dense systems need memory); set at least 1 byte");
}

}  // namespace Tessera::fsai
