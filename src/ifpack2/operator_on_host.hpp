#pragma once
/// \file
/// M^-1 in the memory where Tpetra's vectors are.
#include <utility>

#include "core/error.hpp"
#include "core/timer.hpp"
#include "ifpack2/any_operator.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::ifpack2 {

/// Operator: such as multigrid::Hierarchy<float, Host>.
template <class Operator>
class OperatorOnHost final : public AnyOperator, private Resident<Host> {
 public:
  /// make: (space, A, times) -> Operator, as for OperatorOnCuda. A must live as long as this.
  template <class Make>
  OperatorOnHost(comm::DistCsr<double, Host> const& A, Make const& make)
      : operator_(make(Host{}, A, times_)), matrix_(A) {}

  void refresh(comm::DistCsr<double, Host> const& A) override { operator_.refresh(A); }
  void apply(tpetra::MultiVector const& X, tpetra::MultiVector& Y) override {
    tpetra::ReadColumns const x(X);
    tpetra::WriteColumns const y(Y, tpetra::Before::forgotten);
    for (std::size_t column = 0; column < x.size(); ++column) operator_.apply(x[column], y[column]);
  }
  multigrid::HierarchyReport const* hierarchy_report() override {
    return report_of<multigrid::HierarchyReport>(operator_);
  }
  fsai::Report const* fsai_report() override { return report_of<fsai::Report>(operator_); }
  std::vector<std::string> const& warnings() const override { return operator_.warnings(); }
  Resident<Host>* on_host() override { return this; }

 private:
  Host const& space() const override { return space_; }
  comm::DistCsr<double, Host> const& matrix() const override { return matrix_; }
  void apply(Span<double const> b, Span<double> x) override { operator_.apply(b, x); }
  bool enqueues_only() const override { return false; }

  Host space_;
  core::PhaseTimes times_;  ///< on the host nothing is transferred
  Operator operator_;
  comm::DistCsr<double, Host> const& matrix_;
};

}  // namespace Tessera::ifpack2
