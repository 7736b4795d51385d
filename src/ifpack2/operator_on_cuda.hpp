#pragma once
/// \file
/// M^-1 on a GPU, for vectors that lie on the host.
#include <optional>
#include <type_traits>
#include <utility>

#include "core/array.hpp"
#include "core/error.hpp"
#include "core/out_of_memory.hpp"
#include "core/timer.hpp"
#include "ifpack2/any_operator.hpp"
#include "tpetra/device_columns.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::ifpack2 {

/// An operator's own vectors in single precision, where it has such.
template <class Operator, class = void>
struct Single {
  static Span<float> input(Operator&) { return {}; }
  static Span<float const> output(Operator&) { return {}; }
  static void apply(Operator&) {}
};
template <class Operator>
struct Single<Operator,
              std::enable_if_t<std::is_same_v<decltype(std::declval<Operator&>().input()), Span<float>>>> {
  static Span<float> input(Operator& M) { return M.input(); }
  static Span<float const> output(Operator& M) { return M.output(); }
  static void apply(Operator& M) { M.apply(); }
};

/// Operator: such as multigrid::Hierarchy<float, Cuda>.
template <class Operator>
class OperatorOnCuda final : public AnyOperator, private Resident<Cuda> {
 public:
  /// make: (space, A, times) -> Operator; it adds what it uploads itself to the times' phase "transfer".
  template <class Make>
  OperatorOnCuda(Backend const& backend, comm::DistCsr<double, Host> const& A, Make const& make)
      : space_(*backend.cuda), device_(backend.device), rows_(A.rows) {
    upload(A);
    operator_.emplace(make(space_, *matrix_, times_));
    core::synchronize(space_);
  }

  void refresh(comm::DistCsr<double, Host> const& A) override {
    replace_values(A);
    operator_->refresh(*matrix_);
    core::synchronize(space_);
  }
  void replace_values(comm::DistCsr<double, Host> const& A) override {
    auto const timer = transfer();
    core::copy(Host{}, A.local.value.view(), space_, matrix_->local.value.span());
  }

  void apply(tpetra::MultiVector const& X, tpetra::MultiVector& Y) override {
    if constexpr (tpetra::vectors_on_device) {
      apply_in_place(X, Y);
    } else {
      apply_staged(X, Y);
    }
  }

  multigrid::HierarchyReport const* hierarchy_report() override {
    return report_of<multigrid::HierarchyReport>(*operator_);
  }
  fsai::Report const* fsai_report() override { return report_of<fsai::Report>(*operator_); }
  std::vector<std::string> const& warnings() const override { return operator_->warnings(); }
  std::string device() const override { return device_; }
  std::size_t staged_bytes() const override {
    return tpetra::vectors_on_device ? 0 : 2 * sizeof(double) * local_rows();
  }
  double transfer_seconds() const override { return times_.at("transfer"); }
  Resident<Cuda>* on_cuda() override { return this; }

 private:
  void apply_in_place(tpetra::MultiVector const& X, tpetra::MultiVector& Y) {
    tpetra::ReadDeviceColumns const x(X);
    tpetra::WriteDeviceColumns const y(Y);
    for (std::size_t column = 0; column < x.size(); ++column) operator_->apply(x[column], y[column]);
    core::synchronize(space_);
  }

  std::size_t local_rows() const { return static_cast<std::size_t>(rows_.local_size()); }

  void apply_staged(tpetra::MultiVector const& X, tpetra::MultiVector& Y) {
    if (!staging_) reserve_staging();
    tpetra::ReadColumns const x(X);
    tpetra::WriteColumns const y(Y, tpetra::Before::forgotten);
    for (std::size_t column = 0; column < x.size(); ++column) {
      {
        auto const timer = transfer();
        core::copy(Host{}, x[column], space_, b_.span());
      }
      operator_->apply(b_.view(), x_.span());
      core::synchronize(space_);  // so that the transfer's time is its own
      auto const timer = transfer();
      core::copy(space_, x_.view(), Host{}, y[column]);
    }
  }

  /// At the first apply(), since those who iterate on the GPU do without.
  void reserve_staging() {
    comm::agree_on_errors(rows_.comm(), [&] {
      x_ = Array<double, Cuda>(space_, local_rows());
      b_ = Array<double, Cuda>(space_, local_rows());
    });
    staging_ = true;
  }

  Cuda const& space() const override { return space_; }
  comm::DistCsr<double, Cuda> const& matrix() const override { return *matrix_; }
  void apply(Span<double const> b, Span<double> x) override { operator_->apply(b, x); }
  Span<float> single_input() override { return Single<Operator>::input(*operator_); }
  Span<float const> single_output() override { return Single<Operator>::output(*operator_); }
  void apply_single() override { Single<Operator>::apply(*operator_); }
  bool enqueues_only() const override { return only_enqueues(*operator_, rows_.comm()); }

  void upload(comm::DistCsr<double, Host> const& A) {
    auto const timer = transfer();
    matrix_.emplace();
    matrix_->rows = A.rows;
    matrix_->user_row = A.user_row;
    core::name_out_of_memory([] { return "upload of the matrix, level 0"; },
                             [&] {
                               matrix_->halo = comm::HaloPlan<Cuda>(space_, A.columns(), A.halo.ghosts());
                               matrix_->local = sparse::copied<double>(Host{}, A.local, space_);
                             });
  }
  core::PhaseTimer<Cuda> transfer() { return {space_, times_, "transfer"}; }

  Cuda space_;
  std::string device_;
  std::optional<comm::DistCsr<double, Cuda>> matrix_;  ///< for refreshes, and for whoever iterates there
  std::optional<Operator> operator_;
  comm::Distribution rows_;
  Array<double, Cuda> b_, x_;  ///< where vectors from the host are put
  bool staging_ = false;       ///< they are there
  core::PhaseTimes times_;
};

}  // namespace Tessera::ifpack2
