#include <MueLu_CreateTpetraPreconditioner.hpp>
#include <exception>
#include <iostream>
#include <sstream>

#include "Tessera_MueLuSmoothers.hpp"
#include "baselines/preconditioner.hpp"
#include "core/error.hpp"
#include "parameters/messages.hpp"

namespace Tessera::baselines {
namespace {

using MueLuOperator = MueLu::TpetraOperator<Matrix::scalar_type, Matrix::local_ordinal_type,
                                            Matrix::global_ordinal_type, Matrix::node_type>;

using XpetraMatrix = Xpetra::Matrix<Matrix::scalar_type, Matrix::local_ordinal_type,
                                    Matrix::global_ordinal_type, Matrix::node_type>;

bool chooses_coarse_solver(Teuchos::ParameterList const& list) {
  return list.isParameter("coarse: type") || list.isParameter("xml parameter file") ||
         list.isSublist("Factories");
}

/// MueLu's default coarse solver, KLU2 through Amesos2, is wrong on two or more ranks in Debian's Trilinos
/// 13.2 (relative residual 0.5). Twenty symmetric Gauss-Seidel sweeps on at most 200 unknowns are practically
/// exact.
void set_safe_coarse_solver(Teuchos::ParameterList& list) {
  list.set("coarse: type", "RELAXATION");
  auto& params = list.sublist("coarse: params");
  params.set("relaxation: type", "Symmetric Gauss-Seidel");
  params.set("relaxation: sweeps", 20);
  if (!list.isParameter("coarse: max size")) list.set("coarse: max size", 200);
}

Info describe(MueLuOperator const& op) {
  Info info;
  auto const hierarchy = op.GetHierarchy();
  for (int i = 0; i < hierarchy->GetNumLevels(); ++i) {
    auto const level = hierarchy->GetLevel(i);
    if (!level->IsAvailable("A")) continue;
    auto const A = level->Get<Teuchos::RCP<XpetraMatrix>>("A");
    info.levels.push_back({static_cast<long long>(A->getGlobalNumRows()),
                           static_cast<long long>(A->getGlobalNumEntries()),
                           0,
                           {},
                           {},
                           {}});
  }
  complete(info);
  return info;
}

[[noreturn]] void throw_input_error(std::exception const& error) {
  throw core::InvalidInput("Preconditioner Types -> MueLu: " + parameters::plain_text(error.what()));
}

/// Holds back what is written to std::cout during its lifetime, and drops it if an exception ends the
/// lifetime. For an unknown name, MueLu prints its distance to each of its two hundred parameter names.
class DeferredOutput {
 public:
  DeferredOutput() : before_(std::cout.rdbuf(text_.rdbuf())) {}
  DeferredOutput(DeferredOutput const&) = delete;
  DeferredOutput& operator=(DeferredOutput const&) = delete;
  ~DeferredOutput() {
    std::cout.rdbuf(before_);
    if (std::uncaught_exceptions() == exceptions_) std::cout << text_.str();
  }

 private:
  int exceptions_ = std::uncaught_exceptions();
  std::ostringstream text_;
  std::streambuf* before_;
};

}  // namespace

Preconditioner make_muelu(Teuchos::ParameterList const& list, ProblemData const& data) {
  registerMueLuSmoothers();
  Teuchos::ParameterList mine(list);
  if (!mine.isParameter("verbosity")) mine.set("verbosity", "none");
  if (!mine.isSublist("Factories") && !mine.isParameter("number of equations"))
    mine.set("number of equations", data.equations);
  if (data.matrix->getComm()->getSize() > 1 && !chooses_coarse_solver(mine)) set_safe_coarse_solver(mine);
  auto& user = mine.sublist("user data");
  if (!data.nullspace.is_null()) {
    user.set("Nullspace", data.nullspace);
  } else if (mine.isSublist("Factories")) {  // MueLu makes one for its easy interface alone
    auto const ones = Teuchos::rcp(new MultiVector(data.matrix->getRowMap(), 1));
    ones->putScalar(1.0);
    user.set("Nullspace", ones);
  }
  if (!data.coordinates.is_null()) user.set("Coordinates", data.coordinates);
  DeferredOutput const printed;
  try {
    auto const op =
        MueLu::CreateTpetraPreconditioner(Teuchos::rcp_implicit_cast<Operator>(data.matrix), mine);
    return {"MueLu", op, 0.0, 0, [op] { return describe(*op); }};
  } catch (MueLu::Exceptions::InvalidArgument const& error) {
    throw_input_error(error);
  } catch (MueLu::Exceptions::RuntimeError const& error) {
    throw_input_error(error);
  }
}

}  // namespace Tessera::baselines
