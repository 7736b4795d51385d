#pragma once
/// \file
/// How often threads were woken.

namespace Tessera::test {

/// Parallel regions so far that more than one thread may take part in.
int parallel_regions();

}  // namespace Tessera::test
