#include "ifpack2/third_party.hpp"

#include <Ifpack2_config.h>
#include <Ifpack2_Factory.hpp>
#include <Ifpack2_Parameters.hpp>

#include <Teuchos_XMLParameterListCoreHelpers.hpp>
#include <algorithm>
#include <new>

#include "core/error.hpp"
#include "parameters/messages.hpp"
#include "parameters/vocabulary.hpp"
#include "tpetra/assemble.hpp"
#if defined(HAVE_IFPACK2_AMESOS2)
#include <Amesos2.hpp>
#include <Teuchos_DefaultSerialComm.hpp>
#endif

namespace Tessera::ifpack2 {
namespace {

/// Refuses unknown parameters. Ifpack2's Chebyshev ignores them (Relaxation does not). Valid names are those
/// of Ifpack2's valid list, those in Tessera's vocabulary, and those that the preconditioner adds to an empty
/// list.
void check_names(Teuchos::ParameterList const& given, AnyIfpack2& op, std::string const& list_name) {
  Teuchos::ParameterList valid, filled;
  Ifpack2::getValidParameters(valid);
  op.setParameters(filled);
  for (auto const& entry : given) {
    auto const& name = entry.first;
    TESSERA_VALIDATE(entry.second.isList() || valid.isParameter(name) || filled.isParameter(name) ||
                         parameters::find_foreign(parameters::Library::ifpack2, name) != nullptr,
                     list_name, ": \"", name, "\" is not a parameter of Ifpack2; see its user's guide");
  }
}

}  // namespace

Teuchos::RCP<AnyIfpack2> ifpack2_by_name(std::string const& type, int overlap,
                                         Teuchos::ParameterList const& parameters,
                                         Teuchos::RCP<tpetra::RowMatrix const> const& A,
                                         std::string const& type_name, std::string const& list_name) {
  Ifpack2::Factory factory;
  TESSERA_VALIDATE(factory.isSupported<tpetra::RowMatrix>(type), type_name, " is \"", type,
                   "\", which is not in this Ifpack2; choose for instance \"CHEBYSHEV\", \"RELAXATION\" or "
                   "\"SCHWARZ\"");
  auto const op = factory.create<tpetra::RowMatrix>(type, A, overlap);
  // Set even if empty, because Chebyshev's constructor does not set its boost factor. A copy, because Ifpack2
  // adds to the list. Its name matters to Ifpack2's wrapper of Amesos2.
  Teuchos::ParameterList own("Amesos2");
  own.setParameters(parameters);
  if (parameters.numParams() > 0) check_names(parameters, *op, list_name);
  op->setParameters(own);
  return op;
}

#if defined(HAVE_IFPACK2_AMESOS2)

namespace {

using tpetra::CrsMatrix;
using tpetra::MultiVector;

/// The matrix on a communicator of this rank only.
Teuchos::RCP<CrsMatrix> on_one_rank(sparse::CsrView<double> const& A) {
  auto const comm = Teuchos::rcp(new Teuchos::SerialComm<int>);
  auto const map = Teuchos::rcp(new tpetra::Map(A.rows, 0, comm));
  return tpetra::crs_matrix(A, map, map);
}

/// Calls work(); adds the solver's name and the number of rows to errors.
template <class Work>
auto with_solver_name(std::string const& name, Index rows, Work const& work) {
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
        matrix_(on_one_rank(A)),
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

  /// Keeps the symbolic factorisation.
  void refactor(Host const&, sparse::Csr<double, Host> const& A) override {
    with_solver_name(name_, A.rows, [&] {
      matrix_ = on_one_rank(A.view());
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
    std::string available;
    for (auto const* other : {"KLU2", "Basker", "Cholmod", "MUMPS", "SuperLU"})
      if (Amesos2::query(other)) available += (available.empty() ? "" : ", ") + std::string(other);
    throw core::Unavailable(core::message("`coarse: direct solver` = ", name, ": this Trilinos' Amesos2 has ",
                                          available.empty() ? "none that is known here" : available,
                                          "; take one of those, or `coarse: type` = dense or smoother"));
  }
  return {name + " (Amesos2)", [name](Host const&, sparse::Csr<double, Host> const& A) {
            return with_solver_name(name, A.rows, [&]() -> std::unique_ptr<sparse::DirectSolver<Host>> {
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

namespace {

using tpetra::MultiVector;

class Ifpack2Smoother final : public multigrid::ForeignSmoother {
 public:
  Ifpack2Smoother(std::string const& type, Teuchos::ParameterList const& parameters,
                  multigrid::MatrixOnHost const& A)
      : matrix_(tpetra::crs_matrix(A.local.view(), A.rows, A.columns)),
        b_(matrix_->getRowMap(), 1),
        x_(matrix_->getRowMap(), 1),
        M_(ifpack2_by_name(type, 0, parameters, matrix_, "`smoother: ifpack2 type`",
                           "`smoother: ifpack2 list`")) {
    // A rank may fail in its own rows. agree() after each step makes all ranks throw.
    auto const& ranks = A.rows.comm();
    ranks.agree();
    M_->initialize();
    ranks.agree();
    M_->compute();
    ranks.agree();
  }

  void apply(Span<double const> b, Span<double> x) override {
    std::copy(b.begin(), b.end(), b_.getDataNonConst(0).begin());
    x_.putScalar(0);  // some preconditioners start from x
    M_->apply(b_, x_);
    auto const smoothed = x_.getData(0);
    std::copy(smoothed.begin(), smoothed.end(), x.begin());
  }

 private:
  Teuchos::RCP<tpetra::CrsMatrix> matrix_;
  MultiVector b_, x_;
  Teuchos::RCP<AnyIfpack2> M_;
};

/// Sets the factory of a smoother of Ifpack2.
void set_factory(multigrid::SmootherParameters& smoother) {
  if (smoother.type != multigrid::SmootherType::foreign) return;
  Teuchos::ParameterList list;
  if (!smoother.foreign.parameters.empty())
    list = *Teuchos::getParametersFromXmlString(smoother.foreign.parameters);
  auto const type = smoother.foreign.name;
  smoother.foreign.name += " (Ifpack2)";
  smoother.foreign.make = [type, list](multigrid::MatrixOnHost const& A) {
    try {
      return std::unique_ptr<multigrid::ForeignSmoother>(std::make_unique<Ifpack2Smoother>(type, list, A));
    } catch (std::bad_alloc const&) {
      throw;
    } catch (core::InvalidInput const&) {
      throw;
    } catch (std::exception const& error) {
      throw core::NumericalError(
          core::message("`smoother: type` = IFPACK2: ", type, " cannot be made of a level of ",
                        A.rows.global_size(), " rows (", parameters::plain_text(error.what()),
                        "); fix `smoother: ifpack2 list`, or take another `smoother: ifpack2 type`"));
    }
  };
}

}  // namespace

multigrid::Parameters with_foreign_parts(settings::Settings const& settings) {
  auto parameters = settings.multigrid;
  set_factory(parameters.smoother);
  for (auto& level : parameters.level_smoothers) set_factory(level.second);
  if (parameters.coarse == multigrid::CoarseType::direct)
    parameters.direct = amesos2_solvers(settings.direct_solver);
  return parameters;
}

}  // namespace Tessera::ifpack2
