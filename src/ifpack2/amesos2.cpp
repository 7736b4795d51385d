#include "ifpack2/amesos2.hpp"

#include <Ifpack2_config.h>

#include <algorithm>

#include "core/error.hpp"
#include "parameters/teuchos_text.hpp"
#if defined(HAVE_IFPACK2_AMESOS2)
#include <Amesos2.hpp>
#include <Teuchos_DefaultSerialComm.hpp>

#include "tpetra/export_matrix.hpp"
#endif

namespace Tessera::ifpack2 {

#if defined(HAVE_IFPACK2_AMESOS2)

namespace {

using tpetra::CrsMatrix;
using tpetra::MultiVector;

/// The matrix, of this rank alone.
Teuchos::RCP<CrsMatrix> alone(sparse::CsrView<double> const& A) {
  auto const comm = Teuchos::rcp(new Teuchos::SerialComm<int>);
  auto const map = Teuchos::rcp(new tpetra::Map(A.rows, 0, comm));
  return tpetra::crs_matrix(A, map, map);
}

/// What work() throws, as trouble with a matrix of so many rows.
template <class Work>
auto named(std::string const& name, Index rows, Work const& work) {
  try {
    return work();
  } catch (std::bad_alloc const&) {
    throw;
  } catch (std::exception const& error) {
    throw core::NumericalError(core::message(name, " (Amesos2) cannot factor the coarsest matrix, of ", rows,
                                             " rows (", error.what(),
                                             "); take `coarse: type` = dense or smoother"));
  }
}

class Amesos2Solver final : public sparse::DirectSolver<Host> {
 public:
  Amesos2Solver(std::string const& name, sparse::CsrView<double> const& A)
      : name_(name),
        matrix_(alone(A)),
        b_(Teuchos::rcp(new MultiVector(matrix_->getRangeMap(), 1))),
        x_(Teuchos::rcp(new MultiVector(matrix_->getDomainMap(), 1))),
        solver_(Amesos2::create<CrsMatrix, MultiVector>(name, matrix_, x_, b_)) {
    solver_->symbolicFactorization();
    solver_->numericFactorization();
  }

  void solve(Host const&, Span<double const> b, Span<double> x) override {
    std::copy(b.begin(), b.end(), b_->getDataNonConst(0).begin());
    solver_->solve();
    auto const solution = x_->getData(0);
    std::copy(solution.begin(), solution.end(), x.begin());
  }

  /// Keeps what was found of the pattern.
  void refactor(Host const&, sparse::Csr<double, Host> const& A) override {
    named(name_, A.rows, [&] {
      matrix_ = alone(A.view());
      solver_->setA(matrix_, Amesos2::SYMBFACT);
      solver_->numericFactorization();
    });
  }

  GlobalIndex factor_entries() const override {
    return static_cast<GlobalIndex>(solver_->getStatus().getNnzLU());
  }

 private:
  std::string name_;
  Teuchos::RCP<CrsMatrix> matrix_;
  Teuchos::RCP<MultiVector> b_, x_;
  Teuchos::RCP<Amesos2::Solver<CrsMatrix, MultiVector>> solver_;
};

}  // namespace

sparse::DirectSolvers<Host> amesos2_solvers(std::string const& name) {
  if (!Amesos2::query(name)) {
    std::string there;
    for (auto const* other : {"KLU2", "Basker", "Cholmod", "MUMPS", "SuperLU"})
      if (Amesos2::query(other)) there += (there.empty() ? "" : ", ") + std::string(other);
    throw core::Unavailable(core::message("`coarse: direct solver` = ", name, ": this Trilinos' Amesos2 has ",
                                          there.empty() ? "none that is known here" : there,
                                          "; take one of those, or `coarse: type` = dense or smoother"));
  }
  return {name + " (Amesos2)", [name](Host const&, sparse::Csr<double, Host> const& A) {
            return named(name, A.rows, [&]() -> std::unique_ptr<sparse::DirectSolver<Host>> {
              return std::make_unique<Amesos2Solver>(name, A.view());
            });
          }};
}

#else

sparse::DirectSolvers<Host> amesos2_solvers(std::string const&) {
  throw core::Unavailable(
      "`coarse: type` = amesos2: this Trilinos' Ifpack2 was built without Amesos2; take dense or smoother");
}

#endif

}  // namespace Tessera::ifpack2
