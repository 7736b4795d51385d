#pragma once
/// \file
/// The smoother's steps, fused into the products that they need.
#include "comm/fused_product.hpp"
#include "core/parallel.hpp"
#include "multigrid/smoother.hpp"

namespace Tessera::multigrid {

/// inverse = 1 / d.
template <class T>
struct InverseDiagonal {
  Span<double const> diagonal;
  Span<T> inverse;
  TESSERA_HD void operator()(Index i) const { inverse[i] = static_cast<T>(1.0 / diagonal[i]); }
  /// d = a_ii + sum over j != i of |a_ij|, for l1-Jacobi.
  TESSERA_HD void operator()(Index i, double others) const {
    inverse[i] = static_cast<T>(1.0 / (diagonal[i] + others));
  }
};

struct OffDiagonalMagnitude {
  TESSERA_HD double operator()(Index i, Offset, double a, Index c) const {
    return c == i ? 0.0 : a < 0 ? -a : a;
  }
};

/// z_1 = c D^-1 b.
template <class T>
struct StartFromZero {
  Span<T const> b, inverse;
  Span<T> z;
  T c;
  TESSERA_HD void operator()(Index i) const { z[i] = c * inverse[i] * b[i]; }
};

/// r_0 = b - A x and z_1 = c D^-1 r_0; product is (A x)_i.
template <class T>
struct Start {
  Span<T const> b, inverse;
  Span<T> r, z;
  T c;
  TESSERA_HD void operator()(Index i, T product) const {
    T const r_i = b[i] - product;
    r[i] = r_i;
    z[i] = c * inverse[i] * r_i;
  }
};

/// What x is when a step adds to it. The update by the first weighted z is deferred to the next step, since x
/// may not change while the first product reads it.
enum class Deferred { nothing, first_z, first_z_to_zero };

/// r_{k-1} = r_{k-2} - A z_{k-1}, z_k = p z_{k-1} + c D^-1 r_{k-1}, x += w z_k; product is (A z_{k-1})_i. The
/// last step keeps neither r nor z.
template <class T, Deferred deferred, bool last>
struct Step {
  Span<T const> r_before, z_before, inverse;
  Span<T> r, z, x;
  T p, c, w, w_first;
  TESSERA_HD void operator()(Index i, T product) const {
    T const r_i = r_before[i] - product;
    T const z_i = p * z_before[i] + c * inverse[i] * r_i;
    if (!last) {
      r[i] = r_i;
      z[i] = z_i;
    }
    T start = deferred == Deferred::first_z_to_zero ? T(0) : x[i];
    if (deferred != Deferred::nothing) start += w_first * z_before[i];
    x[i] = start + w * z_i;
  }
};

/// x = [x +] w z, for polynomials of degree one.
template <class T, bool to_zero>
struct AddOnly {
  Span<T const> z;
  Span<T> x;
  T w;
  TESSERA_HD void operator()(Index i) const { x[i] = to_zero ? w * z[i] : x[i] + w * z[i]; }
};

/// z_k = p z_{k-1} + c w with w = G^T G r_{k-1}, x = [x +] weight z_k; z_0 = 0 is not read.
template <class T, bool first, bool to_zero>
struct InverseStep {
  Span<T const> w;
  Span<T> z, x;
  T p, c, weight;
  TESSERA_HD void operator()(Index i) const {
    T z_i = c * w[i];
    if (!first) z_i += p * z[i];
    z[i] = z_i;
    x[i] = to_zero ? weight * z_i : x[i] + weight * z_i;
  }
};

/// The others repeat their steps as often, which comes to the same.
inline bool has_sweeps(SmootherType type) {
  return type == SmootherType::chebyshev || type == SmootherType::fsai;
}

template <class T, class Space>
Smoother<T, Space>::Smoother(Space const& space, comm::DistCsr<double, Space> const& A,
                             Span<double const> diagonal, double rho, SmootherParameters const& parameters,
                             SparseInverseParameters const& how)
    : parameters_(parameters),
      repetitions_(has_sweeps(parameters.type) ? parameters.sweeps : 1),
      vector_bytes_(static_cast<double>(sizeof(T)) * static_cast<double>(A.local.rows)) {
  if (parameters.type == SmootherType::fsai) {
    inverse_ = std::make_unique<SparseInverse<T, Space>>(space, A, parameters.fsai, how);
  } else {
    inverse_diagonal_ = Array<T, Space>(space, diagonal.size());
    refresh(space, A, diagonal);
  }
  set_radius(rho);
}

template <class T, class Space>
void Smoother<T, Space>::set_radius(double rho) {
  steps_ = polynomial(parameters_, inverse_ ? inverse_->rho() : rho);
}

template <class T, class Space>
void Smoother<T, Space>::refresh(Space const& space, comm::DistCsr<double, Space> const& A,
                                 Span<double const> diagonal) {
  if (inverse_) return inverse_->refresh(space, A);
  InverseDiagonal<T> const store{diagonal, inverse_diagonal_.span()};
  if (parameters_.type == SmootherType::l1_jacobi) {
    sparse::row_reduce(space, A.local.view(), OffDiagonalMagnitude{}, store);
  } else {
    core::for_each(space, diagonal.size(), store);
  }
}

template <class T, class Space>
void Smoother<T, Space>::smooth(Space const& space, comm::DistMatrix<T, Space> const& A,
                                Workspace<T, Space>& work, bool from_zero) const {
  if (from_zero && (repetitions_ == 0 || steps_.empty())) core::fill(space, work.x.span(), T(0));
  for (int k = 0; k < repetitions_ && !steps_.empty(); ++k) {
    if (inverse_) {
      once_with_inverse(space, A, work, from_zero && k == 0);
    } else {
      once(space, A, work, from_zero && k == 0);
    }
  }
}

template <class T, class Space>
void Smoother<T, Space>::step(Space const& space, comm::DistMatrix<T, Space> const& A,
                              Workspace<T, Space>& work, std::size_t k, bool from_zero) const {
  auto const& before = work.z[(k - 1) % 2];
  auto const& r = k == 1 && from_zero ? work.b : work.r;
  auto const pass = [&](auto deferred, auto last) {
    comm::multiply_fused(
        space, A, before.view(),
        Step<T, decltype(deferred)::value, decltype(last)::value>{
            r.view(), before.view(), inverse_diagonal_.view(), work.r.span(), work.z[k % 2].span(),
            work.x.span(), static_cast<T>(steps_[k].previous), static_cast<T>(steps_[k].residual),
            static_cast<T>(steps_[k].weight), static_cast<T>(steps_[0].weight)});
  };
  auto const pass_of = [&](auto deferred) {
    if (k + 1 == steps_.size()) return pass(deferred, std::true_type{});
    pass(deferred, std::false_type{});
  };
  if (k > 1) return pass_of(std::integral_constant<Deferred, Deferred::nothing>{});
  if (from_zero) return pass_of(std::integral_constant<Deferred, Deferred::first_z_to_zero>{});
  pass_of(std::integral_constant<Deferred, Deferred::first_z>{});
}

template <class T, class Space>
void Smoother<T, Space>::once(Space const& space, comm::DistMatrix<T, Space> const& A,
                              Workspace<T, Space>& work, bool from_zero) const {
  auto const n = work.x.size();
  auto const inverse = inverse_diagonal_.view();
  auto const x = work.x.span();
  auto const c = static_cast<T>(steps_[0].residual), w = static_cast<T>(steps_[0].weight);
  if (from_zero) {
    core::for_each(space, n, StartFromZero<T>{work.b.view(), inverse, work.z[0].span(), c});
  } else {
    comm::multiply_fused(space, A, work.x.view(),
                         Start<T>{work.b.view(), inverse, work.r.span(), work.z[0].span(), c});
  }
  if (steps_.size() == 1) {
    if (from_zero) {
      core::for_each(space, n, AddOnly<T, true>{work.z[0].view(), x, w});
    } else {
      core::for_each(space, n, AddOnly<T, false>{work.z[0].view(), x, w});
    }
  }
  for (std::size_t k = 1; k < steps_.size(); ++k) step(space, A, work, k, from_zero);
}

template <class T, class Space>
void Smoother<T, Space>::once_with_inverse(Space const& space, comm::DistMatrix<T, Space> const& A,
                                           Workspace<T, Space>& work, bool from_zero) const {
  auto const n = work.x.size();
  auto& z = work.z[0];
  auto& w = work.z[1];
  auto const subtract = [&](Array<T, Space> const& from, Array<T, Space> const& x) {
    comm::multiply_fused(space, A, x.view(), sparse::StoreResidual<T>{from.data(), work.r.data()});
  };
  if (!from_zero) subtract(work.b, work.x);
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    if (k > 0) subtract(k == 1 && from_zero ? work.b : work.r, z);
    inverse_->apply((k == 0 && from_zero ? work.b : work.r).view(), w.span());
    auto const step = [&](auto first, auto to_zero) {
      core::for_each(space, n,
                     InverseStep<T, decltype(first)::value, decltype(to_zero)::value>{
                         w.view(), z.span(), work.x.span(), static_cast<T>(steps_[k].previous),
                         static_cast<T>(steps_[k].residual), static_cast<T>(steps_[k].weight)});
    };
    if (k > 0) {
      step(std::false_type{}, std::false_type{});
    } else if (from_zero) {
      step(std::true_type{}, std::true_type{});
    } else {
      step(std::true_type{}, std::false_type{});
    }
  }
}

template <class T, class Space>
double Smoother<T, Space>::bytes_moved_with_inverse(double matrix, bool from_zero) const {
  double products = 0, vectors = 0, inverses = 0;
  for (int repetition = 0; repetition < repetitions_; ++repetition) {
    for (std::size_t k = 0; k < steps_.size(); ++k) {
      bool const zero = from_zero && repetition == 0 && k == 0;
      if (!zero) products += 1, vectors += 3;  // residual
      inverses += 1;
      vectors += 3 + (k > 0 ? 1 : 0) + (zero ? 0 : 1);  // InverseStep
    }
  }
  return products * matrix + inverses * inverse_->bytes_moved() + vectors * vector_bytes_;
}

template <class T, class Space>
double Smoother<T, Space>::bytes_moved(double matrix, bool from_zero) const {
  if (inverse_) return bytes_moved_with_inverse(matrix, from_zero);
  double products = 0, vectors = 0;
  auto const steps = static_cast<int>(steps_.size());
  for (int repetition = 0; repetition < repetitions_ && steps > 0; ++repetition) {
    bool const zero = from_zero && repetition == 0;
    products += zero ? 0 : 1;
    vectors += zero ? 3 : 5;  // StartFromZero, Start
    if (steps == 1) vectors += zero ? 2 : 3;
    for (int k = 1; k < steps; ++k) {
      products += 1;
      vectors += (zero && k == 1 ? 4 : 5) + (k + 1 == steps ? 0 : 2);
    }
  }
  return products * matrix + vectors * vector_bytes_;
}

}  // namespace Tessera::multigrid
