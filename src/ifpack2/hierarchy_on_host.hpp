#pragma once
/// \file
/// A hierarchy in the memory where Tpetra's vectors are.
#include "core/error.hpp"
#include "ifpack2/any_hierarchy.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::ifpack2 {

template <class T>
class HierarchyOnHost final : public AnyHierarchy, private Resident<Host> {
 public:
  explicit HierarchyOnHost(SetupInput const& input)
      : hierarchy_(Host{}, input.A, core::to_space(Host{}, input.ids), input.nullspace,
                   input.settings.multigrid),
        matrix_(input.keep_matrix ? &input.A : nullptr) {}

  void refresh(comm::DistCsr<double, Host> const& A) override { hierarchy_.refresh(A); }
  void apply(tpetra::MultiVector const& X, tpetra::MultiVector& Y) override {
    tpetra::ReadColumns const x(X);
    tpetra::WriteColumns const y(Y, tpetra::Before::forgotten);
    for (std::size_t column = 0; column < x.size(); ++column) hierarchy_.apply(x[column], y[column]);
  }
  multigrid::HierarchyReport const& report() override { return hierarchy_.report(); }
  std::vector<std::string> const& warnings() const override { return hierarchy_.warnings(); }
  Resident<Host>* on_host() override { return this; }

 private:
  Host const& space() const override { return space_; }
  comm::DistCsr<double, Host> const& matrix() const override {
    if (matrix_ == nullptr) throw core::Unavailable(matrix_not_kept);
    return *matrix_;
  }
  void apply(Span<double const> b, Span<double> x) override { hierarchy_.apply(b, x); }

  Host space_;
  multigrid::Hierarchy<T, Host> hierarchy_;
  comm::DistCsr<double, Host> const* matrix_;
};

}  // namespace Tessera::ifpack2
