#pragma once
/// \file
/// What lies between the two calls is what profilers told to wait for them record.

namespace Tessera::benchmarks {

void start_profiler();
void stop_profiler();

}  // namespace Tessera::benchmarks
