#pragma once
/// \file
/// The smoother's steps, fused into the products that they need.
#include <cmath>
#include <utility>

#include "comm/fused_product.hpp"
#include "core/error.hpp"
#include "core/group.hpp"
#include "core/parallel.hpp"
#include "multigrid/smoother.hpp"
#include "sparse/columns.hpp"
#include "sparse/tridiagonal.hpp"

namespace Tessera::multigrid {

template <class T, class Space>
SparseInverse<T, Space>::SparseInverse(Space const& space, comm::DistCsr<double, Space> const& A,
                                       fsai::Parameters const& parameters, SparseInverseParameters const& how)
    : inverse_(space, A, parameters, how.storage),
      steps_(how.eigenvalue_steps),
      safety_(how.eigenvalue_safety),
      rho_(largest_eigenvalue(space, A)) {}

template <class T, class Space>
void SparseInverse<T, Space>::refresh(Space const& space, comm::DistCsr<double, Space> const& A) {
  inverse_.refresh(A);
  rho_ = largest_eigenvalue(space, A);
}

/// Lanczos on M^-1 A, which is symmetric in the inner product of M (Golub, Van Loan, Matrix Computations,
/// section 11.5.2; conjugate gradients with M do the same implicitly). Stores v and q = M^-1 v.
template <class T, class Space>
double SparseInverse<T, Space>::largest_eigenvalue(Space const& space,
                                                   comm::DistCsr<double, Space> const& A) {
  auto const n = static_cast<std::size_t>(A.local.rows);
  auto const& comm = A.rows.comm();
  Array<double, Space> v(space, n), before(space, n), q(space, n), product(space, n);
  auto* start = v.data();
  sparse::randomise(space, n, A.rows.begin(), 0, {&start, 1});
  core::fill(space, before.span(), 0.0);
  auto const dot = [&](Array<double, Space> const& x, Array<double, Space> const& y) {
    auto const *of_x = x.data(), *of_y = y.data();
    return comm.sum(sparse::dots(space, n, {&of_x, 1}, {&of_y, 1}).front());
  };
  auto const combine = [&](double alpha, Array<double, Space> const& x, double beta,
                           Array<double, Space>& y) {
    auto const *of_x = x.data(), *of_y = static_cast<double const*>(y.data());
    auto* result = y.data();  // y = alpha x + beta y
    sparse::combine(space, n, {&alpha, 1}, {&of_x, 1}, {&beta, 1}, {&of_y, 1}, {&result, 1});
  };
  auto const norm = [&](Array<double, Space> const& r) {
    inverse_.apply(r.view(), q.span());
    return std::sqrt(dot(r, q));
  };
  std::vector<double> alphas, betas;
  double beta = norm(v);
  while (beta > 0 && std::isfinite(beta)) {
    combine(0, v, 1 / beta, v);
    combine(0, q, 1 / beta, q);
    comm::multiply(space, A, q.view(), product.span());
    double const alpha = dot(q, product);
    alphas.push_back(alpha);
    if (static_cast<int>(alphas.size()) == steps_) break;
    double const last = alphas.size() == 1 ? 0 : beta;
    combine(-alpha, v, 1, product);
    combine(1, product, -last, before);
    std::swap(v, before);
    beta = norm(v);
    if (beta <= 1e-6 * alpha) break;  // an invariant subspace, to the precision of M^-1 in float
    betas.push_back(beta);
  }
  if (!std::isfinite(beta) || alphas.empty() || !std::isfinite(alphas.back())) {
    if (A.rows.global_size() == 0) return 1;
    throw core::NumericalError(core::message(
        "the largest eigenvalue of G A G^T cannot be estimated (step ", alphas.size(), " of Lanczos gave ",
        beta, "): the matrix is not positive definite; use another smoother than FSAI"));
  }
  sparse::Tridiagonal const T_n{alphas.data(), betas.data(), static_cast<int>(alphas.size())};
  return safety_ * sparse::largest_eigenvalue(core::SingleThread{}, T_n);
}

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

// Bodies below: X is T, or a row of a block.

/// z_1 = c D^-1 b.
template <class T, class X>
struct StartFromZero {
  static constexpr int loop_steps = core::columns_of<X>;
  Span<X const> b;
  Span<T const> inverse;
  Span<X> z;
  T c;
  TESSERA_HD void operator()(Index i) const { z[i] = c * inverse[i] * b[i]; }
};

/// r_0 = b - A x and z_1 = c D^-1 r_0; product is (A x)_i.
template <class T, class X>
struct Start {
  Span<X const> b;
  Span<T const> inverse;
  Span<X> r, z;
  T c;
  TESSERA_HD void operator()(Index i, X product) const {
    X const r_i = b[i] - product;
    r[i] = r_i;
    z[i] = c * inverse[i] * r_i;
  }
};

/// The update of x by the first weighted z, which a step makes in addition to its own. It is deferred to the
/// second step, because x must not change while the first product reads it.
enum class Deferred { nothing, first_z, first_z_to_zero };

/// r_{k-1} = r_{k-2} - A z_{k-1}, z_k = p z_{k-1} + c D^-1 r_{k-1}, x += w z_k; product is (A z_{k-1})_i. The
/// last step stores neither r nor z.
template <class T, class X, Deferred deferred, bool last>
struct Step {
  Span<X const> r_before, z_before;
  Span<T const> inverse;
  Span<X> r, z, x;
  T p, c, w, w_first;
  TESSERA_HD void operator()(Index i, X product) const {
    X const r_i = r_before[i] - product;
    X const z_i = p * z_before[i] + c * inverse[i] * r_i;
    if (!last) {
      r[i] = r_i;
      z[i] = z_i;
    }
    X start = deferred == Deferred::first_z_to_zero ? X{} : x[i];
    if (deferred != Deferred::nothing) start += w_first * z_before[i];
    x[i] = start + w * z_i;
  }
};

/// x = [x +] w z, for polynomials of degree one.
template <class T, class X, bool to_zero>
struct AddOnly {
  static constexpr int loop_steps = core::columns_of<X>;
  Span<X const> z;
  Span<X> x;
  T w;
  TESSERA_HD void operator()(Index i) const { x[i] = to_zero ? w * z[i] : x[i] + w * z[i]; }
};

/// z_k = p z_{k-1} + c w with w = G^T G r_{k-1}, x = [x +] weight z_k; z_0 = 0 is not read.
template <class T, class X, bool first, bool to_zero>
struct InverseStep {
  Span<X const> w;
  Span<X> z, x;
  T p, c, weight;
  TESSERA_HD void operator()(Index i) const {
    X z_i = c * w[i];
    if (!first) z_i += p * z[i];
    z[i] = z_i;
    x[i] = to_zero ? weight * z_i : x[i] + weight * z_i;
  }
};

/// Whether `sweeps` repeats the whole smoother. Jacobi smoothers have a polynomial step for each sweep
/// instead.
inline bool has_sweeps(SmootherType type) {
  return type != SmootherType::jacobi && type != SmootherType::l1_jacobi;
}

template <class T, class Space>
Smoother<T, Space>::Smoother(Space const& space, comm::DistCsr<double, Space> const& A,
                             Span<double const> diagonal, double rho, SmootherParameters const& parameters,
                             SparseInverseParameters const& how)
    : parameters_(parameters), repetitions_(has_sweeps(parameters.type) ? parameters.sweeps : 1) {
  if (parameters.type == SmootherType::fsai) {
    inverse_ = std::make_unique<SparseInverse<T, Space>>(space, A, parameters.fsai, how);
  } else if (parameters.type == SmootherType::foreign) {
    refresh(space, A, diagonal);
  } else {
    inverse_diagonal_ = Array<T, Space>(space, diagonal.size());
    refresh(space, A, diagonal);
  }
  set_radius(rho);
}

template <class T, class Space>
void Smoother<T, Space>::archive(core::Archive& file, Space const& space,
                                 comm::DistCsr<double, Space> const& A, SmootherParameters const& parameters,
                                 SparseInverseParameters const& how) {
  auto& [own_parameters, repetitions, steps, inverse_diagonal, inverse, foreign] = *this;
  TESSERA_EXPECT(parameters.type != SmootherType::foreign && !foreign);
  if (!file.saves()) own_parameters = parameters;
  if (!file.saves()) repetitions = has_sweeps(parameters.type) ? parameters.sweeps : 1;
  auto const count = polynomial(parameters, 1).size();
  for (auto member : {&PolynomialStep::previous, &PolynomialStep::residual, &PolynomialStep::weight}) {
    std::vector<double> numbers;
    for (auto const& step : steps) numbers.push_back(step.*member);
    file(numbers);
    Span<double const> const all(numbers.data(), numbers.size());
    core::require_size(file, all, count, "steps of a polynomial");
    core::require_finite(file, all, "steps of a polynomial");
    steps.resize(numbers.size());
    for (std::size_t k = 0; k < steps.size(); ++k) steps[k].*member = numbers[k];
  }
  bool const sparse = parameters.type == SmootherType::fsai;
  file.array(space, inverse_diagonal, [&](Span<T const> all) {
    core::require_size(file, all, sparse ? 0 : static_cast<std::size_t>(A.local.rows),
                       "inverses of a diagonal");
    core::require_finite(file, all, "inverses of a diagonal");
  });
  if (!sparse) return;
  if (file.saves()) return inverse->save(file);
  inverse = std::make_unique<SparseInverse<T, Space>>(space, A, parameters.fsai, how, file);
}

template <class T, class Space>
void Smoother<T, Space>::refresh(Space const& space, comm::DistCsr<double, Space> const& A,
                                 Span<double const> diagonal) {
  if (inverse_) return inverse_->refresh(space, A);
  if (parameters_.type == SmootherType::foreign) {
    foreign_ = std::make_unique<ForeignSmootherOf<T>>(space, parameters_.foreign, A);
    return;
  }
  InverseDiagonal<T> const store{diagonal, inverse_diagonal_.span()};
  if (parameters_.type == SmootherType::l1_jacobi) {
    sparse::row_reduce(space, A.local.view(), OffDiagonalMagnitude{}, store);
  } else {
    core::for_each(space, diagonal.size(), store);
  }
}

template <class T, class Space>
template <class X>
void Smoother<T, Space>::smooth(Space const& space, comm::DistMatrix<T, Space> const& A,
                                Vectors<X> const& work, bool from_zero) const {
  passes(A, work, from_zero, [&](Moved, auto const& run) { run(space); });
}

template <class T, class Space>
double Smoother<T, Space>::bytes_moved(comm::DistMatrix<T, Space> const& A, Vectors<T> const& work,
                                       bool from_zero) const {
  double products = 0, vectors = 0, inverses = 0;
  passes(A, work, from_zero, [&](Moved moved, auto const&) {
    products += moved.products;
    vectors += moved.vectors;
    inverses += moved.inverses;
  });
  return products * static_cast<double>(A.product_bytes()) + vectors * static_cast<double>(work.bytes()) +
         (inverse_ ? inverses * inverse_->bytes_moved() : 0);
}

template <class T, class Space>
template <class X, class Execute>
void Smoother<T, Space>::passes(comm::DistMatrix<T, Space> const& A, Vectors<X> const& work, bool from_zero,
                                Execute const& execute) const {
  int const repetitions = steps_.empty() && !foreign_ ? 0 : repetitions_;
  if (from_zero && repetitions == 0)
    execute({0, 1}, [&](Space const& space) { core::fill(space, core::numbers(work.x), T(0)); });
  for (int k = 0; k < repetitions; ++k) {
    if (inverse_) {
      with_inverse(A, work, from_zero && k == 0, execute);
    } else if (foreign_) {
      with_foreign(A, work, from_zero && k == 0, execute);
    } else {
      with_diagonal(A, work, from_zero && k == 0, execute);
    }
  }
}

template <class T, class Space>
template <class X, class Execute>
void Smoother<T, Space>::with_diagonal(comm::DistMatrix<T, Space> const& A, Vectors<X> const& work,
                                       bool from_zero, Execute const& execute) const {
  auto const inverse = inverse_diagonal_.view();
  auto const first = static_cast<T>(steps_[0].weight);
  execute({from_zero ? 0 : 1, from_zero ? 3 : 5}, [&](Space const& space) {
    auto const c = static_cast<T>(steps_[0].residual);
    auto const z = work.z[0];
    if (from_zero) {
      core::for_each(space, z.size(), StartFromZero<T, X>{work.b, inverse, z, c});
    } else {
      comm::multiply_fused(space, A, Span<X const>(work.x), Start<T, X>{work.b, inverse, work.r, z, c});
    }
  });
  if (steps_.size() == 1) {
    execute({0, from_zero ? 2 : 3}, [&](Space const& space) {
      auto const z = work.z[0];
      if (from_zero) {
        core::for_each(space, z.size(), AddOnly<T, X, true>{z, work.x, first});
      } else {
        core::for_each(space, z.size(), AddOnly<T, X, false>{z, work.x, first});
      }
    });
  }
  for (std::size_t k = 1; k < steps_.size(); ++k) {
    bool const to_zero = k == 1 && from_zero, is_last = k + 1 == steps_.size();
    execute({1, (to_zero ? 4 : 5) + (is_last ? 0 : 2)}, [&](Space const& space) {
      Span<X const> const before = work.z[(k - 1) % 2];
      auto const pass = [&](auto deferred, auto last) {
        comm::multiply_fused(space, A, before,
                             Step<T, X, decltype(deferred)::value, decltype(last)::value>{
                                 to_zero ? work.b : work.r, before, inverse, work.r, work.z[k % 2], work.x,
                                 static_cast<T>(steps_[k].previous), static_cast<T>(steps_[k].residual),
                                 static_cast<T>(steps_[k].weight), first});
      };
      auto const pass_of = [&](auto deferred) {
        is_last ? pass(deferred, std::true_type{}) : pass(deferred, std::false_type{});
      };
      if (k > 1) return pass_of(std::integral_constant<Deferred, Deferred::nothing>{});
      if (to_zero) return pass_of(std::integral_constant<Deferred, Deferred::first_z_to_zero>{});
      pass_of(std::integral_constant<Deferred, Deferred::first_z>{});
    });
  }
}

template <class T, class Space>
template <class X, class Execute>
void Smoother<T, Space>::with_inverse(comm::DistMatrix<T, Space> const& A, Vectors<X> const& work,
                                      bool from_zero, Execute const& execute) const {
  auto const z = work.z[0], w = work.z[1];
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    bool const to_zero = k == 0 && from_zero;
    if (!to_zero) {
      auto const from = k == 0 || (k == 1 && from_zero) ? work.b : work.r;
      Span<X const> const x = k == 0 ? work.x : z;
      execute({1, 3}, [&](Space const& space) {
        comm::multiply_fused(space, A, x, sparse::StoreResidual<X>{from.data(), work.r.data()});
      });
    }
    execute({0, 3 + (k > 0 ? 1 : 0) + (to_zero ? 0 : 1), 1}, [&](Space const& space) {
      inverse_->apply(Span<X const>(to_zero ? work.b : work.r), w);
      auto const step = [&](auto first, auto zero) {
        core::for_each(space, z.size(),
                       InverseStep<T, X, decltype(first)::value, decltype(zero)::value>{
                           w, z, work.x, static_cast<T>(steps_[k].previous),
                           static_cast<T>(steps_[k].residual), static_cast<T>(steps_[k].weight)});
      };
      if (k > 0) return step(std::false_type{}, std::false_type{});
      to_zero ? step(std::true_type{}, std::true_type{}) : step(std::true_type{}, std::false_type{});
    });
  }
}

template <class T, class Space>
template <class X, class Execute>
void Smoother<T, Space>::with_foreign(comm::DistMatrix<T, Space> const& A, Vectors<X> const& work,
                                      bool from_zero, Execute const& execute) const {
  if (!from_zero) {
    execute({1, 3}, [&](Space const& space) {
      comm::multiply_fused(space, A, Span<X const>(work.x),
                           sparse::StoreResidual<X>{work.b.data(), work.r.data()});
    });
  }
  execute({0, from_zero ? 2 : 3}, [&](Space const& space) {
    foreign_->smooth(space, Span<X const>(from_zero ? work.b : work.r), work.x, from_zero);
  });
}

}  // namespace Tessera::multigrid

// Instantiates smooth() for a type of vector or block.
#define TESSERA_SMOOTH(Space, T, ...)                                                       \
  template void Smoother<T, Space>::smooth(Space const&, comm::DistMatrix<T, Space> const&, \
                                           Vectors<__VA_ARGS__> const&, bool) const;
