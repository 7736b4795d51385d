#pragma once
/// \file
/// Numbers in 16 bits (IEEE 754 binary16), for storage only. Host and CUDA convert to the same bits.
#include <cmath>
#include <cstdint>
#include <cstring>

#include "core/types.hpp"

namespace Tessera::core {

template <class To, class From>
TESSERA_HD To bit_cast(From from) {
  To to;
  static_assert(sizeof to == sizeof from);
  std::memcpy(&to, &from, sizeof to);
  return to;
}

/// x rounded to the 11 bits of a Half, ties to even, in any range.
TESSERA_HD inline double rounded_to_half_digits(double x) {
  auto u = bit_cast<std::uint64_t>(x);
  u += (std::uint64_t{1} << 41) - 1 + (u >> 42 & 1);
  return bit_cast<double>(u & ~((std::uint64_t{1} << 42) - 1));
}

/// 11 significant bits from 2^-14 to 65504; below 2^-14 multiples of 2^-24.
struct Half {
  std::uint16_t bits;

  Half() = default;
  /// x rounded to nearest, ties to even; infinite from 65520 on.
  TESSERA_HD explicit Half(double x) {
#if defined(__CUDA_ARCH__)
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(bits) : "d"(x));
#else
    // A positive half's bits are those of a float 2^112 times smaller, also of subnormal numbers.
    double const size = std::fabs(x);
    double const rounded = size < 0x1p-14 ? size + 0x1p28 - 0x1p28 : rounded_to_half_digits(size);
    auto const u = bit_cast<std::uint32_t>(static_cast<float>(rounded * 0x1p-112)) >> 13;
    auto const sign = std::signbit(x) ? 0x8000U : 0U;
    bits = static_cast<std::uint16_t>(std::isnan(x) ? 0x7fffU : sign | (rounded < 65536 ? u : 0x7c00U));
#endif
  }
  /// Exact.
  TESSERA_HD operator float() const {
#if defined(__CUDA_ARCH__)
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
    return x;
#else
    auto const size = bits & 0x7fffU;
    auto const u = bit_cast<std::uint32_t>(bit_cast<float>(size << 13) * 0x1p112F);
    return bit_cast<float>(u | (size >= 0x7c00U ? 0x7f800000U : 0U) | (bits & 0x8000U) << 16);
#endif
  }
};

/// The half next to x whose magnitude is not larger.
TESSERA_HD inline Half half_towards_zero(double x) {
  Half h(x);
  if (std::fabs(static_cast<double>(h)) > std::fabs(x)) --h.bits;
  return h;
}

/// The exponent of a row of halves with this largest magnitude: the row is stored as its entries divided by
/// 2^(exponent - 127), a normal float. The largest entry, rounded, is then in [2^14, 2^15), so entries down
/// to 2^-29 of it keep 11 bits, and a half's value times this power is a float. Smaller entries lose less
/// than 2^-39 of the largest.
TESSERA_HD inline unsigned char half_exponent(double largest) {
  auto const u = bit_cast<std::uint64_t>(rounded_to_half_digits(largest));
  auto const exponent = static_cast<int>(u >> 52) - 1023 - 14 + 127;
  return static_cast<unsigned char>(exponent < 2 ? 2 : exponent > 254 ? 254 : exponent);
}
/// 2^(exponent - 127).
TESSERA_HD inline float half_scale(unsigned char exponent) {
  return bit_cast<float>(std::uint32_t{exponent} << 23);
}
/// 1 / half_scale(exponent).
TESSERA_HD inline double inverse_half_scale(unsigned char exponent) {
  return bit_cast<double>((std::uint64_t{1023} + 127 - exponent) << 52);
}

#if defined(TESSERA_CUDA_UNIT)
/// A streaming load, as CUDA has for other numbers.
inline __device__ Half __ldcs(Half const* from) {
  Half h;
  h.bits = ::__ldcs(&from->bits);
  return h;
}
#endif

}  // namespace Tessera::core

namespace Tessera {
using core::Half;
}
