#pragma once
/// \file
/// The memory of resident multivectors, and the operators that Tessera gives Belos.
#include <Tpetra_Operator.hpp>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "belos/Tessera_ResidentOperator.hpp"
#include "comm/dist_matrix.hpp"
#include "comm/distribution.hpp"
#include "core/array.hpp"
#include "core/error.hpp"
#include "ifpack2/backend.hpp"
#include "krylov/conjugate_gradients.hpp"
#include "sparse/columns.hpp"

namespace Tessera::belos {

/// The back end and the distribution of rows of multivectors. Columns have rows().local_size() elements.
class Residence {
 public:
  Residence(ifpack2::AnySpace space, comm::Distribution rows)
      : space_(std::move(space)), rows_(std::move(rows)) {}

  ifpack2::AnySpace const& space() const { return space_; }
  comm::Distribution const& rows() const { return rows_; }
  std::size_t local_rows() const { return static_cast<std::size_t>(rows_.local_size()); }
  /// Returns work(space).
  template <class Work>
  auto on_space(Work const& work) const {
    return std::visit(work, space_);
  }
  char const* backend() const {
    return on_space([](auto const& space) { return space.name; });
  }
  /// Whether vectors of both residences are interchangeable. The same on all ranks.
  bool fits(Residence const& other) const {
    return this == &other || (space_.index() == other.space_.index() && rows_.same_rows(other.rows_));
  }

  /// Uninitialised memory for consecutive columns. \throws core::OutOfMemory
  std::shared_ptr<double> allocate(std::size_t columns) const {
    return on_space([&](auto const& space) -> std::shared_ptr<double> {
      using Memory = Array<double, std::decay_t<decltype(space)>>;
      auto const memory = std::make_shared<Memory>(space, columns * local_rows());
      return {memory, memory->data()};
    });
  }
  void randomise(std::uint64_t seed, sparse::ColumnList y) const {
    on_space([&](auto const& space) { sparse::randomise(space, local_rows(), rows_.begin(), seed, y); });
  }
  /// Copies a column to or from the host; complete on return.
  void download(double const* column, Span<double> target) const {
    on_space([&](auto const& space) {
      core::copy(space, Span<double const>(column, local_rows()), Host{}, target);
    });
  }
  void upload(Span<double const> source, double* column) const {
    on_space([&](auto const& space) {
      core::copy(Host{}, source, space, Span<double>(column, local_rows()));
      core::synchronize(space);  // the caller may change the source
    });
  }

 private:
  ifpack2::AnySpace space_;
  comm::Distribution rows_;
};

inline std::shared_ptr<Residence const> make_residence(ifpack2::AnySpace const& space,
                                                       comm::Distribution const& rows) {
  return std::make_shared<Residence>(space, rows);
}

inline Span<double const> column(ResidentMultiVector const& X, int j) {
  return {X.column(j), X.localRows()};
}
inline Span<double> column(ResidentMultiVector& X, int j) {
  return {X.column(j), X.localRows()};
}

/// The workspace of a space; a new one if that of another space is there.
template <class Space>
krylov::Workspace<Space>& workspace_on(Space const&, ifpack2::OnAnySpace<krylov::Workspace>& any) {
  using Workspace = krylov::Workspace<Space>;
  if (!std::holds_alternative<Workspace>(any)) any.template emplace<Workspace>();
  return std::get<Workspace>(any);
}

/// An operator of Tessera on vectors of one residence, or of one that fits.
class PlacedOperator : public ResidentOperator {
 public:
  /// \throws core::InvalidInput, on all ranks, if vectors of that residence do not fit
  void require(Residence const& there) const {
    TESSERA_VALIDATE(here_->fits(there),
                     "Tessera::ResidentOperator::apply: the vectors have another back end or "
                     "distribution of rows than the operator; make them with its ResidentSystem");
  }
  void apply(ResidentMultiVector const& X, ResidentMultiVector& Y) const final {
    require(X.residence());
    require(Y.residence());
    TESSERA_VALIDATE(X.columns() == Y.columns(), "Tessera::ResidentOperator::apply: X has ", X.columns(),
                     " columns and Y has ", Y.columns(), "; they must have equally many");
    std::vector<Span<double const>> x;
    std::vector<Span<double>> y;
    for (int j = 0; j < X.columns(); ++j) {
      x.push_back(column(X, j));
      y.push_back(column(Y, j));
    }
    apply_to(x, y);
  }

 protected:
  explicit PlacedOperator(std::shared_ptr<Residence const> here) : here_(std::move(here)) {}
  Residence const& here() const { return *here_; }

 private:
  virtual void apply_to(std::vector<Span<double const>> const& x,
                        std::vector<Span<double>> const& y) const = 0;

  std::shared_ptr<Residence const> here_;
};

/// A matrix of a ResidentSystem.
class MatrixOperator final : public PlacedOperator {
 public:
  /// A copy.
  template <class Space>
  MatrixOperator(std::shared_ptr<Residence const> here, comm::DistCsr<double, Space> const& A, bool symmetric)
      : PlacedOperator(std::move(here)), A_(Matrix<Space>(space<Space>(), A)), symmetric_(symmetric) {}

  /// The owner's matrix in place; the owner is kept alive. SELL-C-sigma would save a quarter of a product's
  /// time at 7 entries per row (a thirtieth of a solve on a GPU), but needs a second matrix in memory.
  template <class Space>
  MatrixOperator(std::shared_ptr<Residence const> here, comm::DistCsr<double, Space> const& A, bool symmetric,
                 std::shared_ptr<void const> owner)
      : PlacedOperator(std::move(here)),
        A_(Matrix<Space>(space<Space>(), A, in_place())),
        symmetric_(symmetric),
        owner_(std::move(owner)) {}

  bool isSymmetric() const override { return symmetric_; }
  /// Returns work(space, A).
  template <class Work>
  auto on_space(Work const& work) const {
    return std::visit([&](auto const& A) { return work(this->space_of(A), A); }, A_);
  }

  /// krylov::rounding_scale() of each column.
  std::vector<krylov::RoundingScale> rounding_scales(ResidentMultiVector const& B,
                                                     ResidentMultiVector const& X,
                                                     ResidentMultiVector const* R,
                                                     ifpack2::OnAnySpace<krylov::Workspace>& any) const {
    return on_space([&](auto const& space, auto const& A) {
      auto& workspace = workspace_on(space, any);
      std::vector<krylov::RoundingScale> scales;
      for (int j = 0; j < X.columns(); ++j) {
        auto const r = R == nullptr ? Span<double const>{} : column(*R, j);
        scales.push_back(krylov::rounding_scale(space, A, column(B, j), column(X, j), workspace,
                                                R == nullptr ? nullptr : &r));
      }
      return scales;
    });
  }

 private:
  template <class Space>
  using Matrix = comm::DistMatrix<double, Space>;

  template <class Space>
  Space const& space() const {
    return std::get<Space>(here().space());
  }
  template <class Space>
  Space const& space_of(Matrix<Space> const&) const {
    return space<Space>();
  }
  void apply_to(std::vector<Span<double const>> const& x, std::vector<Span<double>> const& y) const override {
    on_space([&](auto const& space, auto const& A) {
      for (std::size_t j = 0; j < x.size(); ++j) comm::multiply(space, A, x[j], y[j]);
    });
  }
  static comm::StorageParameters in_place() {
    comm::StorageParameters how;
    how.format = comm::MatrixFormat::csr;
    how.borrow = true;
    return how;
  }

  ifpack2::OnAnySpace<Matrix> A_;
  bool symmetric_;
  std::shared_ptr<void const> owner_;
};

class PreconditionerOperator final : public PlacedOperator {
 public:
  /// owner: of the data that M refers to; kept alive.
  PreconditionerOperator(std::shared_ptr<Residence const> here, krylov::Preconditioner M, bool symmetric,
                         std::shared_ptr<Tpetra::Operator<> const> owner)
      : PlacedOperator(std::move(here)), M_(std::move(M)), symmetric_(symmetric), owner_(std::move(owner)) {}

  bool isSymmetric() const override { return symmetric_; }

  krylov::Preconditioner const& preconditioner() const { return M_; }
  /// The operator that it was made from.
  Tpetra::Operator<> const* origin() const { return owner_.get(); }

 private:
  void apply_to(std::vector<Span<double const>> const& x, std::vector<Span<double>> const& y) const override {
    if (M_.apply_columns) {
      M_.apply_columns(x, y);
    } else {
      for (std::size_t j = 0; j < x.size(); ++j) M_.apply(x[j], y[j]);
    }
    if (M_.count_applications) M_.count_applications(static_cast<int>(x.size()));
  }

  krylov::Preconditioner M_;
  bool symmetric_;
  std::shared_ptr<Tpetra::Operator<> const> owner_;
};

}  // namespace Tessera::belos
