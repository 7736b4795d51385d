#pragma once
/// \file
/// The types that travel, listed once for halo_plan.cpp and halo_plan.cu.
#include <cstdint>

#include "comm/halo_plan_body.hpp"

#define TESSERA_HALO_EXCHANGE(Space, T) \
  template void HaloPlan<Space>::begin_exchange<T>(Space const&, Span<T const>, Span<T>, int) const;

#define TESSERA_HALO_ADD(Space, T)                                                     \
  TESSERA_HALO_EXCHANGE(Space, T)                                                      \
  template void HaloPlan<Space>::begin_add<T>(Space const&, Span<T const>, int) const; \
  template void HaloPlan<Space>::end_add<T>(Space const&, Span<T>, int) const;

#define TESSERA_HALO_INSTANCES(Space)         \
  template class HaloPlan<Space>;             \
  TESSERA_HALO_ADD(Space, double)             \
  TESSERA_HALO_ADD(Space, float)              \
  TESSERA_HALO_ADD(Space, Index)              \
  TESSERA_HALO_ADD(Space, GlobalIndex)        \
  TESSERA_HALO_EXCHANGE(Space, std::uint64_t) \
  TESSERA_HALO_EXCHANGE(Space, unsigned char)
