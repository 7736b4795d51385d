#pragma once
/// \file
/// The border to smoothers that are other people's and work on the host: src/ hands them in.
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

/// The M^-1 of a level, a linear operator.
class ForeignSmoother {
 public:
  virtual ~ForeignSmoother() = default;
  /// x = M^-1 b, whatever x held. Owned entries. Collective.
  virtual void apply(Span<double const> b, Span<double> x) = 0;
};

/// Who make them.
struct ForeignSmoothers {
  std::string name;        ///< as reports say it
  std::string parameters;  ///< in words of their own
  bool symmetric = false;  ///< whether M is, where A is
  /// Of a level's matrix, which is not read later. Collective. What throws on one rank alone has left nothing
  /// that others wait for. Empty: there is none.
  std::function<std::unique_ptr<ForeignSmoother>(MatrixOnHost const& A)> make;
};

/// A smoother of A, which makes numbers of b = 1, neither infinite nor NaN. Collective.
/// \throws core::NumericalError on a rank where it does not
std::unique_ptr<ForeignSmoother> made_and_checked(ForeignSmoothers const& smoothers, MatrixOnHost const& A);

/// Such a smoother for vectors of any space in T: they are brought to the host and made double, and what M^-1
/// makes of them goes back.
template <class T>
class ForeignSmootherOf {
 public:
  template <class Space>
  ForeignSmootherOf(Space const& space, ForeignSmoothers const& smoothers,
                    comm::DistCsr<double, Space> const& A)
      : smoother_(made_and_checked(smoothers, {A.rows, comm::global_columns(A.halo),
                                               sparse::copied<double>(space, A.local, Host{})})) {}

  /// x = M^-1 b, or x + M^-1 b unless from_zero. X: T, or a row of a block, column by column. Collective.
  template <class X, class Space>
  void smooth(Space const& space, Span<X const> b, Span<X> x, bool from_zero) {
    constexpr std::size_t columns = core::columns_of<X>;
    b_.resize(b.size());
    x_.resize(b.size());
    auto const here = taken(space, core::numbers(b), of_b_);
    auto const smoothed = taken(space, Span<T const>(core::numbers(x)), of_x_);
    for (std::size_t c = 0; c < columns; ++c) {
      for (std::size_t i = 0; i < b.size(); ++i) b_[i] = static_cast<double>(here[i * columns + c]);
      smoother_->apply({b_.data(), b_.size()}, {x_.data(), x_.size()});
      for (std::size_t i = 0; i < b.size(); ++i) {
        auto& sum = smoothed[i * columns + c];
        sum = static_cast<T>(from_zero ? x_[i] : static_cast<double>(sum) + x_[i]);
      }
    }
    core::copy(Host{}, Span<T const>(smoothed), space, core::numbers(x));
    core::synchronize(space);  // what is copied changes at the next call
  }

 private:
  template <class Space>
  static Span<T> taken(Space const& space, Span<T const> numbers, std::vector<T>& to) {
    to.resize(numbers.size());
    Span<T> const result(to.data(), to.size());
    core::copy(space, numbers, Host{}, result);
    core::synchronize(space);
    return result;
  }

  std::unique_ptr<ForeignSmoother> smoother_;
  std::vector<T> of_b_, of_x_;
  std::vector<double> b_, x_;
};

}  // namespace Tessera::multigrid
