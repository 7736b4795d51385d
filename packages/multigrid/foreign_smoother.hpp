#pragma once
/// \file
/// The interface to third-party smoothers on the host, which src/ provides.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "comm/dist_csr.hpp"
#include "core/interleaved.hpp"

namespace Tessera::multigrid {

/// A level's matrix, square, on the host.
struct MatrixOnHost {
  comm::Distribution rows;
  std::vector<GlobalIndex> columns;  ///< global index of each local column, the owned ones first
  sparse::Csr<double, Host> local;
};

/// M^-1 of a level, a linear operator.
class ForeignSmoother {
 public:
  virtual ~ForeignSmoother() = default;
  /// x = M^-1 b. Does not read x. Owned entries. Collective.
  virtual void apply(Span<double const> b, Span<double> x) = 0;
};

/// Makes third-party smoothers.
struct ForeignSmoothers {
  std::string name;        ///< in reports
  std::string parameters;  ///< in the other library's format
  bool symmetric = false;  ///< whether M is symmetric for symmetric A
  /// Makes a smoother from a level's matrix, which is not read later. Collective. If it throws on one rank
  /// only, no other rank waits for that rank. Empty: no such smoother.
  std::function<std::unique_ptr<ForeignSmoother>(MatrixOnHost const& A)> make;
};

/// Makes a smoother of A and applies it to b = 1. Collective. \throws core::NumericalError on ranks where the
/// result is not finite
std::unique_ptr<ForeignSmoother> make_checked(ForeignSmoothers const& smoothers, MatrixOnHost const& A);

/// A third-party smoother for vectors of any space in T. It copies them to the host, converts them to double,
/// and copies the result back.
template <class T>
class ForeignSmootherOf {
 public:
  template <class Space>
  ForeignSmootherOf(Space const& space, ForeignSmoothers const& smoothers,
                    comm::DistCsr<double, Space> const& A)
      : smoother_(make_checked(smoothers, {A.rows, comm::global_columns(A.halo),
                                           sparse::copied<double>(space, A.local, Host{})})) {}

  /// x = M^-1 b, or x + M^-1 b unless from_zero. X: T, or a row of a block, column by column. Collective.
  template <class X, class Space>
  void smooth(Space const& space, Span<X const> b, Span<X> x, bool from_zero) {
    constexpr std::size_t columns = core::columns_of<X>;
    b_.resize(b.size());
    x_.resize(b.size());
    auto const host_b = to_host(space, core::numbers(b), host_b_);
    auto const host_x = to_host(space, Span<T const>(core::numbers(x)), host_x_);
    for (std::size_t c = 0; c < columns; ++c) {
      for (std::size_t i = 0; i < b.size(); ++i) b_[i] = static_cast<double>(host_b[i * columns + c]);
      smoother_->apply({b_.data(), b_.size()}, {x_.data(), x_.size()});
      for (std::size_t i = 0; i < b.size(); ++i) {
        auto& sum = host_x[i * columns + c];
        sum = static_cast<T>(from_zero ? x_[i] : static_cast<double>(sum) + x_[i]);
      }
    }
    core::copy(Host{}, Span<T const>(host_x), space, core::numbers(x));
    core::synchronize(space);  // the next call changes the source
  }

 private:
  template <class Space>
  static Span<T> to_host(Space const& space, Span<T const> numbers, std::vector<T>& to) {
    to.resize(numbers.size());
    Span<T> const result(to.data(), to.size());
    core::copy(space, numbers, Host{}, result);
    core::synchronize(space);
    return result;
  }

  std::unique_ptr<ForeignSmoother> smoother_;
  std::vector<T> host_b_, host_x_;
  std::vector<double> b_, x_;
};

}  // namespace Tessera::multigrid
