#pragma once
/// \file
/// Linear elasticity of isotropic bodies.

namespace Tessera::gallery {

/// Lamé's constants.
struct Lame {
  double lambda, mu;
};

/// For E = 10^9 and nu = 1/4, as in Galeri; plane stress in two dimensions.
inline Lame galeri_material(int dimensions) {
  double constexpr E = 1e9, nu = 0.25;
  double const lambda = dimensions == 2 ? E * nu / (1 - nu * nu) : E * nu / ((1 + nu) * (1 - 2 * nu));
  return {lambda, E / (2 * (1 + nu))};
}

/// lambda div u div v + 2 mu eps(u) : eps(v) for the gradients a and b of two basis functions:
/// block[direction of u][direction of v]. An exchange of a and b gives bitwise the transposed block.
inline void strain_energy(Lame const& material, int dimensions, double const* a, double const* b,
                          double* block) {
  auto const [lambda, mu] = material;
  double product = 0;
  for (int d = 0; d < dimensions; ++d) product += a[d] * b[d];
  for (int i = 0; i < dimensions; ++i) {
    for (int j = 0; j < dimensions; ++j) {
      block[i * dimensions + j] = lambda * (a[i] * b[j]) + mu * (a[j] * b[i]) + (i == j ? mu * product : 0);
    }
  }
}

}  // namespace Tessera::gallery
