#include "ifpack2/foreign_parts.hpp"

#include <Teuchos_XMLParameterListCoreHelpers.hpp>
#include <algorithm>
#include <new>

#include "core/error.hpp"
#include "ifpack2/amesos2.hpp"
#include "ifpack2/by_name.hpp"
#include "parameters/teuchos_text.hpp"
#include "tpetra/export_matrix.hpp"

namespace Tessera::ifpack2 {
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
    // A rank that fails does so in its own rows: the others wait for it behind each of these.
    auto const& ranks = A.rows.comm();
    ranks.agree();
    M_->initialize();
    ranks.agree();
    M_->compute();
    ranks.agree();
  }

  void apply(Span<double const> b, Span<double> x) override {
    std::copy(b.begin(), b.end(), b_.getDataNonConst(0).begin());
    x_.putScalar(0);  // some start from it
    M_->apply(b_, x_);
    auto const smoothed = x_.getData(0);
    std::copy(smoothed.begin(), smoothed.end(), x.begin());
  }

 private:
  Teuchos::RCP<tpetra::CrsMatrix> matrix_;
  MultiVector b_, x_;
  Teuchos::RCP<AnyIfpack2> M_;
};

/// Has smoothers that are of Ifpack2 made by it.
void made_by_ifpack2(multigrid::SmootherParameters& smoother) {
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
                        "); mend `smoother: ifpack2 list`, or take another `smoother: ifpack2 type`"));
    }
  };
}

}  // namespace

multigrid::Parameters with_foreign_parts(parameters::Settings const& settings) {
  auto parameters = settings.multigrid;
  made_by_ifpack2(parameters.smoother);
  for (auto& level : parameters.level_smoothers) made_by_ifpack2(level.second);
  if (parameters.coarse == multigrid::CoarseType::direct)
    parameters.direct = amesos2_solvers(settings.direct_solver);
  return parameters;
}

}  // namespace Tessera::ifpack2
